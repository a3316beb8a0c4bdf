"""What tools/soak.py needs: the command and what is installed beside it, pictures of high dynamic
range, and the blocks in a texture, read without the command."""
import json
import math
import os
import resource
import shutil
import struct
import subprocess
import time

REFUSALS = (1, 2, 3, 4, 5, 7)
UNSUPPORTED = 5
MPIRUN = ("mpirun", "--oversubscribe", "--bind-to", "none", "-n", "2")
SECONDS = 600  # for any one command; it only ends what hangs


class Disagreement(Exception):
    pass


def check(condition, *words):
    if not condition:
        raise Disagreement(" ".join(map(str, words)))


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def write_bytes(path, data):
    with open(path, "wb") as file:
        file.write(data)
    return path


def allow_many_words():
    """A command line may be as long as a quarter of the stack."""
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (64 << 20 if hard < 0 else hard, hard))


class Command:
    """The command under test. What is not there to test it with, it tells when it is made."""

    def __init__(self, path, folder):
        self.path = path
        self.folder = folder
        version = self.run("--version").stdout.decode()
        kernels = next(line for line in version.splitlines() if line.startswith("kernels:"))
        self.isas = kernels.split("available:")[1].strip(" )").split(", ")
        self.has_mpi = self.find_mpi(version)
        self.devices = self.find_devices()
        self.has_astcenc = shutil.which("astcenc") is not None
        if not self.has_astcenc:
            print("skipped: astcenc is not installed, so that it judges no texture")

    def run(self, *arguments, isa=None, codes=(0,), before=(), variables=()):
        variables = dict(os.environ, **dict(variables))
        if isa:
            variables["TESSERA_ISA"] = isa
        done = subprocess.run([*before, self.path, *map(str, arguments)], env=variables,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False)
        check(done.returncode in codes, *before, *arguments, "ended with", done.returncode, done.stderr)
        return done

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--json").stdout)

    def run_ranks(self, *arguments):
        """Test machines often run as root, which mpirun refuses without these."""
        self.run(*arguments, "--backend", "mpi", before=MPIRUN, variables={
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})

    @staticmethod
    def find_mpi(version):
        backends = next(line for line in version.splitlines() if line.startswith("backends:"))
        if "mpi" not in backends.replace(",", " ").split():
            print("skipped: this build has no MPI, so that nothing is encoded by several ranks")
        elif shutil.which(MPIRUN[0]) is None:
            print("skipped: mpirun is not installed, so that nothing is encoded by several ranks")
        else:
            return True
        return False

    def find_devices(self):
        """For each format the words that choose a device which has kernels for it."""
        done = self.run("info", "--devices", "--json", codes=(0, UNSUPPORTED))
        listed = json.loads(done.stdout) if done.returncode == 0 else []
        found = {"bc1": [], "astc": [], "fractal": []}
        picture = os.path.join(self.folder, "probe.png")
        self.run("sample", "-o", picture, "--size", "16x16", "--quiet")
        for device in listed:
            words = ("--backend", device["backend"], "--device", str(device["number"]))
            for kind, suffix in (("bc1", "dds"), ("astc", "astc"), ("fractal", "tsf")):
                texture = os.path.join(self.folder, "probe." + suffix)
                done = self.run("encode", picture, "-o", texture, "--quiet", *words,
                                codes=(0,) if kind == "bc1" else (0, UNSUPPORTED))
                if done.returncode == 0:
                    found[kind].append(words)
                else:
                    check(b"no kernels" in done.stderr, "refused for another reason:", done.stderr)
        if not listed:
            print("skipped: there is no OpenCL or CUDA device, so that nothing is encoded by one")
        return found


def radiance(width, height, sample):
    """A Radiance file whose pixels are stored one by one; sample() gives one number after another."""
    data = bytearray(f"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y {height} +X {width}\n".encode())
    for _ in range(width * height):
        rgb = [sample() for _ in range(3)]
        exponent = math.frexp(max(*rgb, 1e-9))[1]
        data += bytes(int(value * 2.0 ** (8 - exponent)) for value in rgb) + bytes([exponent + 128])
    return bytes(data)


def exr(width, height, sample):
    """An OpenEXR file of red, green and blue as half floats (what textures hold), not compressed."""
    def attribute(name, kind, value):
        return name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<i", len(value)) + value

    box = struct.pack("<4i", 0, 0, width - 1, height - 1)
    channels = b"".join(name + b"\0" + struct.pack("<i4xii", 1, 1, 1) for name in (b"B", b"G", b"R"))
    head = struct.pack("<ii", 20000630, 2) + b"".join((
        attribute("channels", "chlist", channels + b"\0"), attribute("compression", "compression", b"\0"),
        attribute("dataWindow", "box2i", box), attribute("displayWindow", "box2i", box),
        attribute("lineOrder", "lineOrder", b"\0"),
        attribute("pixelAspectRatio", "float", struct.pack("<f", 1)),
        attribute("screenWindowCenter", "v2f", struct.pack("<ff", 0, 0)),
        attribute("screenWindowWidth", "float", struct.pack("<f", 1)))) + b"\0"
    row_bytes = 6 * width
    first = len(head) + 8 * height
    offsets = b"".join(struct.pack("<Q", first + y * (8 + row_bytes)) for y in range(height))
    rows = b"".join(struct.pack("<ii", y, row_bytes) +
                    struct.pack(f"<{3 * width}e", *(sample() for _ in range(3 * width)))
                    for y in range(height))
    return head + offsets + rows


def dds_levels(data):
    """BC1 has 8 bytes for each block of 4x4 pixels."""
    height, width = struct.unpack_from("<2I", data, 12)
    place = 148 if data[84:88] == b"DX10" else 128
    for level in range(max(1, struct.unpack_from("<I", data, 28)[0])):
        size = 8 * ((max(1, width >> level) + 3) // 4) * ((max(1, height >> level) + 3) // 4)
        yield data[place:place + size]
        place += size


def ktx2_levels(data):
    count, packed = struct.unpack_from("<2I", data, 40)
    check(packed == 0, "the blocks of a file that zstd has packed cannot be looked at")
    for level in range(max(1, count)):
        place, size = struct.unpack_from("<2Q", data, 80 + 24 * level)
        yield data[place:place + size]


def ktx_levels(data):
    count, keys = struct.unpack_from("<2I", data, 56)
    place = 64 + keys
    for _ in range(max(1, count)):
        size = struct.unpack_from("<I", data, place)[0]
        yield data[place + 4:place + 4 + size]
        place += 4 + (size + 3) // 4 * 4


def blocks_of(path):
    """The compressed bytes of each mip level, without what the container says of them."""
    data = read_bytes(path)
    suffix = os.path.splitext(path)[1]
    if suffix == ".astc":
        return [data[16:]]
    if suffix == ".tsf":
        return [data]
    return list({".dds": dds_levels, ".ktx2": ktx2_levels, ".ktx": ktx_levels}[suffix](data))


def wait_for_handler(process, number):
    """Until the command catches the signal (or has ended): before that it would just die."""
    while process.poll() is None:
        try:
            with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
                caught = next(line for line in status if line.startswith("SigCgt:"))
        except (OSError, StopIteration):
            continue
        if int(caught.split()[1], 16) >> (number - 1) & 1:
            return
        time.sleep(0.001)


def wait_for_names(folder, allowed):
    """The names in a folder, once they are among those that may be there, or after two minutes:
    of a process that was killed, a helper of its own removes what is left a moment later."""
    deadline = time.monotonic() + 120
    while True:
        names = os.listdir(folder)
        if set(names) <= set(allowed) or time.monotonic() > deadline:
            return names
        time.sleep(0.05)
