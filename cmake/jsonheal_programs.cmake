# Apps, tests and fuzz targets: one function for each sort.

# Adds every folder below `parents` that has a CMakeLists.txt, so that a new one needs no edit elsewhere.
function(jsonheal_add_folders)
    foreach(parent IN LISTS ARGN)
        file(GLOB lists CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${parent}/*/CMakeLists.txt")
        foreach(list IN LISTS lists)
            cmake_path(GET list PARENT_PATH folder)
            add_subdirectory("${folder}")
        endforeach()
    endforeach()
endfunction()

# The targets of modules, in the words of DEPS. `jsonheal` stands for all of them.
function(jsonheal_link_modules target)
    foreach(module IN LISTS ARGN)
        if(module STREQUAL "jsonheal")
            target_link_libraries(${target} PRIVATE jsonheal)
        else()
            target_link_libraries(${target} PRIVATE jsonheal_${module})
        endif()
    endforeach()
endfunction()

# What `make build` builds: the programs, without the tests.
add_custom_target(jsonheal_apps)

# jsonheal_app(jsonheal SOURCES main.cpp ... [DEPS jsonheal] [LINKS fmt::fmt ...])
#
# Makes the program <build>/bin/<name> and installs it. DEPS: modules, or `jsonheal` (the default) for all.
function(jsonheal_app name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPS;SOURCES;LINKS")
    if(NOT arg_DEPS)
        set(arg_DEPS jsonheal)
    endif()
    if(NOT DEFINED arg_SOURCES)
        file(GLOB arg_SOURCES CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
    endif()
    set(target jsonheal_app_${name})
    add_executable(${target} ${arg_SOURCES})
    jsonheal_common_settings(${target})
    jsonheal_lint(${target})
    jsonheal_link_modules(${target} ${arg_DEPS})
    target_link_libraries(${target} PRIVATE ${arg_LINKS})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name})
    add_dependencies(jsonheal_apps ${target})
    if(JSONHEAL_INSTALL)
        include(GNUInstallDirs)
        install(TARGETS ${target} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    endif()
endfunction()

# jsonheal_test(table LABEL unit TIMEOUT 10 DEPS edits [SOURCES table_test.cpp] [LINKS ...])
# jsonheal_test(exit_codes LABEL cli TIMEOUT 60 COMMAND python3 exit_codes.py)
#
# One CTest, named <label>.<folder>.<name>. It runs in the root of the sources, so tests name their data by
# relative path; JSONHEAL in its environment is the path of the tool.
#   LABEL    unit golden laws split exhaustive fuzz_replay package cli soak
#   TIMEOUT  seconds; 10 if left out
#   SOURCES  <name>.cpp if left out; linked with GoogleTest, GoogleMock and their main()
#   COMMAND  runs a script in place of a program
#   KERNELS  scan kernels to run it with besides the fastest: a test <label>.<folder>.<name>.<kernel> for each. The
#            program must link jsonheal_test_support.
#   LINKS    further libraries
set(JSONHEAL_LABELS unit golden laws split exhaustive fuzz_replay package cli soak)
function(jsonheal_test name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL;TIMEOUT" "DEPS;SOURCES;LINKS;COMMAND;KERNELS")
    if(NOT arg_LABEL IN_LIST JSONHEAL_LABELS)
        message(FATAL_ERROR "jsonheal_test(${name}): LABEL must be one of ${JSONHEAL_LABELS}")
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 10)
    endif()
    if(NOT arg_COMMAND)
        jsonheal_find_googletest()
        if(NOT arg_SOURCES)
            set(arg_SOURCES ${name}.cpp)
        endif()
        cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
        set(target jsonheal_test_${folder}_${name})
        add_executable(${target} ${arg_SOURCES})
        jsonheal_common_settings(${target})
        jsonheal_builds_fast(${target})
        target_precompile_headers(${target} REUSE_FROM jsonheal_test_headers)
        jsonheal_link_modules(${target} ${arg_DEPS})
        target_link_libraries(${target} PRIVATE ${arg_LINKS} GTest::gmock GTest::gtest_main)
        set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
        set(arg_COMMAND ${target})
    endif()
    jsonheal_register_test(${name} ${arg_LABEL} ${arg_TIMEOUT} ${arg_COMMAND})
    if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND CMAKE_CXX_FLAGS_DEBUG MATCHES "fsanitize")
        set(arg_KERNELS "") # the tests of scan run every kernel; a sanitizer has nothing more to see in the repeats
    endif()
    foreach(kernel IN LISTS arg_KERNELS)
        jsonheal_register_test(${name}.${kernel} ${arg_LABEL} ${arg_TIMEOUT} ${arg_COMMAND})
        set_property(
            TEST ${arg_LABEL}.${folder}.${name}.${kernel} APPEND PROPERTY ENVIRONMENT "JSONHEAL_KERNEL=${kernel}"
        )
    endforeach()
endfunction()

# GoogleTest as a package, or from the sources that JSONHEAL_GOOGLETEST names where there is none for the target machine.
function(jsonheal_find_googletest)
    if(NOT JSONHEAL_GOOGLETEST)
        find_package(GTest REQUIRED)
    elseif(NOT TARGET gtest)
        add_subdirectory("${JSONHEAL_GOOGLETEST}" "${PROJECT_BINARY_DIR}/googletest" EXCLUDE_FROM_ALL SYSTEM)
    endif()
    # Reading GoogleTest's headers is half of what compiling a test costs, so all tests share one reading of them.
    if(NOT TARGET jsonheal_test_headers)
        file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/test_headers.cpp" CONTENT "int main() { return 0; }\n")
        add_executable(jsonheal_test_headers EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/test_headers.cpp")
        jsonheal_common_settings(jsonheal_test_headers)
        jsonheal_builds_fast(jsonheal_test_headers)
        target_link_libraries(jsonheal_test_headers PRIVATE GTest::gmock GTest::gtest_main)
        target_precompile_headers(
            jsonheal_test_headers PRIVATE <gmock/gmock.h> <gtest/gtest.h> <string> <string_view> <vector>
        )
    endif()
endfunction()

# For programs that only call the library: what they do themselves is not worth -O3.
function(jsonheal_builds_fast target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(${target} PRIVATE -Wno-array-bounds) # false alarms out of std::string's operator+
    endif()
endfunction()

function(jsonheal_register_test name label timeout)
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME folder)
    set(test ${label}.${folder}.${name})
    add_test(NAME ${test} COMMAND ${ARGN} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    # A sanitizer or a coverage build is several times slower; its preset says by how much.
    if(JSONHEAL_TIMEOUT_FACTOR)
        math(EXPR timeout "${timeout} * ${JSONHEAL_TIMEOUT_FACTOR}")
    endif()
    set_tests_properties(
        ${test}
        PROPERTIES LABELS ${label}
                   TIMEOUT ${timeout}
                   ENVIRONMENT "JSONHEAL=${PROJECT_BINARY_DIR}/bin/jsonheal"
    )
endfunction()

# jsonheal_bench(table DEPS heal [SOURCES table.cpp] [LINKS simdjson::simdjson])
#
# The program <build>/bin/bench_<name>, for timing. Built by the target jsonheal_benches only.
function(jsonheal_bench name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "DEPS;SOURCES;LINKS")
    if(NOT arg_SOURCES)
        set(arg_SOURCES ${name}.cpp)
    endif()
    if(NOT TARGET jsonheal_benches)
        add_custom_target(jsonheal_benches)
    endif()
    set(target jsonheal_bench_${name})
    add_executable(${target} EXCLUDE_FROM_ALL ${arg_SOURCES})
    jsonheal_common_settings(${target})
    jsonheal_link_modules(${target} ${arg_DEPS})
    target_link_libraries(${target} PRIVATE ${arg_LINKS})
    set_target_properties(${target} PROPERTIES OUTPUT_NAME bench_${name})
    add_dependencies(jsonheal_benches ${target})
endfunction()

# jsonheal_fuzzer(heal DEPS heal [SOURCES heal.cpp] [CORPUS corpus/heal ...] [TIMEOUT 60])
#
# A target with LLVMFuzzerTestOneInput. With JSONHEAL_FUZZ it is the libFuzzer program <build>/bin/fuzz_<name>; else a
# program that runs the files of CORPUS (folders beside the caller's CMakeLists.txt), as the CTest fuzz_replay.*.
function(jsonheal_fuzzer name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "DEPS;SOURCES;LINKS;CORPUS")
    if(NOT arg_SOURCES)
        set(arg_SOURCES ${name}.cpp)
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 60)
    endif()
    set(target jsonheal_fuzz_${name})
    if(JSONHEAL_FUZZ)
        add_executable(${target} ${arg_SOURCES})
        target_link_options(${target} PRIVATE -fsanitize=fuzzer)
        set_target_properties(${target} PROPERTIES OUTPUT_NAME fuzz_${name})
    elseif(JSONHEAL_TESTS)
        if(NOT TARGET jsonheal_fuzz_replay)
            add_library(jsonheal_fuzz_replay OBJECT "${PROJECT_SOURCE_DIR}/tools/fuzz_replay.cpp")
            jsonheal_common_settings(jsonheal_fuzz_replay)
        endif()
        add_executable(${target} ${arg_SOURCES} $<TARGET_OBJECTS:jsonheal_fuzz_replay>)
        jsonheal_builds_fast(${target})
        set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
        list(TRANSFORM arg_CORPUS PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
        jsonheal_register_test(${name} fuzz_replay ${arg_TIMEOUT} ${target} ${arg_CORPUS})
    else()
        return()
    endif()
    jsonheal_common_settings(${target})
    jsonheal_link_modules(${target} ${arg_DEPS})
    target_link_libraries(${target} PRIVATE ${arg_LINKS})
endfunction()
