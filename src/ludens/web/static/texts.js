// The texts of the page in the reader's language. Scripts write them in English; the catalogue has the other languages.

const language = document.documentElement.lang;
const { texts, messages } = language === "en" ? { texts: {}, messages: [] } : (await import(`/catalogue/${language}.js`)).default;
const patterns = messages.map(([pattern, translated]) => [new RegExp(pattern, "s"), translated]);

/** A text, with `{name}` replaced by values; of `one|several` the form that `n` needs. */
export function t(text, values = {}) {
  const forms = (texts[text] ?? text).split("|");
  const form = forms[values.n === 1 ? 0 : forms.length - 1];
  return form.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

/** A message that the server wrote in English. */
export function told(message) {
  for (const [pattern, translated] of patterns) {
    const found = pattern.exec(message);
    let place = 0;
    if (found) return translated.replace(/\{\}/g, () => told(found[++place] ?? ""));
  }
  return message;
}

/** A whole number, or one with a few digits, as the language writes it. */
export const figure = (number, options = {}) => number.toLocaleString(language, options);
