
// ---- terms in text -----------------------------------------------------------------------------------------------

namespace {

// Reads KIF terms.
struct Expression {
    std::string name;  // empty for a compound term
    std::vector<Expression> parts;  // the functor first
    bool unknown() const { return !name.empty() && name[0] == '?'; }
};

class Reader {
public:
    explicit Reader(std::string_view text) : text_(text) {}
    Expression whole() {
        Expression found = one(0);
        skip();
        if (at_ != text_.size()) throw Error("not one term: " + std::string(text_));
        return found;
    }

private:
    void skip() {
        while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) != nullptr) ++at_;
    }
    Expression one(unsigned depth) {
        skip();
        if (depth > MAX_TERM_DEPTH || at_ == text_.size() || text_[at_] == ')')
            throw Error("not a term: " + std::string(text_));
        Expression found;
        if (text_[at_] != '(') {
            while (at_ < text_.size() && std::strchr(" \t\r\n()", text_[at_]) == nullptr) found.name += text_[at_++];
            return found;
        }
        ++at_;
        for (skip(); at_ < text_.size() && text_[at_] != ')'; skip()) found.parts.push_back(one(depth + 1));
        if (at_ == text_.size() || found.parts.empty() || found.parts[0].name.empty())
            throw Error("not a term: " + std::string(text_));
        ++at_;
        return found;
    }
    std::string_view text_;
    std::size_t at_ = 0;
};

char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

std::string lowered(std::string_view text) {
    std::string result(text);
    for (char& letter : result) letter = lower(letter);
    return result;
}

// Whether two terms are the same; names are compared case-insensitively.
bool same(const Expression& a, const Expression& b) {
    return lowered(a.name) == lowered(b.name) &&
           std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(), same);
}

std::string expression_text(const Expression& expression) {
    if (expression.parts.empty()) return expression.name;
    std::string out = "(";
    for (const Expression& part : expression.parts) out += (out.size() > 1 ? " " : "") + expression_text(part);
    return out + ")";
}

// The bindings of a query's unknowns.
using Bindings = std::vector<std::pair<std::string, const Expression*>>;

bool matches(const Expression& pattern, const Expression& term, Bindings& bindings) {
    if (pattern.unknown()) {
        for (const auto& [name, value] : bindings)
            if (name == pattern.name) return expression_text(*value) == expression_text(term);
        bindings.emplace_back(pattern.name, &term);
        return true;
    }
    if (pattern.parts.size() != term.parts.size() || lowered(pattern.name) != lowered(term.name)) return false;
    for (std::size_t n = 0; n < pattern.parts.size(); ++n)
        if (!matches(pattern.parts[n], term.parts[n], bindings)) return false;
    return true;
}

// The unknowns of a query, in the order in which they first appear.
std::vector<std::string> unknowns_in(const std::vector<Expression>& asked) {
    std::vector<std::string> found;
    auto collect = [&](const auto& self, const Expression& part) -> void {
        if (part.unknown() && std::find(found.begin(), found.end(), part.name) == found.end())
            found.push_back(part.name);
        for (const Expression& inner : part.parts) self(self, inner);
    };
    for (const Expression& part : asked) collect(collect, part);
    return found;
}

// The answers to a query, one for each term that fits.
class Answers {
public:
    explicit Answers(const std::vector<Expression>& asked) : asked_(asked), unknowns_(unknowns_in(asked)) {}
    void offer(std::initializer_list<const Expression*> terms) {
        if (terms.size() != asked_.size()) return;
        Bindings bindings;
        std::size_t place = 0;
        for (const Expression* term : terms)
            if (!matches(asked_[place++], *term, bindings)) return;
        std::vector<std::string> values;
        for (const std::string& unknown : unknowns_)
            for (const auto& [variable, value] : bindings)
                if (variable == unknown) values.push_back(expression_text(*value));
        found_.push_back(values);
    }
    std::vector<std::vector<std::string>> sorted() {
        std::sort(found_.begin(), found_.end());
        found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
        return found_;
    }

private:
    const std::vector<Expression>& asked_;
    std::vector<std::string> unknowns_;
    std::vector<std::vector<std::string>> found_;
};

}  // namespace
