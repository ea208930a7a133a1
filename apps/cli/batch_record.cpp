#include "batch_record.hpp"

#include "base64.hpp"

namespace jsonheal::cli {

namespace {

/// The fields that are kept as they are.
struct plain_field {
    std::string_view name;
    std::optional<value_view> batch_record::*slot;
};
constexpr plain_field plain_fields[] = {
    {"schema", &batch_record::schema}, {"tool", &batch_record::tool},
    {"tools", &batch_record::tools},   {"format", &batch_record::format},
    {"path", &batch_record::path},     {"open_reasoning", &batch_record::open_reasoning},
};

struct special_fields {
    std::optional<value_view> id, input, input_base64, fn;
};

void take_field(const member& m, special_fields& special, batch_record& record) {
    std::string scratch;
    const std::string_view key = m.key.string(scratch);
    if (key == "id") { special.id = m.value; }
    if (key == "input") { special.input = m.value; }
    if (key == "input_base64") { special.input_base64 = m.value; }
    if (key == "fn") { special.fn = m.value; }
    for (const plain_field& field : plain_fields) {
        if (key == field.name && !m.value.is(value_kind::null)) {
            record.*field.slot = m.value;
        } // null: not given
    }
}

std::string take_input(const special_fields& special, batch_record& record) {
    if (special.input && special.input_base64) {
        return "the record has both \"input\" and \"input_base64\"";
    }
    if (special.input) {
        if (!special.input->is(value_kind::string)) { return "\"input\" is not a string"; }
        record.input = special.input->string(record.input_storage);
        return {};
    }
    if (!special.input_base64) { return "the record has no \"input\""; }
    if (!special.input_base64->is(value_kind::string)) { return "\"input_base64\" is not a string"; }
    record.input_storage.clear();
    if (!decode_base64(special.input_base64->string(), record.input_storage)) {
        return "\"input_base64\" is not Base64";
    }
    record.input = record.input_storage;
    return {};
}

} // namespace

std::string read_record(std::string_view line, batch_record& record) {
    parse_result parsed = document::parse_borrowed(line);
    if (!parsed) {
        return "the line is not JSON: " + std::string(parsed.error->message) + " at byte " +
               std::to_string(parsed.error->offset);
    }
    record.line = std::move(parsed.value);
    const value_view root = record.line.root();
    if (!root.is(value_kind::object)) { return "the line is not a JSON object"; }
    special_fields special;
    for (const member m : root.members()) { take_field(m, special, record); }
    if (special.id) { record.id = special.id->source(); }
    if (special.fn) {
        if (!special.fn->is(value_kind::string)) { return "\"fn\" is not a string"; }
        record.fn = special.fn->string();
    }
    return take_input(special, record);
}

} // namespace jsonheal::cli
