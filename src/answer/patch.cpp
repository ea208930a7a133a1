// Puts values at JSON Pointers into a value.

#include <jsonheal/answer.hpp>
#include <jsonheal/document.hpp>

#include <charconv>
#include <map>
#include <optional>
#include <unordered_map>

namespace jsonheal {

namespace {

/// A pointer's tokens as a tree: what is to be put where.
struct branch {
    std::map<std::string, std::size_t, std::less<>> next; // token → branch
    std::vector<std::string> order;                       // of the tokens
    std::optional<value_view> put;
    std::string pointer;
    bool used = false;
};

class patch {
public:
    patch() : branches_(1) {}

    /// False for a text that is no pointer.
    bool add(std::string_view pointer, value_view v) {
        std::size_t at = 0;
        std::size_t i = 0;
        while (i < pointer.size()) {
            if (pointer[i] != '/') { return false; }
            std::string token;
            for (++i; i < pointer.size() && pointer[i] != '/'; ++i) {
                if (pointer[i] != '~') {
                    token.push_back(pointer[i]);
                    continue;
                }
                if (i + 1 == pointer.size() || (pointer[i + 1] != '0' && pointer[i + 1] != '1')) {
                    return false;
                }
                token.push_back(pointer[++i] == '0' ? '~' : '/');
            }
            const auto found = branches_[at].next.find(token);
            if (found != branches_[at].next.end()) {
                at = found->second;
                continue;
            }
            branches_[at].next.emplace(token, branches_.size());
            branches_[at].order.push_back(std::move(token));
            at = branches_.size();
            branches_.emplace_back();
        }
        branches_[at].put = v;
        branches_[at].pointer = pointer;
        return true;
    }

    /// The value with everything put in; nothing if a pointer leads nowhere, which `astray` then is.
    [[nodiscard]] std::optional<document> apply(value_view root, std::string& astray);

private:
    struct open { // a container being written
        value_view value;
        std::size_t at;
        std::uint32_t child, end; // indices in the document
        std::size_t element = 0;
    };
    bool begin(value_view v, std::size_t at);
    void step();
    void end(const open& o);

    std::vector<branch> branches_;
    std::vector<open> stack_;
    document_builder out_;
};

/// Writes a value, or opens it if something inside it changes. False if a pointer goes into a scalar.
bool patch::begin(value_view v, std::size_t at) {
    branch& b = branches_[at];
    if (b.put) {
        b.used = true;
        out_.copy(*b.put);
        return b.next.empty();
    }
    if (!v.is(value_kind::object) && !v.is(value_kind::array)) { return false; }
    if (v.is(value_kind::object)) {
        out_.begin_object();
    } else {
        out_.begin_array();
    }
    stack_.push_back({v, at, v.index() + 1, v.end_index()});
    return true;
}

/// What was not found in a container is added at its end.
void patch::end(const open& o) {
    const bool object = o.value.is(value_kind::object);
    std::size_t element = o.element;
    for (const std::string& token : branches_[o.at].order) {
        branch& b = branches_[branches_[o.at].next.find(token)->second];
        if (b.used || !b.put || !b.next.empty()) { continue; }
        if (object) {
            out_.key(token).copy(*b.put);
        } else if (token == "-" || token == std::to_string(element)) {
            out_.copy(*b.put);
            ++element;
        } else {
            continue;
        }
        b.used = true;
    }
    if (object) {
        out_.end_object();
    } else {
        out_.end_array();
    }
}

std::optional<document> patch::apply(value_view root, std::string& astray) {
    const auto stray = [&] {
        for (const branch& b : branches_) {
            if (b.put && !b.used) {
                astray = b.pointer;
                return true;
            }
        }
        return false;
    };
    bool ok = begin(root, 0);
    while (ok && !stack_.empty()) {
        open& o = stack_.back();
        if (o.child == o.end) {
            const open done = o;
            stack_.pop_back();
            end(done);
            continue;
        }
        value_view child = root.with_index(o.child);
        std::string token;
        if (o.value.is(value_kind::object)) {
            token = child.string();
            out_.key_copy(child);
            child = root.with_index(o.child + 1);
        } else {
            token = std::to_string(o.element++);
        }
        o.child = child.end_index();
        const auto& next = branches_[o.at].next;
        const auto found = next.find(token);
        if (found == next.end()) {
            out_.copy(child);
        } else {
            branches_[found->second].used = true;
            ok = begin(child, found->second);
        }
    }
    if (stray()) { return std::nullopt; }
    return ok ? std::optional(out_.finish()) : std::nullopt;
}

bool is_pointer_map(value_view v) {
    if (!v.is(value_kind::object)) { return false; }
    for (const member m : v.members()) {
        const std::string key = m.key.string();
        if (!key.empty() && key.front() != '/') { return false; }
    }
    return v.size() != 0;
}

} // namespace

patched apply_patch(std::string_view json, std::string_view reply, const heal_options& options) {
    patched p;
    p.json = json;
    heal_options asked = options;
    asked.preset = preset::whole;
    p.reply = heal(std::string_view(reply), asked);
    if (!p.reply.ok()) {
        p.why = "the reply could not be used: " + std::string(p.reply.why.message);
        return p;
    }
    const parse_result base = document::parse_borrowed(json);
    const document given = document::parse(std::string(p.reply.json())).value;
    if (!is_pointer_map(given.root())) {
        p.ok = p.whole = true;
        p.json = p.reply.json();
        return p;
    }
    if (!base) {
        p.why = "the value to be patched is not JSON: " + std::string(base.error->message);
        return p;
    }
    patch changes;
    for (const member m : given.root().members()) {
        const std::string pointer = m.key.string();
        if (!changes.add(pointer, m.value)) {
            p.why = "\"" + pointer + "\" is not a JSON Pointer";
            return p;
        }
    }
    std::string astray;
    if (std::optional<document> made = changes.apply(base.value.root(), astray)) {
        p.ok = true;
        p.json = made->text();
    } else {
        p.why = "the pointer \"" + astray + "\" leads to no place in the value";
    }
    return p;
}

} // namespace jsonheal
