# The modules, in the only order there is: each may use those before it. DESIGN section 2.
set(JSONHEAL_MODULE_ORDER
    base scan edits unicode document heal schema align extract answer sanitize stream dialect args calls wire capi net
)

# jsonheal_module(NAME heal DEPS base edits ... [HEADERS heal.hpp ...] [SOURCES engine.cpp ...] [LINKS re2 ...] [APART])
#
# Makes the library jsonheal_<name> (jsonheal::<name>) of the calling folder, src/<name>.
#   HEADERS  names in include/jsonheal; when left out <name>.hpp and <name>_*.hpp
#   TABLES   public files that do not compile alone, such as rules.def
#   SOURCES  when left out every *.cpp of the folder, so that a new file needs no edit of CMake
#   LINKS    libraries of others, by the names that the linker knows
#   APART    a library of its own: not part of jsonheal::jsonheal, nor installed with it
# Stops the configure step if a dependency does not stand earlier in the order, or has not been defined.
# A module without sources is header only.
function(jsonheal_module)
    cmake_parse_arguments(PARSE_ARGV 0 arg "APART" "NAME" "DEPS;HEADERS;TABLES;SOURCES;LINKS")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "jsonheal_module(${arg_NAME}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
    endif()
    jsonheal_check_dependencies(${arg_NAME} "${arg_DEPS}")

    set(include_dir "${PROJECT_SOURCE_DIR}/include")
    if(NOT DEFINED arg_HEADERS)
        file(GLOB arg_HEADERS RELATIVE "${include_dir}/jsonheal" CONFIGURE_DEPENDS
             "${include_dir}/jsonheal/${arg_NAME}.hpp" "${include_dir}/jsonheal/${arg_NAME}_*.hpp")
    endif()
    if(NOT DEFINED arg_SOURCES)
        file(GLOB arg_SOURCES CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
    endif()
    list(TRANSFORM arg_HEADERS PREPEND "${include_dir}/jsonheal/")
    list(TRANSFORM arg_TABLES PREPEND "${include_dir}/jsonheal/")

    set(target jsonheal_${arg_NAME})
    list(TRANSFORM arg_DEPS PREPEND jsonheal_ OUTPUT_VARIABLE dependencies)
    if(arg_SOURCES)
        set(scope PUBLIC)
        add_library(${target} STATIC ${arg_SOURCES})
        jsonheal_common_settings(${target})
        jsonheal_lint(${target})
    else()
        set(scope INTERFACE)
        add_library(${target} INTERFACE)
        target_compile_features(${target} INTERFACE cxx_std_20)
    endif()
    add_library(jsonheal::${arg_NAME} ALIAS ${target})
    target_link_libraries(${target} ${scope} ${dependencies} ${arg_LINKS})
    target_sources(${target} ${scope} FILE_SET HEADERS BASE_DIRS "${include_dir}" FILES ${arg_HEADERS})
    set_target_properties(${target} PROPERTIES INTERFACE_HEADER_SETS_TO_VERIFY HEADERS)
    if(arg_TABLES)
        target_sources(
            ${target} ${scope} FILE_SET tables TYPE HEADERS BASE_DIRS "${include_dir}" FILES ${arg_TABLES}
        )
    endif()

    if(NOT arg_APART)
        set_property(GLOBAL APPEND PROPERTY JSONHEAL_MODULES ${arg_NAME})
        set_property(GLOBAL APPEND PROPERTY JSONHEAL_LINKS ${arg_LINKS})
        set_property(GLOBAL APPEND PROPERTY JSONHEAL_HEADERS ${arg_HEADERS} ${arg_TABLES})
    endif()
    list(JOIN arg_DEPS " " dependencies)
    set_property(GLOBAL APPEND_STRING PROPERTY JSONHEAL_MODULE_LINES "${arg_NAME}: ${dependencies}\n")
endfunction()

# Each of `dependencies` must stand before `name` in the order, and be defined.
function(jsonheal_check_dependencies name dependencies)
    list(FIND JSONHEAL_MODULE_ORDER "${name}" own_place)
    if(own_place EQUAL -1)
        message(FATAL_ERROR "jsonheal: module '${name}' is not in JSONHEAL_MODULE_ORDER")
    endif()
    foreach(dependency IN LISTS dependencies)
        list(FIND JSONHEAL_MODULE_ORDER "${dependency}" place)
        if(place EQUAL -1 OR NOT place LESS own_place)
            message(FATAL_ERROR "jsonheal: module '${name}' may not use '${dependency}': it does not stand before it")
        endif()
        if(NOT TARGET jsonheal_${dependency})
            message(FATAL_ERROR "jsonheal: module '${name}' uses '${dependency}', which is not defined")
        endif()
    endforeach()
endfunction()

# Gathers the modules in the one library that consumers see, jsonheal::jsonheal.
#
# It is static: the C++ faces promise no binary interface. The shared library is that of the C interface.
function(jsonheal_library)
    get_property(modules GLOBAL PROPERTY JSONHEAL_MODULES)
    get_property(headers GLOBAL PROPERTY JSONHEAL_HEADERS)
    get_property(links GLOBAL PROPERTY JSONHEAL_LINKS)
    get_property(lines GLOBAL PROPERTY JSONHEAL_MODULE_LINES)
    if(EXISTS "${PROJECT_SOURCE_DIR}/include/jsonheal/jsonheal.hpp")
        list(APPEND headers "${PROJECT_SOURCE_DIR}/include/jsonheal/jsonheal.hpp")
    endif()
    add_library(jsonheal STATIC)
    add_library(jsonheal::jsonheal ALIAS jsonheal)
    jsonheal_common_settings(jsonheal)
    target_link_libraries(jsonheal PUBLIC ${links})
    foreach(module IN LISTS modules)
        get_target_property(type jsonheal_${module} TYPE)
        if(type STREQUAL "STATIC_LIBRARY")
            target_sources(jsonheal PRIVATE $<TARGET_OBJECTS:jsonheal_${module}>)
        endif()
    endforeach()
    target_sources(
        jsonheal PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${headers}
    )
    # The modules verify their own headers already.
    set_target_properties(jsonheal PROPERTIES VERIFY_INTERFACE_HEADER_SETS OFF)

    # tools/check_layers.py reads this to judge what the sources include.
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/modules.txt" CONTENT "${lines}" @ONLY)
endfunction()
