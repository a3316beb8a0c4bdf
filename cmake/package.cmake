# Debian packages (`make deb`): the command with its manual, the shared library, what programs are
# compiled with, and the Python module. Paths are those of a prefix of /usr.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME tessera)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(TESSERA_PACKAGE_MAINTAINER "Tessera developers <tessera@example.org>"
    CACHE STRING "Who answers for the Debian packages")
set(CPACK_PACKAGE_CONTACT "${TESSERA_PACKAGE_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(tessera_package_version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compress images block by block: ASTC, BC1, fractal")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# tessera_package(<component> <package> <section> <summary> <text>)
set(CPACK_COMPONENTS_ALL)
macro(tessera_package component package section summary text)
  string(TOUPPER ${component} upper)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${package})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${text}")
  # Every package says under which terms it is given, and what has changed.
  install(FILES ${debian}/copyright ${debian}/changelog.gz ${debian}/changelog.Debian.gz
          DESTINATION share/doc/${package} COMPONENT ${component})
endmacro()

find_program(TESSERA_GZIP gzip)
find_package(Python3 QUIET COMPONENTS Interpreter)
if(NOT TESSERA_GZIP OR NOT Python3_FOUND OR CMAKE_CROSSCOMPILING OR NOT TARGET tessera_cli)
  return()
endif()
set(debian ${CMAKE_BINARY_DIR}/debian)
string(TIMESTAMP tessera_package_date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(cmake/debian/copyright.in ${debian}/copyright COPYONLY)
configure_file(cmake/debian/changelog.in ${debian}/changelog.Debian @ONLY)
execute_process(COMMAND ${TESSERA_GZIP} -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md
                OUTPUT_FILE ${debian}/changelog.gz)
execute_process(COMMAND ${TESSERA_GZIP} -9nc ${debian}/changelog.Debian
                OUTPUT_FILE ${debian}/changelog.Debian.gz)
# The linker's list of libraries is made anew when the library comes and goes.
set(release ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
file(WRITE ${debian}/triggers "activate-noawait ldconfig\n")
file(WRITE ${debian}/shlibs "libtessera ${release} libtessera${release} (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_SHARED_PACKAGE_CONTROL_EXTRA "${debian}/triggers;${debian}/shlibs")

tessera_package(
  command tessera graphics "compress images block by block"
  "The command tessera makes ASTC, BC1 and fractal textures of pictures and\n folders, and tessera-astcenc has the command line of astcenc."
)
tessera_package(shared libtessera${release} libs "library that compresses images block by block"
                "ASTC, BC1 and fractal textures for other programs.")
tessera_package(library libtessera-dev libdevel "development files of libtessera"
                "Headers for C and C++, the static library, and what CMake and pkg-config read.")
set(shared_package "libtessera${release} (= ${tessera_package_version})")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "${shared_package}")
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "${shared_package}")  # its plug-ins
if(TARGET tessera_python)
  tessera_package(python python3-tessera python "Python module that compresses images"
                  "ASTC, BC1 and fractal textures of NumPy arrays.")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3, python3-numpy, ${shared_package}")
endif()

# Manual pages and completions are made of what the command says of itself.
set(guide ${CMAKE_BINARY_DIR}/guide)
add_custom_command(
  OUTPUT ${guide}/man/tessera.1.gz
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/make_guide.py
          $<TARGET_FILE:tessera_cli> man.gz ${guide}/man
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/tools/make_guide.py
          $<TARGET_FILE:tessera_cli> completions ${guide}/completions
  DEPENDS tessera_cli tessera_astcenc ${PROJECT_SOURCE_DIR}/tools/make_guide.py
  VERBATIM)
add_custom_target(tessera_guide ALL DEPENDS ${guide}/man/tessera.1.gz)
install(DIRECTORY ${guide}/man/ DESTINATION share/man/man1 COMPONENT command)
install(FILES ${guide}/completions/tessera.bash DESTINATION share/bash-completion/completions
        RENAME tessera COMPONENT command)
install(FILES ${guide}/completions/_tessera DESTINATION share/zsh/vendor-completions
        COMPONENT command)
install(FILES ${guide}/completions/tessera.fish DESTINATION share/fish/vendor_completions.d
        COMPONENT command)
include(CPack)
