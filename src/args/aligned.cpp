// Arguments and the tool's JSON Schema.

#include <jsonheal/args.hpp>
#include <jsonheal/document.hpp>

namespace jsonheal {

std::vector<alignment> align_arguments(const arguments& a, const schema::program& program,
                                       const align_options& options) {
    std::vector<alignment> out;
    if (!a.ok()) { return out; }
    std::vector<std::string_view> objects = a.objects();
    if (!a.several()) { objects.assign(1, a.json()); }
    out.reserve(objects.size());
    for (const std::string_view json : objects) {
        out.push_back(align(document::parse(std::string(json)).value, program, options));
    }
    return out;
}

} // namespace jsonheal
