// The form for a new match: game, players of the seats, options and clocks.

import { byId, element, post } from "./dom.js";
import * as matches from "./matches.js";
import { t } from "./texts.js";

const form = byId("setup");
const HUMAN = "human";
let players = [];
let facts = null;
let requests = 0;

function gameName() {
  const option = byId("game").selectedOptions[0];
  if (option.value === form.dataset.own) return byId("own-name").value;
  const parameters = byId("parameters-field").hidden ? "" : byId("parameters").value.trim();
  const written = byId("form-field").hidden ? "" : byId("form").value;
  const isDefault = written === "" || written === option.dataset.form;
  return option.value + (parameters ? `:${parameters}` : "") + (isDefault ? "" : `@${written}`);
}

function wantedGame() {
  const isOwn = byId("game").value === form.dataset.own;
  return isOwn ? { game: gameName(), rules: byId("own-rules").value } : { game: gameName() };
}

function showGameFields() {
  const option = byId("game").selectedOptions[0];
  const isOwn = option.value === form.dataset.own;
  byId("own-field").hidden = !isOwn;
  byId("parameters-field").hidden = isOwn || !option.dataset.parameters;
  byId("parameters-help").textContent = option.dataset.parameters ?? "";
  const choices = (option.dataset.choices ?? "").split(" ").filter(Boolean);
  byId("parameter-choices").replaceChildren(...choices.map((choice) => element("option", { value: choice })));
  byId("parameters").placeholder = choices[0] ?? "";
  const forms = (option.dataset.forms ?? "").split(" ").filter(Boolean);
  byId("form-field").hidden = isOwn || forms.length === 0;
  byId("form").replaceChildren(...forms.map((name) => element("option", { value: name, selected: name === option.dataset.form }, name === "gdl" ? "GDL" : "Python")));
}

function showChosen() {
  const option = byId("game").selectedOptions[0];
  const isOwn = option.value === form.dataset.own;
  byId("chosen").hidden = isOwn;
  if (isOwn) return;
  const address = `/library/${encodeURIComponent(gameName())}`;
  byId("chosen-picture").src = `${address}/picture.svg`;
  byId("chosen-rules").textContent = option.dataset.rules;
  byId("chosen-page").href = address;
}

async function describe() {
  const number = ++requests;
  byId("start").disabled = true;
  problem("");
  const wanted = wantedGame();
  if (wanted.rules === "") return;
  byId("seats").replaceChildren(element("p", { class: "soft" }, t("Reading the rules …")));
  try {
    const answer = await post("/play/game", wanted);
    if (number !== requests) return;
    facts = answer;
    showChosen();
    showSeats();
    byId("start").disabled = false;
  } catch (error) {
    if (number !== requests) return;
    byId("seats").replaceChildren();
    problem(error.message);
  }
}

function showSeats() {
  const seats = facts.roles.map((role, index) => seat(role, index === 0 && !("watching" in form.dataset) ? HUMAN : "auto", index));
  byId("seats").replaceChildren(...seats);
  byId("undo").checked = !facts.hidden;
}

function seat(role, chosen, index) {
  const options = [
    element("option", { value: HUMAN, selected: chosen === HUMAN }, t("A person")),
    ...players.map((player) => element("option", { value: player.name, selected: player.name === chosen }, player.name)),
  ];
  const choice = element("select", { id: `player-${index}`, class: "player" }, ...options);
  const clock = element("input", { id: `clock-${index}`, class: "clock", type: "number", min: "0.05", step: "any", max: "86400" });
  const about = element("p", { class: "soft small about" });
  const more = element("details", { class: "options" });
  const made = element(
    "div",
    { class: "seat-form card", "data-role": role },
    element("h3", {}, role),
    element("p", {}, element("label", { for: choice.id }, t("Player")), choice),
    element("p", {}, element("label", { for: clock.id }, t("Seconds per move")), clock),
    about,
    more,
  );
  const update = () => {
    const player = players.find((player) => player.name === choice.value);
    about.textContent = player ? t(player.description) : t("you, or anyone with the link of this seat");
    clock.value = player ? "1" : "";
    clock.placeholder = player ? "1" : t("no limit");
    showOptions(more, player, index);
  };
  choice.addEventListener("change", update);
  update();
  return made;
}

function showOptions(more, player, index) {
  more.hidden = !player || player.options.length === 0;
  more.replaceChildren(element("summary", {}, t("Options")), ...(player?.options ?? []).map((option) => optionField(option, index)));
}

function optionField(option, index) {
  const id = `option-${index}-${option.name}`;
  let input;
  if (option.choices.length > 0) {
    input = element("select", { id }, ...option.choices.map((choice) => element("option", { value: choice, selected: choice === option.default }, choice)));
  } else if (option.type === "bool") {
    input = element("input", { id, type: "checkbox", checked: option.default });
  } else {
    const step = option.type === "int" ? "1" : "any";
    input = element("input", { id, type: "number", step, value: option.default, min: option.minimum, max: option.maximum });
  }
  input.dataset.option = option.name;
  input.dataset.type = option.type;
  return element("p", { class: "option" }, element("label", { for: id }, option.name), input, element("small", { class: "soft" }, t(option.description)));
}

function optionValues(place) {
  const values = {};
  for (const input of place.querySelectorAll("[data-option]")) {
    const { option, type } = input.dataset;
    values[option] = type === "bool" ? input.checked : type === "str" ? input.value : Number(input.value);
  }
  return values;
}

function seatsFromForm() {
  const seats = {};
  for (const place of byId("seats").querySelectorAll(".seat-form")) {
    const player = place.querySelector(".player").value;
    const clock = place.querySelector(".clock").value;
    seats[place.dataset.role] = {
      player,
      clock: clock === "" ? (player === HUMAN ? null : 1) : Number(clock),
      ...(player === HUMAN ? {} : { options: optionValues(place) }),
    };
  }
  return seats;
}

async function start(event) {
  event.preventDefault();
  problem("");
  byId("start").disabled = true;
  const seed = byId("seed").value.trim();
  try {
    await matches.begin({
      ...wantedGame(),
      seats: seatsFromForm(),
      undo: byId("undo").checked,
      seed: seed === "" ? null : Number(seed),
    });
  } catch (error) {
    problem(error.message);
    showMine(); // some of them may have to be ended first
    byId("start").disabled = false;
  }
}

function problem(text) {
  byId("problem").textContent = text;
  byId("problem").hidden = text === "";
  if (text !== "") byId("problem").scrollIntoView({ block: "nearest" });
}

async function showMine() {
  byId("mine").hidden = (await matches.list(byId("my-matches"))) === 0;
}

async function begin() {
  const answer = await fetch("/play/players", { headers: { accept: "application/json" } });
  players = (await answer.json()).players;
  const wanted = form.dataset.wanted;
  const [name, parameters] = wanted.split("@")[0].split(/:(.*)/s);
  const isKnown = [...byId("game").options].some((option) => option.value === name);
  if (isKnown) byId("game").value = name;
  try {
    const rules = JSON.parse(sessionStorage.getItem("ludens:rules"));
    if (rules && name === form.dataset.own) [byId("own-name").value, byId("own-rules").value] = [rules.name, rules.text];
  } catch {
    // no rules came with the link
  }
  showGameFields();
  if (parameters) byId("parameters").value = parameters;
  if (wanted.includes("@") && !byId("form-field").hidden) byId("form").value = wanted.split("@")[1];
  await describe();
  if (!isKnown) problem(t("There is no game “{name}” in the library; choose another one.", { name }));
}

byId("game").addEventListener("change", () => {
  byId("parameters").value = "";
  showGameFields();
  describe();
});
byId("form").addEventListener("change", describe);
byId("parameters").addEventListener("change", describe);
byId("read-rules").addEventListener("click", describe);
form.addEventListener("submit", start);
begin()
  .catch((error) => problem(t("The server cannot be reached: {reason}. Reload the page.", { reason: error.message })))
  .then(showMine); // below the form, so only when the form has its height: nothing moves away from a click
