// The page of a match, for a person at a seat and for spectators.

import { Board } from "./board.js";
import { byId, element, post } from "./dom.js";
import { follow } from "./live.js";
import { find } from "./matches.js";
import { Premove } from "./premove.js";
import { Setups } from "./setups.js";
import { families, slider } from "./slider.js";
import * as sound from "./sound.js";
import { figure, t, told } from "./texts.js";
import { showThinking, valuesOnSpots } from "./thinking.js";

const MOST_LISTED = 300;
const page = byId("match").dataset;
const isSeat = page.seat !== "";
const mine = find(page.match);
const state = { request: null, ended: false, toMove: [], names: {}, seats: [], sent: false, deadline: null, advised: false, isSeated: false };
const searches = new Map();

const board = new Board(byId("board"), (moves, more) => (moves.length === 1 && !more ? play(moves[0]) : offer(moves, more)));
const premove = new Premove(board, (path) => note(path.length > 0 ? t("Premove: {spots}", { spots: path.map(spotName).join(" → ") }) : "", "", false));
const setups = new Setups(JSON.parse(page.setups || "[]"));
board.isOpen = mayPremove;
board.onIdleClick = (name) => premove.click(name);
const live = follow(page.match, page.seat, receive, connected);

// Roles are called as they are drawn.
const nameOf = (role) => state.names[role] ?? role;

function connected(how) {
  byId("connection").textContent = how === "open" ? "" : how === "lost" ? t("Connection lost; reconnecting …") : told(how);
  if (how === "open" || state.ended) return;
  state.request = null; // the server repeats its question after a reconnect
  closeChoice();
  showMoves();
  showStatus();
}

function receive(message, fresh) {
  switch (message.kind) {
    case "seats":
      state.seats = message.seats;
      showSeats();
      break;
    case "position":
      state.toMove = message.to_move;
      if (JSON.stringify(state.names) !== JSON.stringify(message.names)) {
        state.names = message.names;
        if (isSeat) byId("who").querySelector("strong").textContent = nameOf(page.role);
        showSeats();
      }
      showMaterial(message.material);
      state.request = null;
      state.sent = false;
      if (state.advised) note(""); // the hint was for the previous position
      searches.clear();
      board.show(message.svg);
      premove.mark();
      if (!message.svg) byId("board").replaceChildren(element("pre", { class: "card" }, told(message.text)));
      byId("words").textContent = told(message.text);
      showHistory(message.history);
      closeChoice();
      showThinkingPanel();
      showMoves();
      byId("flip").hidden = !board.canFlip;
      if (isSeat && !state.isSeated) board.turnTowards(nameOf(page.role));
      state.isSeated = true;
      if (!fresh) sound.play("move");
      break;
    case "asked":
      state.request = message;
      state.sent = false;
      state.deadline = message.due === null ? null : message.at + message.due;
      board.ask(message.moves);
      showMoves();
      if (!fresh) sound.play("mine");
      playAhead(message.moves);
      break;
    case "thinking":
      searches.set(message.role, message);
      showThinkingPanel();
      break;
    case "hint":
      showHint(message);
      break;
    case "note":
      state.sent = false;
      note(told(message.text));
      if (state.request) {
        board.ask(state.request.moves);
        showMoves();
      }
      break;
    case "wish":
      showWish(message);
      break;
    case "rematch":
      if (message.by === page.role) location.assign(message.path);
      else byId("afterwards").append(element("a", { class: "button primary", href: message.path }, t("Rematch with {role}", { role: nameOf(message.by) })));
      break;
    case "record":
      showRecord(message.name);
      break;
    case "ended":
      state.ended = true;
      if (!fresh) sound.play("end");
      state.request = null;
      showEnd(message, fresh);
      showMoves();
      break;
  }
  showStatus(message);
}

// Actions of the person

/** A move that was chosen before the question came: of a set-up, or a premove. */
function playAhead(moves) {
  const move = setups.next(moves) ?? premove.take(moves);
  if (move) play(move);
}

/** True while the opponent thinks, in games of two with clocks. */
function mayPremove() {
  const own = state.seats.find((seat) => seat.role === page.role);
  return isSeat && !state.ended && state.isSeated && state.seats.length === 2 && Boolean(own?.awaited);
}

function spotName(name) {
  return name.split(":").slice(1).join("") || name;
}

function play(move) {
  if (!state.request || state.sent) return;
  setups.close();
  state.sent = true;
  closeChoice();
  note("");
  live.send({ do: "move", question: state.request.question, move: move.move });
  showMoves();
  showStatus();
}

function wish(what) {
  if (!state.request) return;
  note(what === "hint" ? t("Asking for a hint …") : "");
  state.advised = what === "hint";
  live.send({ do: what, question: state.request.question });
}

function offer(moves, more) {
  const buttons = moves.map((move) => element("button", { type: "button", onclick: () => play(move) }, move.label));
  const cancel = element("button", { type: "button", onclick: () => { closeChoice(); if (!more) board.reset(); } }, more ? t("Go on") : t("Cancel"));
  byId("choice").replaceChildren(element("p", {}, moves.length > 1 ? t("Which move?") : t("Play this move?")), ...buttons, cancel);
  byId("choice").hidden = false;
  buttons[0].focus();
}

function closeChoice() {
  byId("choice").hidden = true;
}

if (isSeat) {
  byId("hint").addEventListener("click", () => wish("hint"));
  byId("undo").addEventListener("click", () => wish("undo"));
  byId("resign").addEventListener("click", () => {
    if (state.ended || !confirm(t("Resign, and lose the match?"))) return;
    if (!live.send({ do: "resign" })) note(t("No connection; try again when it is back."));
  });
  byId("filter").addEventListener("input", showMoves);
}
byId("flip").addEventListener("click", () => board.flip());
byId("sound").checked = sound.isOn();
byId("sound").addEventListener("change", (event) => sound.turn(event.target.checked));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !byId("choice").hidden) {
    closeChoice();
    board.reset();
  }
  if (event.key === "Escape") premove.cancel();
});
setInterval(() => state.deadline !== null && state.request && showStatus(), 500);

// Display

function showStatus() {
  const status = byId("status");
  status.classList.toggle("yours", Boolean(state.request) && !state.sent);
  if (state.ended) return;
  if (state.request && !state.sent) {
    const left = state.deadline === null ? null : Math.max(0, Math.ceil(state.deadline - live.serverTime()));
    setText(status, left === null ? t("Your move") : t("Your move: {seconds} s left", { seconds: left }));
  } else if (state.toMove.length > 0) {
    setText(status, t("To move: {roles}", { roles: state.toMove.map(nameOf).join(", ") }));
  } else if (byId("board").firstChild) {
    setText(status, isSeat ? t("Waiting for the other roles") : t("Running"));
  } else {
    const missing = state.seats.filter((seat) => seat.awaited && !seat.here).map((seat) => seat.role);
    setText(status, missing.length > 0 ? t("Waiting for {roles}", { roles: missing.join(", ") }) : t("Preparing the game …"));
  }
}

function setText(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

function showSeats() {
  const items = state.seats.map((seat) => {
    const here = seat.human ? (seat.here ? "here" : "away") : "computer";
    const you = isSeat && seat.role === page.role ? ` (${t("you")})` : "";
    const words = { here: t("here"), away: t("away"), computer: t("computer") };
    return element("li", { class: "seat" }, element("span", { class: `dot ${here}`, role: "img", "aria-label": words[here] }), element("strong", {}, nameOf(seat.role)), ` ${seat.human ? t("person") : seat.player}${you}`);
  });
  byId("seats").replaceChildren(...items);
  showInvitations();
}

function showInvitations() {
  const place = byId("invite");
  const others = (mine?.seats ?? []).filter((seat) => seat.role !== page.role && !state.seats.find((found) => found.role === seat.role)?.here);
  place.hidden = others.length === 0 || state.ended;
  place.replaceChildren(
    element("p", { class: "small" }, t("Send these links to the other people:")),
    ...others.map((seat) => {
      const address = location.origin + seat.path;
      const copy = element("button", { type: "button", onclick: () => copyText(address, copy) }, t("Copy"));
      return element("p", { class: "invitation" }, element("a", { href: seat.path, class: "seat-link" }, t("Seat of {role}", { role: nameOf(seat.role) })), " ", copy);
    }),
  );
}

async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = t("Copied");
  } catch {
    prompt(t("Copy this link:"), text); // browsers deny the clipboard to pages without https
  }
}

function showMoves() {
  if (!isSeat) return;
  const request = state.sent ? null : state.request;
  byId("hint").disabled = !request;
  byId("undo").disabled = !request?.undo;
  byId("resign").disabled = state.ended;
  byId("moves-panel").hidden = !request;
  const ready = request ? setups.buttons(request.moves, () => playAhead(request.moves)) : [];
  byId("setups").hidden = ready.length === 0;
  byId("setups").replaceChildren(element("span", {}, t("Ready set-ups:")), ...ready);
  if (!request) {
    board.ask([]);
    return;
  }
  const filter = byId("filter");
  const { grouped, others } = families(request.moves);
  filter.hidden = others.length < 12;
  const wanted = filter.hidden ? "" : filter.value.trim().toLowerCase();
  const listed = others.filter((move) => move.label.toLowerCase().includes(wanted));
  const items = listed.slice(0, MOST_LISTED).map((move) => element("li", {}, element("button", { type: "button", "data-move": move.move, onclick: () => play(move) }, move.label)));
  if (listed.length > MOST_LISTED) items.push(element("li", { class: "soft" }, t("… {n} more: type to filter", { n: listed.length - MOST_LISTED })));
  byId("moves").replaceChildren(...items, ...grouped.map((family) => slider(family, play)));
}

function showHistory({ keep, add }) {
  const list = byId("history");
  const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 30;
  while (list.children.length > keep) list.lastChild.remove();
  for (const entry of add) {
    if (entry.moves.some(([role]) => role === page.role)) setups.close(); // the page may have been loaded in between
    const moves = entry.moves.map(([role, move]) => element("span", { class: "turn-move" }, element("b", {}, nameOf(role)), ` ${move}`));
    const percepts = (entry.percepts ?? []).map((percept) => element("span", { class: "percept" }, told(percept)));
    const errors = (entry.errors ?? []).map((error) => element("span", { class: "percept" }, told(error)));
    const parts = [...moves, ...percepts, ...errors];
    list.append(element("li", { value: entry.turn }, ...(parts.length > 0 ? parts : [element("span", { class: "soft" }, "·")])));
  }
  if (atEnd || add.length > 1) list.scrollTop = list.scrollHeight;
}

// Pieces that were taken, and who has more, where pieces have values.
function showMaterial(material) {
  const place = byId("material");
  place.hidden = !(material ?? []).some((one) => one.lost.length > 0);
  const lines = (material ?? []).filter((one) => one.lost.length > 0 || one.lead > 0).map((one) => {
    const lost = one.lost.map(([kind, count]) => (count > 1 ? `${kind} × ${count}` : kind)).join(", ");
    return element("p", {}, element("b", {}, one.name), lost ? ` ${t("lost:")} ${lost}` : "", one.lead > 0 ? ` (+${one.lead})` : "");
  });
  place.replaceChildren(...lines);
}

function showThinkingPanel() {
  if (isSeat) return;
  byId("thinking-panel").hidden = searches.size === 0;
  byId("thinking").replaceChildren(...[...searches.values()].map(showThinking));
  board.bars(valuesOnSpots(searches.values()));
}

function showHint(hint) {
  if (hint.question !== state.request?.question) return;
  const facts = [hint.value === null ? "" : t("expects {value}", { value: hint.value }), hint.iterations ? t("{count} playouts", { count: figure(hint.iterations) }) : ""];
  note(t("Perhaps {move}", { move: hint.label }), facts.filter(Boolean).join(", "));
  state.advised = true;
  board.hint(hint.spots);
}

function showWish({ from, wish }) {
  const decide = (agrees) => () => {
    live.send({ do: "decide", wish, agrees });
    note("");
  };
  note(t("{role} would like to take back a move.", { role: nameOf(from) }));
  byId("note").append(
    " ",
    element("button", { type: "button", onclick: decide(true) }, t("Agree")),
    " ",
    element("button", { type: "button", onclick: decide(false) }, t("Disagree")),
  );
}

function showEnd(end) {
  closeChoice();
  premove.cancel();
  const status = byId("status");
  const goals = Object.entries(end.goals ?? {}).map(([role, goal]) => `${nameOf(role)} ${goal}`).join(", ");
  const cause = end.cause ? `${end.cause[0].toUpperCase()}${end.cause.slice(1)}.` : "";
  const why = { terminal: cause, forfeit: t("{role} gave up.", { role: nameOf(end.forfeited) }), stopped: t("The match was stopped."), limit: t("The match reached its turn limit.") }[end.reason] ?? "";
  if (end.reason === "failed") setText(status, t("The match cannot be played: {reason}", { reason: told(end.message) }));
  else setText(status, [outcome(end), why, goals].filter(Boolean).join(" "));
  status.classList.add("over");
  byId("owner-actions").replaceChildren();
  if (isSeat) byId("actions").hidden = true;
  if (!byId("again")) byId("afterwards").prepend(element("a", { class: "button primary", href: page.again, id: "again" }, isSeat ? t("Play again") : t("Start a match")));
  if (isSeat && end.reason !== "failed" && !byId("rematch")) {
    const rematch = element("button", { type: "button", id: "rematch", class: "primary", onclick: () => live.send({ do: "rematch" }) }, t("Rematch"));
    byId("afterwards").prepend(rematch);
  }
  byId("afterwards").hidden = false;
}

function outcome(end) {
  if (!isSeat || !end.finished) return end.finished ? t("The match is over.") : "";
  const goal = end.goals[page.role];
  const best = Math.max(...Object.values(end.goals));
  const alone = Object.values(end.goals).filter((goal) => goal === best).length === 1;
  if (Object.keys(end.goals).length === 1) return goal === 100 ? t("Solved!") : t("The match is over.");
  return goal === best ? (alone ? t("You have won!") : t("A draw.")) : t("You have lost.");
}

function showRecord(name) {
  if (byId("replay-link")) return;
  byId("afterwards").append(element("a", { class: "button", href: `/replay/record/${encodeURIComponent(name)}`, id: "replay-link" }, t("Replay")));
  byId("afterwards").hidden = false;
}

function note(text, more = "", scrolls = true) {
  state.advised = false;
  byId("note").replaceChildren(text, ...(more ? [" ", element("small", { class: "soft" }, more)] : []));
  byId("note").hidden = text === "";
  if (text !== "" && scrolls) byId("note").scrollIntoView({ block: "nearest" });
}

if (mine?.owner) {
  const stop = element("button", { type: "button", onclick: async () => { await post(`/watch/${page.match}/stop`, {}, mine.owner).catch((error) => note(error.message)); } }, t("Stop the match"));
  byId("owner-actions").append(" ", stop);
}
