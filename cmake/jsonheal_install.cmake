# Install rules: the library, its headers, and the files by which CMake and pkg-config find it.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(
    TARGETS jsonheal
    EXPORT jsonheal
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/jsonheal")
install(EXPORT jsonheal NAMESPACE jsonheal:: FILE jsonheal_targets.cmake DESTINATION "${package_dir}")
configure_package_config_file(
    "${PROJECT_SOURCE_DIR}/cmake/jsonheal-config.cmake.in" "${PROJECT_BINARY_DIR}/jsonheal-config.cmake"
    INSTALL_DESTINATION "${package_dir}"
)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(
    "${PROJECT_BINARY_DIR}/jsonheal-config-version.cmake" COMPATIBILITY SameMinorVersion
)
install(FILES "${PROJECT_BINARY_DIR}/jsonheal-config.cmake" "${PROJECT_BINARY_DIR}/jsonheal-config-version.cmake"
        DESTINATION "${package_dir}")

# The prefix is given relative to the file itself, so that an installed tree can be moved.
set(pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH prefix_from_pc "/prefix/${pkgconfig_dir}" "/prefix")
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/jsonheal.pc.in" "${PROJECT_BINARY_DIR}/jsonheal.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/jsonheal.pc" DESTINATION "${pkgconfig_dir}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
