// The analysis of a game, shown part by part as the server computes it, for the Lab and the game pages.
import { barChart, lineChart, shown } from "./charts.js";
import { element, parsedSvg } from "./dom.js";

// Reads lines of JSON as they arrive and hands each to `take`.
export async function readLines(response, take) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = lines.pop();
    lines.filter(Boolean).forEach((line) => take(JSON.parse(line)));
    if (done) return;
  }
}

function numbers(rows) {
  const list = element("dl", { class: "numbers" });
  for (const [name, value] of rows) list.append(element("div", {}, element("dt", {}, name), element("dd", {}, value)));
  return list;
}

// A scrolling region for wide content, reachable by keyboard.
function scrolling(content, name) {
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name }, content);
}

function figure(picture, caption) {
  const shape = picture ?? element("p", { class: "soft" }, "This cannot be drawn.");
  return element("figure", { class: "card" }, element("figcaption", {}, caption), scrolling(shape, caption));
}

function circuit(part) {
  const rows = [["roles", part.roles.join(", ")], ["backend", part.backend]];
  for (const [key, name] of [["fluents", "fluents"], ["moves", "moves"], ["gates", "gates"], ["operations", "operations a turn"]]) {
    if (part[key] !== undefined) rows.push([name, shown(part[key])]);
  }
  const nodes = [numbers(rows)];
  if (part.facts) {
    const names = { simultaneous: "simultaneous moves", alternating: "alternating turns", chance: "chance", hidden: "hidden information", zero_sum: "constant sum", role_symmetry: "symmetric roles" };
    const body = element("tbody");
    for (const [name, { answer, reason }] of Object.entries(part.facts)) body.append(element("tr", {}, element("th", { scope: "row" }, names[name] ?? name), element("td", {}, answer), element("td", {}, reason)));
    const head = element("thead", {}, element("tr", {}, ...["fact", "answer", "why"].map((title) => element("th", { scope: "col" }, title))));
    nodes.push(element("details", {}, element("summary", {}, "Facts of the game"), scrolling(element("table", {}, head, body), "Facts")));
  }
  if (part.stages) {
    const body = element("tbody");
    for (const [name, seconds, result] of part.stages) body.append(element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, `${(seconds * 1000).toFixed(1)} ms`), element("td", {}, result)));
    const head = element("thead", {}, element("tr", {}, ...["stage", "time", "result"].map((title) => element("th", { scope: "col" }, title))));
    nodes.push(element("details", {}, element("summary", {}, "Compiler stages"), scrolling(element("table", {}, head, body), "Compiler stages")));
  }
  return nodes;
}

function playouts(part) {
  const nodes = [numbers([
    ["playouts per second", shown(part.playouts_per_second)],
    ["matches counted", shown(part.matches)],
    ["mean turns", shown(part.mean_length)],
    ["mean choices", shown(part.mean_choices)],
    ...(part.endless ? [["unfinished", shown(part.endless)]] : []),
  ])];
  if (part.note) nodes.push(element("p", { class: "message" }, part.note));
  const charts = element("div", { class: "charts" });
  for (const [role, goals] of Object.entries(part.goals)) {
    if (goals.length) charts.append(figure(barChart(goals, `Goals of ${role}`), `Goals of ${role}: ${shown(part.mean_goals[role])} on average`));
  }
  if (part.lengths.length) charts.append(figure(barChart(part.lengths, "Length of matches", " turns"), "Turns per match"));
  if (part.choices.length > 1) charts.append(figure(lineChart(part.choices, "Choices by turn"), "Legal moves by turn"));
  nodes.push(charts);
  return nodes;
}

function decomposition(part) {
  const how = part.subgames > 1 ? `, composed by ${part.composition}` : "";
  const nodes = [element("p", {}, element("strong", {}, `${part.subgames} subgame${part.subgames === 1 ? "" : "s"}`), how, ".")];
  for (const note of part.notes) nodes.push(element("p", { class: "soft" }, `${note[0].toUpperCase()}${note.slice(1)}.`));
  nodes.push(figure(parsedSvg(part.svg), "Subgames with their fluents (left) and moves (right)"));
  return nodes;
}

function relations(part) {
  const legend = element("ul", { class: "legend" },
    element("li", { class: "phase-static" }, "never changes"), element("li", { class: "phase-state" }, "depends on the state"), element("li", { class: "phase-move" }, "depends on the moves"), element("li", { class: "negated" }, "dashed: under not"));
  return [legend, figure(parsedSvg(part.svg), "Each relation stands above those it is derived from")];
}

function checks(part) {
  const nodes = [element("p", {}, `${part.finished} of ${part.playouts} checked matches ended.`)];
  if (part.problems.length) {
    const list = element("ul", { class: "problems" });
    for (const problem of part.problems) list.append(element("li", { class: problem.level }, element("strong", {}, problem.code), ` ${problem.message}`, problem.hint ? element("span", { class: "soft" }, ` ${problem.hint}`) : ""));
    nodes.push(list);
  }
  return nodes;
}

const PARTS = { circuit, playouts, decomposition, relations, checks };

// Fills every element with `data-part` below `root` as its part arrives, or with a message if it never does.
// Returns false if the server could not be reached; does nothing once the request is aborted.
export async function showExamination(root, request) {
  const places = new Map([...root.querySelectorAll("[data-part]")].map((place) => [place.dataset.part, place]));
  const waiting = new Set(places.keys());
  let trouble = "";
  let isAnswered = true;
  const take = (part) => {
    if (!part.part) { trouble = part.error ?? ""; return; }
    const place = places.get(part.part);
    if (!place) return;
    waiting.delete(part.part);
    place.replaceChildren(...(part.error ? [element("p", { class: "message" }, part.error)] : PARTS[part.part](part)));
    place.closest("[hidden]")?.removeAttribute("data-empty");
    place.removeAttribute("aria-busy");
  };
  try {
    const response = await request;
    if (response.ok) await readLines(response, take);
    else trouble = (await response.json()).error;
  } catch (error) {
    if (error.name === "AbortError") return true;
    trouble = `The server cannot be reached: ${error.message}`;
    isAnswered = false;
  }
  for (const name of waiting) {
    const place = places.get(name);
    place.removeAttribute("aria-busy");
    const section = place.closest("section[data-optional]");
    if (!trouble && section) section.hidden = true;
    else place.replaceChildren(element("p", { class: "message" }, trouble || "This could not be computed."));
  }
  return isAnswered;
}
