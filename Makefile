# The front door. `make run` and `make test` need nothing but Debian 12 and this folder.
IMAGE ?=
IMAGES ?=
FUZZ_SECONDS ?= 20
SOAK_SECONDS ?= 60
BUILD := build/release
TESSERA := $(BUILD)/tessera
OUT := out
SOURCES := $(shell git ls-files --cached --others --exclude-standard '*.cc' '*.h' 2>/dev/null)

CONFORMANCE_BLOCKS ?= 1000000

# Whether a new build has the kernels for NVIDIA's devices, which take some minutes to compile: where
# there is such a device. `make cuda` adds them, `make test CUDA=ON` compiles them from the beginning.
CUDA ?= $(if $(shell command -v nvidia-smi),ON,OFF)
# The instruction sets that a new build has kernels for, where `make build` does not ask for all of
# them: those of this machine. `make test ISAS=ALL` tests all that this machine can run.
ISAS ?= NATIVE
# A build that is there keeps what it has, but for what the command line says.
is_said = $(if $(wildcard $(BUILD)/CMakeCache.txt),$(filter command,$(origin $(1))),new)
BUILD_OPTIONS = $(if $(call is_said,CUDA),-D TESSERA_USE_CUDA=$(CUDA)) \
  $(if $(call is_said,ISAS),-D TESSERA_ISAS=$(ISAS))

.PHONY: all deps everything build command cuda run test conformance bench lint format sanitize fuzz soak clang neon wasm python web web-serve web-test deb deb-test clean

all: build

# Installs the Debian packages that are missing.
deps:
	@tools/install_packages.sh packages.txt
	@tools/install_packages.sh packages-test.txt

# Everything; `make build` with kernels for all x86-64 machines.
everything: deps
	@cmake --preset release $(BUILD_OPTIONS) -D TESSERA_BUILD_TESTS=ON -D TESSERA_BUILD_BENCH=ON
	@cmake --build --preset release

build: BUILD_OPTIONS += -D TESSERA_ISAS=ALL
build: everything

# The command alone: neither tests nor the benchmark, and no packages that only those need.
command:
	@tools/install_packages.sh packages.txt
	@test -e $(BUILD)/CMakeCache.txt || \
	  cmake --preset release $(BUILD_OPTIONS) -D TESSERA_BUILD_TESTS=OFF -D TESSERA_BUILD_BENCH=OFF
	@cmake --build --preset release --target tessera_cli

# The plug-in for NVIDIA's devices, beside the command; needs nvcc, and about three minutes.
cuda: command
	@cmake --preset release -D TESSERA_USE_CUDA=ON
	@cmake --build --preset release --target tessera_cli tessera_cuda_plugin

# Compresses IMAGE (default: a picture that the program makes) and shows what came out.
run: command
	@mkdir -p $(OUT)
	@tools/show_run.sh $(TESSERA) $(OUT) "$(IMAGE)"

test: everything
	@tools/check_includes.py
	@ctest --preset release

# ASTC decoding against the astcenc command on a million random blocks of every block size (about
# half an hour); `make test` takes a sample of it.
conformance: build
	@TESSERA_CONFORMANCE_BLOCKS=$(CONFORMANCE_BLOCKS) $(BUILD)/tests/test_astc --gtest_filter='Conformance.*'

# Measures on the pictures in IMAGES (default: made by code) and writes the tables of
# docs/performance.md.
bench: build
	@bench/update_tables.py $(TESSERA) docs/performance.md "$(IMAGES)"

# Format, rules of the tree, clang-tidy (for one instruction set: nothing is compiled).
lint: deps
	@clang-format --dry-run -Werror $(SOURCES)
	@tools/check_includes.py
	@tools/check_sizes.py
	@tools/check_docs.py
	@cmake --preset lint > /dev/null
	@run-clang-tidy -quiet -p build/lint '^$(CURDIR)/(build/lint/.*/Unity|src|apps|bench)/' > build/lint/clang-tidy.log 2>&1 \
	  || { grep -E 'warning:|error:' build/lint/clang-tidy.log | sort -u; exit 1; }

format:
	@clang-format -i $(SOURCES)

# All tests again under the address and undefined-behaviour sanitizers, but for the table of PSNR,
# whose encodes are those of other tests, and for those that CONTRIBUTING.md names.
sanitize: deps
	@cmake --preset asan-ubsan
	@cmake --build --preset asan-ubsan
	@ctest --preset asan-ubsan

# A short run of every fuzz target, starting from its corpus.
fuzz: deps
	@cmake --preset fuzz
	@cmake --build --preset fuzz --target fuzzers
	@tools/run_fuzzers.sh build/fuzz/fuzz fuzz/corpus $(FUZZ_SECONDS)

# The command used at random, with everything checked against everything; an hour of it by hand:
# make soak SOAK_SECONDS=3600
soak: build
	@tools/soak.py $(TESSERA) $(SOAK_SECONDS)

# Everything must be clean under clang, too.
clang: deps
	@cmake --preset clang
	@cmake --build --preset clang

# What 64-bit ARM writes, in an emulator, against this machine.
neon: build
	@tools/install_packages.sh packages-ci.txt
	@tools/check_neon.sh $(BUILD)/tests/output_hashes

# What WebAssembly writes, in Node.js, against this machine.
wasm: build
	@tools/install_packages.sh packages-ci.txt
	@tools/check_wasm.sh $(BUILD)/tests/output_hashes

# The Python package beside the command, with its tests; its own packages are in packages-python.txt.
python: command
	@tools/install_packages.sh packages-python.txt
	@cmake --preset release -D TESSERA_BUILD_PYTHON=ON
	@cmake --build --preset release --target tessera_cli tessera_python
	@ctest --preset release -R '^python_' --no-tests=error

# The JavaScript package with its WebAssembly modules, and the page that shows it (docs/web.md).
web:
	@tools/install_packages.sh packages.txt
	@tools/install_packages.sh packages-web.txt
	@tools/build_wasm.sh tessera_web
	@cd apps/web/page && npm ci --no-audit --no-fund && npm run build

web-serve: web
	@cd apps/web/page && npm run serve

# The package in Node.js against the command, then the page in Chromium; nothing is skipped.
web-test: web command
	@tools/install_packages.sh packages-web-test.txt
	@cd apps/web/js && npm ci --no-audit --no-fund && \
	  TESSERA_COMMAND="$(abspath $(TESSERA))" npm test
	@cd apps/web/page && TESSERA_WEB_REQUIRED=1 TESSERA="$(abspath $(TESSERA))" npm test

# Debian packages of the command, the library and the Python module, in out/; checked with lintian
# where it is installed.
deb:
	@tools/install_packages.sh packages.txt
	@tools/install_packages.sh packages-python.txt
	@tools/build_packages.sh $(OUT)

# Packages for this machine's instruction set, checked with lintian, installed, used and removed again.
# Refuses where they, or files of theirs, are installed already.
deb-test:
	@tools/install_packages.sh packages.txt
	@tools/install_packages.sh packages-python.txt
	@tools/install_packages.sh packages-deb.txt
	@rm -rf build/deb-test/packages
	@tools/build_packages.sh build/deb-test/packages -D TESSERA_ISAS=NATIVE -D TESSERA_USE_CUDA=OFF
	@tools/test_packages.sh build/deb-test/packages

clean:
	@rm -rf build $(OUT) apps/web/js/wasm apps/web/page/dist
