
// ---- terms in text -----------------------------------------------------------------------------------------------

namespace ludens::@NAMESPACE@ {

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

}  // namespace

}  // namespace ludens::@NAMESPACE@
