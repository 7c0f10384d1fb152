// Tokens of a rule sheet, as the server's highlighter classifies them, for text that changes with every key.
const KIF = /(?<comment>;[^\n]*)|(?<mark>[()])|(?<variable>\?[^\s();]*)|(?<word>[^\s();]+)/gu;
const INFIX = /(?<comment>%[^\n]*|\/\*[\s\S]*?(?:\*\/|$(?![\s\S])))|(?<arrow>:-|<=|:=|~|\\\+)|(?<variable>[?][\w+*\/^$!@-]+|[?]'[^'\n]*'|\b[A-Z_]\w*)|(?<text>'(?:[^'\\\n]|\\[^\n])*')|(?<word>[\w+*\/^$!@-]+)|(?<mark>[(),&;|.])/gu;
const LOGIC = new Set(["<=", "not", "or", "and", "distinct"]);
const RELATIONS = new Set(["role", "init", "true", "does", "next", "legal", "goal", "terminal", "base", "input", "sees", "random"]);

// True for KIF: the text begins with a parenthesis, ignoring comments and words on their own lines.
function isKif(text) {
  const start = text.replace(/^(?:\s+|[;%][^\n]*|\/\*[\s\S]*?\*\/|[\w+-]+[ \t]*(?=[\r\n;]))*/u, "");
  return start === "" || start.startsWith("(") || start.startsWith(")");
}

// [kind, start, end] for each token.
export function pieces(text) {
  const found = [];
  for (const match of text.matchAll(isKif(text) ? KIF : INFIX)) {
    let kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    const word = match[0].toLowerCase();
    if (kind === "arrow" || LOGIC.has(word)) kind = "logic";
    else if (kind === "word" && RELATIONS.has(word)) kind = "keyword";
    else if (kind === "word" || kind === "text") kind = /^\d+$/.test(word) ? "number" : "name";
    found.push([kind, match.index, match.index + match[0].length]);
  }
  return found;
}

// The text as nodes: tokens in spans of their class, with problems underlined.
export function highlighted(text, problems) {
  const cuts = new Set([0, text.length]);
  const words = pieces(text);
  for (const [, start, end] of words) cuts.add(start).add(end);
  const marked = problems.filter((problem) => problem.start !== null && problem.start < text.length);
  for (const problem of marked) cuts.add(problem.start).add(Math.min(Math.max(problem.end, problem.start + 1), text.length));
  const places = [...cuts].sort((a, b) => a - b);
  const fragment = document.createDocumentFragment();
  let word = 0;
  for (let number = 0; number + 1 < places.length; number += 1) {
    const [start, end] = [places[number], places[number + 1]];
    while (word < words.length && words[word][2] <= start) word += 1;
    const kind = word < words.length && words[word][1] <= start ? words[word][0] : "";
    const wrong = marked.filter((problem) => problem.start <= start && Math.max(problem.end, problem.start + 1) >= end);
    const level = wrong.some((problem) => problem.level === "error") ? " wrong" : wrong.length ? " odd" : "";
    const slice = text.slice(start, end);
    if (!kind && !level) { fragment.append(slice); continue; }
    const span = document.createElement("span");
    span.className = `${kind ? `gdl-${kind}` : ""}${level}`.trim();
    span.textContent = slice;
    fragment.append(span);
  }
  fragment.append("\n");
  return fragment;
}
