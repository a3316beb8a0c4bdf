# libtessera: the C interface and every module that it needs as one library, static and shared, with
# what others need to use it (headers, CMake package, pkg-config).
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# All modules and outside libraries that a module needs, itself included.
function(tessera_collect target module_list library_list)
  set(modules_${target} ${${module_list}})
  set(libraries_${target} ${${library_list}})
  list(APPEND modules_${target} ${target})
  get_target_property(linked ${target} LINK_LIBRARIES)
  foreach(item IN LISTS linked)
    set(type)
    if(TARGET ${item})
      get_target_property(is_outside ${item} IMPORTED)
      get_target_property(type ${item} TYPE)
    endif()
    if(type STREQUAL "INTERFACE_LIBRARY" AND NOT is_outside)
      continue()  # options and headers for compiling, nothing to link
    elseif(item IN_LIST modules_${target} OR item IN_LIST libraries_${target})
      continue()
    elseif(item MATCHES "^tessera_" AND TARGET ${item})
      tessera_collect(${item} modules_${target} libraries_${target})
    else()
      list(APPEND libraries_${target} ${item})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES modules_${target})
  list(REMOVE_DUPLICATES libraries_${target})
  set(${module_list} ${modules_${target}} PARENT_SCOPE)
  set(${library_list} ${libraries_${target}} PARENT_SCOPE)
endfunction()

set(modules)
set(libraries)
tessera_collect(tessera_api modules libraries)
set(objects)
foreach(module IN LISTS modules)
  get_target_property(type ${module} TYPE)
  if(type STREQUAL "STATIC_LIBRARY" OR type STREQUAL "OBJECT_LIBRARY")
    list(APPEND objects $<TARGET_OBJECTS:${module}>)
  endif()
endforeach()

add_library(tessera_static STATIC ${objects})
set(tessera_libraries tessera_static)
# WebAssembly, for one, has no shared libraries.
get_property(has_shared_libraries GLOBAL PROPERTY TARGET_SUPPORTS_SHARED_LIBS)
if(has_shared_libraries)
  add_library(tessera_shared SHARED ${objects})
  list(APPEND tessera_libraries tessera_shared)
endif()
foreach(library IN LISTS tessera_libraries)
  target_include_directories(
    ${library} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${library} INTERFACE cxx_std_20)  # for tessera.hpp
  if(EMSCRIPTEN AND TESSERA_WASM_EXCEPTIONS)
    target_link_options(${library} INTERFACE -fwasm-exceptions)  # as the library was compiled
  endif()
  target_link_libraries(${library} PRIVATE ${libraries} ${CMAKE_DL_LIBS})
  set_target_properties(${library} PROPERTIES OUTPUT_NAME tessera LINKER_LANGUAGE CXX)
  if(TESSERA_SANITIZE)  # what the modules' objects call
    target_link_options(${library} PUBLIC ${tessera_sanitizers})
  endif()
endforeach()

# Calls are added in every release before 1.0, so programs need the release that they were made for.
if(has_shared_libraries)
  set(version_script ${PROJECT_SOURCE_DIR}/src/api/tessera.map)
  set_target_properties(
    tessera_shared
    PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
               LINK_DEPENDS ${version_script} INSTALL_RPATH "$ORIGIN/tessera;$ORIGIN"  # its plug-ins
               LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  target_link_options(tessera_shared PRIVATE -Wl,--version-script=${version_script} ${tessera_link_protections})
  if(NOT TESSERA_SANITIZE)  # clang has the sanitizers' functions in programs alone
    target_link_options(tessera_shared PRIVATE -Wl,--no-undefined)
  endif()
endif()
set_target_properties(tessera_static PROPERTIES ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})

# For projects that take this one in with add_subdirectory.
if(BUILD_SHARED_LIBS AND has_shared_libraries)
  add_library(tessera::tessera ALIAS tessera_shared)
else()
  add_library(tessera::tessera ALIAS tessera_static)
endif()

if(NOT TESSERA_INSTALL)
  return()
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
# Programs that run need the shared library alone: the component "shared", with its plug-ins.
install(
  TARGETS ${tessera_libraries}
  EXPORT tesseraTargets
  LIBRARY COMPONENT shared NAMELINK_COMPONENT library
  ARCHIVE COMPONENT library)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/tessera DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT library)
install(EXPORT tesseraTargets NAMESPACE tessera:: DESTINATION ${package_folder} COMPONENT library)

# What the static library needs is found again where it is used.
set(tessera_dependencies)
set(needs_pkg_config OFF)
set(tessera_pc_libs)
foreach(item IN LISTS libraries)
  if(item MATCHES "^PkgConfig::(.*)$")
    set(prefix ${CMAKE_MATCH_1})
    string(APPEND tessera_dependencies
           "pkg_check_modules(${prefix} REQUIRED IMPORTED_TARGET ${${prefix}_MODULE_NAME})\n")
    set(needs_pkg_config ON)
    list(APPEND tessera_pc_libs ${${prefix}_LDFLAGS})
  elseif(item STREQUAL "JPEG::JPEG")
    string(APPEND tessera_dependencies "find_dependency(JPEG)\n")
    list(APPEND tessera_pc_libs -ljpeg)
  elseif(item STREQUAL "Threads::Threads")
    string(APPEND tessera_dependencies "find_dependency(Threads)\n")
  elseif(item STREQUAL "MPI::MPI_CXX")
    string(APPEND tessera_dependencies "set(MPI_CXX_SKIP_MPICXX ON)\nfind_dependency(MPI COMPONENTS CXX)\n")
    list(APPEND tessera_pc_libs ${MPI_CXX_LIBRARIES})
  endif()
endforeach()
if(needs_pkg_config)
  string(PREPEND tessera_dependencies "find_dependency(PkgConfig)\n")
endif()
list(APPEND tessera_pc_libs -lstdc++ -lm -ldl -lpthread)
list(JOIN tessera_pc_libs " " tessera_pc_libs)
file(RELATIVE_PATH tessera_pc_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/tesseraConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/tesseraConfig.cmake
  INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(
  ${CMAKE_CURRENT_BINARY_DIR}/tesseraConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tesseraConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/tesseraConfigVersion.cmake
        DESTINATION ${package_folder} COMPONENT library)
configure_file(${PROJECT_SOURCE_DIR}/cmake/tessera.pc.in ${CMAKE_CURRENT_BINARY_DIR}/tessera.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tessera.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
        COMPONENT library)
