// The analysis of a game, shown part by part as the server computes it, for the Lab and the game pages.
import { barChart, lineChart, shown } from "./charts.js";
import { element, parsedSvg } from "./dom.js";
import { t, told } from "./texts.js";

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

function shownIn(picture, caption) {
  const shape = picture ?? element("p", { class: "soft" }, t("This cannot be drawn."));
  return element("figure", { class: "card" }, element("figcaption", {}, caption), scrolling(shape, caption));
}

function circuit(part) {
  const rows = [[t("roles"), part.roles.join(", ")], [t("backend"), part.backend]];
  for (const [key, name] of [["fluents", t("fluents")], ["moves", t("moves")], ["gates", t("gates")], ["operations", t("operations a turn")]]) {
    if (part[key] !== undefined) rows.push([name, shown(part[key])]);
  }
  const nodes = [numbers(rows)];
  if (part.facts) {
    const names = { simultaneous: t("simultaneous moves"), alternating: t("alternating turns"), chance: t("chance"), hidden: t("hidden information"), zero_sum: t("constant sum"), role_symmetry: t("symmetric roles") };
    const body = element("tbody");
    for (const [name, { answer, reason }] of Object.entries(part.facts)) body.append(element("tr", {}, element("th", { scope: "row" }, names[name] ?? name), element("td", {}, t(answer)), element("td", { lang: "en" }, reason)));
    const head = element("thead", {}, element("tr", {}, ...[t("fact"), t("answer"), t("why")].map((title) => element("th", { scope: "col" }, title))));
    nodes.push(element("details", {}, element("summary", {}, t("Facts of the game")), scrolling(element("table", {}, head, body), t("Facts of the game"))));
  }
  if (part.stages) {
    const body = element("tbody");
    for (const [name, seconds, result] of part.stages) body.append(element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, `${(seconds * 1000).toFixed(1)} ms`), element("td", {}, result)));
    const head = element("thead", {}, element("tr", {}, ...[t("stage"), t("time"), t("result")].map((title) => element("th", { scope: "col" }, title))));
    nodes.push(element("details", {}, element("summary", {}, t("Compiler stages")), scrolling(element("table", {}, head, body), t("Compiler stages"))));
  }
  return nodes;
}

function playouts(part) {
  const nodes = [numbers([
    [t("playouts per second"), shown(part.playouts_per_second)],
    [t("matches counted"), shown(part.matches)],
    [t("mean turns"), shown(part.mean_length)],
    [t("mean choices"), shown(part.mean_choices)],
    ...(part.endless ? [[t("unfinished"), shown(part.endless)]] : []),
  ])];
  if (part.note) nodes.push(element("p", { class: "message" }, told(part.note)));
  const charts = element("div", { class: "charts" });
  for (const [role, goals] of Object.entries(part.goals)) {
    if (goals.length) charts.append(shownIn(barChart(goals, t("Goals of {role}", { role })), t("Goals of {role}: {mean} on average", { role, mean: shown(part.mean_goals[role]) })));
  }
  if (part.lengths.length) charts.append(shownIn(barChart(part.lengths, t("Length of matches"), ` ${t("turns")}`), t("Turns per match")));
  if (part.choices.length > 1) charts.append(shownIn(lineChart(part.choices, t("Choices by turn")), t("Legal moves by turn")));
  nodes.push(charts);
  return nodes;
}

function decomposition(part) {
  const how = part.subgames > 1 ? `, ${t("composed by {how}", { how: part.composition })}` : "";
  const nodes = [element("p", {}, element("strong", {}, t("{n} subgame|{n} subgames", { n: part.subgames })), how, ".")];
  for (const note of part.notes) nodes.push(element("p", { class: "soft", lang: "en" }, `${note[0].toUpperCase()}${note.slice(1)}.`));
  nodes.push(shownIn(parsedSvg(part.svg), t("Subgames with their fluents (left) and moves (right)")));
  return nodes;
}

function relations(part) {
  const legend = element("ul", { class: "legend" },
    element("li", { class: "phase-static" }, t("never changes")), element("li", { class: "phase-state" }, t("depends on the state")), element("li", { class: "phase-move" }, t("depends on the moves")), element("li", { class: "negated" }, t("dashed: under not")));
  return [legend, shownIn(parsedSvg(part.svg), t("Each relation stands above those it is derived from"))];
}

function checks(part) {
  const nodes = [element("p", {}, t("{finished} of {all} checked matches ended.", { finished: part.finished, all: part.playouts }))];
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
    place.replaceChildren(...(part.error ? [element("p", { class: "message" }, told(part.error))] : PARTS[part.part](part)));
    place.closest("[hidden]")?.removeAttribute("data-empty");
    place.removeAttribute("aria-busy");
  };
  try {
    const response = await request;
    if (response.ok) await readLines(response, take);
    else trouble = (await response.json()).error;
  } catch (error) {
    if (error.name === "AbortError") return true;
    trouble = t("The server cannot be reached: {reason}. Reload the page.", { reason: error.message });
    isAnswered = false;
  }
  for (const name of waiting) {
    const place = places.get(name);
    place.removeAttribute("aria-busy");
    const section = place.closest("section[data-optional]");
    if (!trouble && section) section.hidden = true;
    else place.replaceChildren(element("p", { class: "message" }, trouble ? told(trouble) : t("This could not be computed.")));
  }
  return isAnswered;
}
