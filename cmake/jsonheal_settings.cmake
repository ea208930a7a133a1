# What every target of this project is compiled with. Nothing here reaches a consumer.

if(PROJECT_IS_TOP_LEVEL)
    if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
        set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
    endif()
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
    set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
    set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)
endif()

# Linked PRIVATE and never exported. Errors are made of warnings by preset (CMAKE_COMPILE_WARNING_AS_ERROR).
add_library(jsonheal_warnings INTERFACE)
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(
        jsonheal_warnings
        INTERFACE -Wall
                  -Wextra
                  -Wpedantic
                  -Wshadow
                  -Wconversion
                  -Wsign-conversion
                  -Wold-style-cast
                  -Wnon-virtual-dtor
    )
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        # False alarms out of std::string's operator+ at -O2 and above (GCC bug 105651).
        target_compile_options(jsonheal_warnings INTERFACE -Wno-restrict)
    endif()
endif()

# Language level, visibility and lint of one of our own targets.
function(jsonheal_common_settings target)
    set_target_properties(
        ${target}
        PROPERTIES CXX_EXTENSIONS OFF
                   CXX_VISIBILITY_PRESET hidden
                   VISIBILITY_INLINES_HIDDEN ON
                   POSITION_INDEPENDENT_CODE ON
    )
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:jsonheal_warnings>)
endfunction()

function(jsonheal_lint target)
    if(JSONHEAL_TIDY)
        find_program(JSONHEAL_CLANG_TIDY NAMES clang-tidy clang-tidy-14 REQUIRED)
        set_target_properties(${target} PROPERTIES CXX_CLANG_TIDY "${JSONHEAL_CLANG_TIDY};--quiet")
    endif()
endfunction()
