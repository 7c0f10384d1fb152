// A recorded match: positions arrive one by one; a slider moves through them, a tree selects branches.
import { showBars } from "./bars.js";
import { svgElement } from "./charts.js";
import { byId as get, element, parsedSvg } from "./dom.js";
import { readLines } from "./examination.js";
import { Explorer } from "./explore.js";
import { Review } from "./review.js";
import { figure, t, told } from "./texts.js";
import { valuesOnSpots } from "./thinking.js";

const root = document.getElementById("replay");
const frames = new Map();
const children = new Map();
let start = null;
let line = [0];
let place = 0;
let timer = 0;
let isWhole = false;
const nameOf = (role) => start?.names[role] ?? role; // roles are called as they are drawn
const review = new Review(root.dataset.review, (id) => go(id));
const explorer = new Explorer(root.dataset.address, frames, addTried, (id) => go(id));

function lineTo(id) {
  const turns = [];
  for (let turn = id; turn !== null && turn !== undefined; turn = frames.get(turn)?.parent) turns.push(turn);
  return turns.reverse();
}

// The line through a turn to the end, always by the latest successor, as the match itself continued.
function lineThrough(id) {
  const turns = lineTo(id);
  const main = new Set(lineTo(start.last));
  for (let next = children.get(turns.at(-1)); next?.length; next = children.get(turns.at(-1))) {
    const own = next.filter((turn) => main.has(turn));
    turns.push((own.length ? own : next).at(-1));
  }
  return turns;
}

function show(target) {
  if (!frames.size) return; // nothing has arrived yet, or ever will
  place = Math.max(0, Math.min(target, line.length - 1));
  const id = line[place];
  const frame = frames.get(id);
  const board = get("board");
  const picture = frame.svg ? plain(parsedSvg(frame.svg)) : null;
  explorer.board.moves = [];
  board.replaceChildren(picture ?? element("p", { class: "message" }, frame.text));
  if (picture) showBars(picture, valuesOnSpots(Object.values(frame.thinking ?? {})));
  get("words").textContent = frame.text;
  get("turn").max = line.length - 1;
  get("turn").value = place;
  get("turn").setAttribute("aria-valuetext", t("turn {turn} of {all}", { turn: place, all: line.length - 1 }));
  get("number").textContent = `${place} / ${line.length - 1}`;
  for (const [button, off] of [["first", place === 0], ["back", place === 0], ["forth", place === line.length - 1], ["last", place === line.length - 1]]) get(button).disabled = off;
  showMoves(frame);
  showThinking(frame);
  review.point(id);
  if (explorer.here !== id || explorer.isTrying) explorer.arrive(id);
  for (const item of document.querySelectorAll("[data-turn]")) item.toggleAttribute("aria-current", Number(item.dataset.turn) === id);
  document.querySelector("#turns [aria-current]")?.scrollIntoView({ block: "nearest" });
  if (timer && place === line.length - 1 && isWhole) pause();
}

// A drawing without buttons: a recorded match has nothing to click.
function plain(picture) {
  picture?.setAttribute("role", "img");
  for (const spot of picture?.querySelectorAll("[data-spot]") ?? []) for (const name of ["role", "tabindex", "aria-label"]) spot.removeAttribute(name);
  return picture;
}

function showMoves(frame) {
  const nodes = [];
  if (frame.id === 0) nodes.push(element("p", { class: "soft" }, t("The first position.")));
  if (frame.isTried) nodes.push(element("p", { class: "soft" }, t("Not played in the match:")));
  for (const [role, text] of Object.entries(frame.texts ?? {})) {
    const seconds = frame.seconds?.[role];
    nodes.push(element("p", { class: "move" }, element("strong", {}, nameOf(role)), ` ${t("plays")} `, element("b", { class: "written", title: frame.moves[role] }, text), seconds === undefined ? "" : element("span", { class: "soft" }, ` ${t("after {seconds} s", { seconds: seconds.toFixed(1) })}`)));
  }
  nodes.push(...review.remarks(frame.id));
  for (const error of frame.errors ?? []) nodes.push(element("p", { class: "message" }, error));
  for (const message of start.messages.filter((message) => message.turn === frame.id + 1)) nodes.push(element("p", { class: "soft" }, `${message.from}: “${message.text}”`));
  if (frame.goals) nodes.push(element("p", { class: "result" }, t("The end: {goals}", { goals: Object.entries(frame.goals).map(([role, goal]) => `${nameOf(role)} ${goal}`).join(", ") })));
  get("moves").replaceChildren(...nodes);
}

// The thinking of the player who chose this move: a bar for each move it considered.
function showThinking(frame) {
  const nodes = [];
  for (const [role, thought] of Object.entries(frame.thinking ?? {})) {
    const numbers = [];
    if (thought.value !== undefined) numbers.push(t("expects {value}", { value: Math.round(thought.value) }));
    if (thought.iterations) numbers.push(t("{count} iterations", { count: figure(thought.iterations) }));
    if (thought.rate) numbers.push(t("{count} a second", { count: figure(thought.rate) }));
    if (thought.depth) numbers.push(t("depth {n}", { n: thought.depth }));
    if (numbers.length === 0 && !thought.note && !thought.moves.length && !thought.line?.length) continue; // a person
    const block = element("section", { class: "thought card" }, element("h2", {}, t("What {role} thought", { role: nameOf(role) })), element("p", { class: "soft" }, numbers.join(", ") || thought.note || ""));
    if (thought.moves.length) block.append(bars(thought.moves, frame.moves?.[role]));
    if (thought.line?.length) block.append(element("p", { class: "line" }, element("span", { class: "soft" }, `${t("Best line:")} `), element("span", { class: "written" }, thought.line.join("  "))));
    nodes.push(block);
  }
  get("thinking").replaceChildren(...nodes);
}

function bars(moves, chosen) {
  const list = element("ul", { class: "bars" });
  const most = Math.max(1, ...moves.map((one) => one.visits));
  for (const one of moves) {
    const share = one.value ?? 100 * one.visits / most;
    const bar = svgElement("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" });
    bar.append(svgElement("rect", { class: "rail", width: 100, height: 10 }), svgElement("rect", { class: "value", width: Math.max(0, Math.min(100, share)), height: 10 }));
    const item = element("li", {}, element("span", { class: "written", title: one.move }, one.text ?? one.move), bar, element("span", { class: "figure" }, one.value === null || one.value === undefined ? t("{n} visit|{n} visits", { n: one.visits }) : `${Math.round(one.value)}${one.visits ? ` · ${figure(one.visits)}` : ""}`));
    if (one.move === chosen) item.append(element("span", { class: "visually-hidden" }, ` (${t("played")})`));
    item.classList.toggle("played", one.move === chosen);
    list.append(item);
  }
  return list;
}

// A move that was tried: it is kept in the page as a branch.
function addTried(frame) {
  frames.set(frame.id, frame);
  children.set(frame.parent, [...(children.get(frame.parent) ?? []), frame.id]);
  showBranches();
}

function go(id) {
  line = lineThrough(id);
  show(line.indexOf(id));
}

function pause() {
  clearInterval(timer);
  timer = 0;
  get("play").textContent = t("Play");
}

function play() {
  if (timer) { pause(); return; }
  if (!frames.size) return;
  if (place === line.length - 1) show(0);
  timer = setInterval(() => show(place + 1), Number(get("speed").value));
  get("play").textContent = t("Pause");
}

function listTurn(frame) {
  const text = Object.entries(frame.texts).map(([role, text]) => `${nameOf(role)} ${text}`).join(", ");
  const button = element("button", { type: "button", class: "turn", "data-turn": frame.id }, `${frame.id}. ${text}`);
  button.addEventListener("click", () => go(frame.id));
  get("turns").append(element("li", {}, button));
}

// The tree: a row for each line of play, turns from left to right.
function showBranches() {
  const hasBranches = [...children.values()].some((turns) => turns.length > 1);
  get("branches").hidden = !hasBranches;
  if (!hasBranches) return;
  const rows = new Map([[0, 0]]);
  const depth = new Map([[0, 0]]);
  const main = new Set(lineTo(start.last));
  let lowest = 0;
  for (const id of [...frames.keys()].sort((a, b) => a - b).slice(1)) {
    const parent = frames.get(id).parent;
    const siblings = children.get(parent);
    const heir = siblings.find((turn) => main.has(turn)) ?? siblings[0];
    rows.set(id, id === heir ? rows.get(parent) : ++lowest);
    depth.set(id, depth.get(parent) + 1);
  }
  const step = 26, width = step * (Math.max(...depth.values()) + 2), height = step * (lowest + 2);
  const tree = svgElement("svg", { class: "branch-tree", viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": t("Branches of the match") });
  const x = (id) => step * (depth.get(id) + 1), y = (id) => step * (rows.get(id) + 1);
  for (const [id, frame] of frames) if (id) tree.append(svgElement("path", { class: "edge", d: `M${x(frame.parent)} ${y(frame.parent)}L${x(id)} ${y(id)}` }));
  for (const id of frames.keys()) {
    const node = svgElement("g", { class: main.has(id) ? "knot main" : frames.get(id).isTried ? "knot tried" : "knot", "data-turn": id, role: "button", tabindex: 0, "aria-label": id ? t("Turn {n}: {moves}", { n: id, moves: Object.values(frames.get(id).texts).join(", ") }) : t("First position") });
    node.append(svgElement("circle", { cx: x(id), cy: y(id), r: 8 }));
    node.addEventListener("click", () => go(id));
    node.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); event.stopPropagation(); go(id); } });
    tree.append(node);
  }
  get("branches").querySelector(".scroll").replaceChildren(tree);
}

function take(part) {
  if (part.part === "start") {
    start = part;
    const result = part.end ? ` · ${Object.values(part.end.goals).join(" : ")} (${t(part.end.reason)})` : ` · ${t("not over")}`;
    get("who").textContent = Object.entries(part.players).map(([role, player]) => `${nameOf(role)}: ${player.split(":")[0]}`).join(", ") + result;
    if (part.format && part.end) {
      const save = get("save-match");
      save.href = `${save.dataset.address}${part.format}`;
      save.textContent = t("Save the match ({format})", { format: part.format.toUpperCase() });
      save.hidden = false;
    }
    get("who").title = Object.entries(part.players).map(([role, player]) => `${role}: ${player}`).join("\n");
  } else if (part.part === "frame") {
    frames.set(part.id, part);
    if (part.id === 0) { show(0); return; }
    children.set(part.parent, [...(children.get(part.parent) ?? []), part.id]);
    listTurn(part);
    line = lineThrough(line[place]);
    get("turn").max = line.length - 1;
    get("number").textContent = `${place} / ${line.length - 1}`;
    get("forth").disabled = get("last").disabled = place === line.length - 1;
  } else if (part.part === "verdict") {
    const badge = get("verdict");
    isWhole = true;
    badge.textContent = part.ok ? t("verified") : t("differs from the rules");
    badge.classList.add(part.ok ? "good" : "bad");
    badge.title = part.ok ? t("Every move, draw and goal was recomputed from the rules") : "";
    complain([...part.differences, ...part.problems, ...(part.cut ? [t("Only the first turns are shown.")] : [])].join("\n"));
    line = lineThrough(line[place]);
    showBranches();
    show(place);
  } else if (part.error) {
    get("verdict").textContent = t("cannot be replayed");
    get("verdict").classList.add("bad");
    get("replay").classList.toggle("empty", get("board").childElementCount === 0);
    complain(told(part.error));
  }
}

function complain(text) {
  get("trouble").textContent = text;
  get("trouble").hidden = !text;
}

async function savePosition() {
  const picture = get("board").querySelector("svg").cloneNode(true);
  picture.querySelector("g.bars")?.remove();
  const style = svgElement("style", {}, await (await fetch("/static/drawing.css")).text());
  picture.prepend(style);
  const file = new Blob([new XMLSerializer().serializeToString(picture)], { type: "image/svg+xml" });
  const link = element("a", { href: URL.createObjectURL(file), download: `turn-${line[place]}.svg` });
  link.click();
  URL.revokeObjectURL(link.href);
}

const KEYS = {
  ArrowLeft: () => show(place - 1), ArrowRight: () => show(place + 1), Home: () => show(0), End: () => show(line.length - 1), " ": play,
};
document.addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input:not([type=range]), select, textarea");
  const isPressing = event.key === " " && event.target.closest("button, summary, a");
  if (isTyping || isPressing || event.ctrlKey || event.metaKey || event.altKey || !start || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
});
get("first").addEventListener("click", () => show(0));
get("back").addEventListener("click", () => show(place - 1));
get("forth").addEventListener("click", () => show(place + 1));
get("last").addEventListener("click", () => show(line.length - 1));
get("play").addEventListener("click", play);
get("turn").addEventListener("input", (event) => show(Number(event.target.value)));
get("speed").addEventListener("change", () => { if (timer) { pause(); play(); } });
get("save-svg").addEventListener("click", savePosition);
get("analyse").addEventListener("click", () => explorer.analyse());
get("try").addEventListener("click", () => explorer.turnTrying(!explorer.isTrying));
get("return").addEventListener("click", () => explorer.leave());
get("share").addEventListener("click", async () => {
  history.replaceState(null, "", explorer.link());
  try {
    await navigator.clipboard.writeText(explorer.link());
    explorer.say(t("The link is copied."));
  } catch {
    explorer.say(t("The link is in the address bar.")); // browsers deny the clipboard to pages without https
  }
});
get("start-review").addEventListener("click", () => review.begin(() => lineTo(start?.last ?? 0), () => show(place)));

try {
  const response = await fetch(root.dataset.source, { headers: { accept: "application/json" } });
  if (response.ok) await readLines(response, take);
  else take(await response.json());
} catch (error) {
  take({ error: t("The server cannot be reached: {reason}. Reload the page.", { reason: error.message }) });
}
if (isWhole) await explorer.follow();
if (!isWhole) take({ error: get("trouble").textContent || t("The record was cut off in transit. Reload the page.") });
