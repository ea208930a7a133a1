# Makes demo.yaml a source: demo_yaml() of script.cpp. Sets `JSONHEAL_GATEWAY_DEMO` to its path.
set(JSONHEAL_GATEWAY_DEMO "${CMAKE_CURRENT_BINARY_DIR}/demo_yaml.cpp")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/demo.yaml")
file(READ "${CMAKE_CURRENT_LIST_DIR}/demo.yaml" demo_yaml)
file(CONFIGURE OUTPUT "${JSONHEAL_GATEWAY_DEMO}" @ONLY CONTENT [[
// Generated from apps/gateway/demo.yaml. Do not edit.
#include <string_view>

namespace jsonheal::gateway {

std::string_view demo_yaml() noexcept; // declared in script.cpp
std::string_view demo_yaml() noexcept { return R"jsonheal(@demo_yaml@)jsonheal"; }

} // namespace jsonheal::gateway
]])
