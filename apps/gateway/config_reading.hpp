/// @file config_reading.hpp
/// A configuration on its way from the file: values, and the lines that later checks have to name.
#pragma once

#include "config.hpp"
#include "yaml_value.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace jsonheal::gateway::detail {

/// The line that a value stands on; 0: it was not given.
using line_number = std::size_t;

struct upstream_entry : upstream_config {
    line_number line = 0, base_line = 0, script_line = 0;
    std::string script_path; ///< `builtin`, or a file
};

struct alias_entry : model_alias {
    line_number line = 0, upstream_line = 0;
};

struct key_entry : key_config {
    line_number line = 0, sha256_line = 0, key_line = 0;
    std::vector<line_number> model_lines;
};

struct listen_entry : listen_config {
    line_number address_line = 0;
    line_number certificate_line = 0, key_line = 0;
};

struct config_entries {
    listen_entry listen;
    limits_config limits;
    std::vector<upstream_entry> upstreams;
    std::vector<alias_entry> models;
    std::vector<key_entry> keys;
    healing_config healing;
    std::optional<redis_config> redis;
    log_config log;
    std::string ca_file;
    line_number ca_line = 0;
};

/// Reads the members of the file. Mistakes are kept by the source of `root`.
void read_entries(const yaml_value& root, config_entries& into);

/// What can only be seen with all values there: names that repeat, references to nothing, files that are not there. Loads scripts.
void check_entries(config_entries& entries, yaml_source& source);

} // namespace jsonheal::gateway::detail
