// The Lab: an editor that underlines what is wrong as you type, and views of what the rules mean.
import { byId as get, element, parsedSvg, post, storage } from "./dom.js";
import { showExamination } from "./examination.js";
import { highlighted } from "./gdl.js";
import { liveBoard } from "./lab_board.js";
import { figure, t } from "./texts.js";

const lab = get("lab");
const text = get("text");
const DRAFT = "ludens:lab";
const MOST = Number(lab.dataset.most);
const TYPING = 250;
const PAGE = crypto.getRandomValues(new Uint32Array(2)).join("-"); // tells apart pages behind one address
let problems = [];
let outline = null;
let isPlayable = false;
let examined = "";
let examining = new AbortController();
let drawn = "";
let checked = 0;
let waiting = 0;
const live = liveBoard(() => text.value, PAGE, (line) => jump({ line, start: lineStart(line), end: lineStart(line + 1) - 1 }));

function paint() {
  const lines = text.value.split("\n").length;
  get("layer").replaceChildren(isTooLong() ? text.value : highlighted(text.value, problems));
  get("lines").textContent = Array.from({ length: lines }, (_, number) => number + 1).join("\n");
  scroll();
}

const isTooLong = () => text.value.length > MOST;

function scroll() {
  const layer = get("layer").parentElement;
  [layer.scrollTop, layer.scrollLeft, get("lines").scrollTop] = [text.scrollTop, text.scrollLeft, text.scrollTop];
}

function typed() {
  problems = [];
  paint();
  storage.set(DRAFT, { name: get("name").value, text: text.value });
  clearTimeout(waiting);
  waiting = setTimeout(check, TYPING);
}

async function check() {
  const number = ++checked;
  const sheet = text.value;
  const tooLong = { error: t("The rules have {count} characters; {most} are allowed here.", { count: figure(sheet.length), most: figure(MOST) }) };
  const answer = isTooLong() ? tooLong : await post("/lab/check", { text: sheet, page: PAGE }).catch((error) => ({ error: error.message }));
  if (number !== checked || sheet !== text.value || answer.superseded) return;
  problems = answer.problems ?? [];
  outline = answer.outline ?? null;
  isPlayable = Boolean(answer.playable);
  get("play").disabled = get("set-up").disabled = !isPlayable;
  paint();
  showProblems(answer.error);
  showTree();
  if (isPlayable && selected() !== "tree") examine();
  if (isPlayable) live.refresh();
  else live.pause();
}

function showProblems(trouble) {
  const errors = problems.filter((problem) => problem.level === "error").length;
  const size = outline ? `${outline.dialect} · ${t("{n} rule|{n} rules", { n: outline.rules })}, ${t("{n} fact|{n} facts", { n: outline.facts })}, ${t("{n} relation|{n} relations", { n: outline.relations })} · ` : "";
  get("status").textContent = trouble ?? `${size}${t("{n} error|{n} errors", { n: errors })}, ${t("{n} warning|{n} warnings", { n: problems.length - errors })}`;
  get("status").classList.toggle("bad", errors > 0 || Boolean(trouble));
  get("problems").replaceChildren(...problems.map((problem) => {
    const place = problem.line === null ? "" : `${problem.line}:${problem.column}`;
    const button = element("button", { type: "button", class: "problem" }, element("span", { class: "place" }, place), element("span", {}, element("strong", {}, problem.level === "error" ? t("Error") : t("Warning")), ` ${problem.message}`, problem.hint ? element("span", { class: "soft hint" }, problem.hint) : ""), element("code", {}, problem.code));
    button.addEventListener("click", () => jump(problem));
    return element("li", { class: problem.level }, button);
  }));
}

function lineStart(line) {
  return text.value.split("\n").slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
}

function jump(problem) {
  text.focus();
  if (problem.start === null) return;
  text.setSelectionRange(problem.start, problem.end);
  const height = text.scrollHeight / text.value.split("\n").length;
  text.scrollTop = Math.max(0, (problem.line - 4) * height);
}

// The tree of the rule that the cursor is in.
async function showTree() {
  if (!outline || selected() !== "tree") return;
  const caret = text.selectionStart;
  const places = outline.places;
  let rule = places.findIndex(([start, end]) => start <= caret && caret <= end);
  if (rule < 0) rule = Math.max(0, places.findIndex(([start]) => start > caret));
  const key = places.length ? `${rule} ${text.value}` : "";
  if (key === drawn || !key) return;
  drawn = key;
  const answer = await post("/lab/tree", { text: text.value, rule, page: PAGE }).catch(() => ({}));
  const picture = answer.svg ? parsedSvg(answer.svg) : null;
  if (drawn === key && picture) get("tree").replaceChildren(picture);
}

async function examine() {
  if (!isPlayable || examined === text.value) return;
  examined = text.value;
  examining.abort(); // or its end would be mistaken for that of the newer one
  const { signal } = examining = new AbortController();
  for (const place of document.querySelectorAll("#examination [data-part]")) {
    place.setAttribute("aria-busy", "true");
    place.replaceChildren(element("p", { class: "waiting" }, t("Working …")));
  }
  const headers = { "content-type": "application/json", accept: "application/json" };
  const body = JSON.stringify({ text: text.value, page: PAGE });
  const isAnswered = await showExamination(get("examination"), fetch("/lab/examine", { method: "POST", headers, body, signal }));
  if (!isAnswered) examined = ""; // so that the next look retries
}

const tabs = [...document.querySelectorAll("[role=tab]")];
const selected = () => tabs.find((tab) => tab.getAttribute("aria-selected") === "true").id.slice(4);

function select(tab) {
  for (const other of tabs) {
    other.setAttribute("aria-selected", String(other === tab));
    other.tabIndex = other === tab ? 0 : -1;
    get(other.getAttribute("aria-controls")).hidden = other !== tab;
  }
  if (selected() === "tree") showTree();
  else if (isPlayable) examine();
  else for (const place of document.querySelectorAll("#examination [data-part]:empty")) place.replaceChildren(element("p", { class: "soft" }, t("Available once the rules have no errors.")));
}

tabs.forEach((tab, number) => {
  tab.addEventListener("click", () => select(tab));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = tabs[(number + step + tabs.length) % tabs.length];
    select(next);
    next.focus();
  });
});

// Tab leaves the editor, as everywhere; Ctrl+] and Ctrl+[ indent.
text.addEventListener("keydown", (event) => {
  if (!event.ctrlKey || (event.key !== "]" && event.key !== "[")) return;
  event.preventDefault();
  const [start, end] = [text.value.lastIndexOf("\n", text.selectionStart - 1) + 1, text.selectionEnd];
  const lines = text.value.slice(start, end);
  text.setRangeText(event.key === "]" ? lines.replace(/^/gm, "  ") : lines.replace(/^ {1,2}/gm, ""), start, end, "select");
  typed();
});
text.addEventListener("input", typed);
text.addEventListener("scroll", scroll);
let moved = 0;
document.addEventListener("selectionchange", () => {
  if (document.activeElement !== text) return;
  clearTimeout(moved);
  moved = setTimeout(showTree, TYPING);
});
get("example").addEventListener("change", (event) => { if (event.target.value) location.assign(event.target.value); });
get("save").addEventListener("click", () => {
  const link = element("a", { href: URL.createObjectURL(new Blob([text.value], { type: "text/plain" })), download: `${get("name").value || "rules"}.kif` });
  link.click();
  URL.revokeObjectURL(link.href);
});
/** Take the rules to another page. */
function take(path) {
  sessionStorage.setItem("ludens:rules", JSON.stringify({ name: get("name").value || "my_game", text: text.value }));
  location.assign(path);
}
get("play").addEventListener("click", () => take("/play?game=own"));
get("set-up").addEventListener("click", () => take("/lab/editor"));

const draft = storage.get(DRAFT, null);
const isFresh = "given" in lab.dataset || new URLSearchParams(location.search).has("fresh");
if (draft && !isFresh) [get("name").value, text.value] = [draft.name, draft.text];
paint();
check();
