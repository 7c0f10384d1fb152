// The matches that this browser began: remembered with their links, listed, ended.

import { element, post, storage } from "./dom.js";
import { t } from "./texts.js";

const KEY = "ludens:matches";
const MOST = 50;

/** All matches, the latest first. */
export const known = () => storage.get(KEY, []);

/** The match with a name, if this browser began it. */
export const find = (name) => known().find((match) => match.match === name);

/** Begin a match, remember its links and go to the first seat. */
export async function begin(wanted) {
  const pictures = postponePictures();
  const match = await post("/play", wanted).catch((error) => {
    for (const [image, source] of pictures) image.src = source;
    throw error;
  });
  storage.set(KEY, [{ ...match, created: new Date().toISOString() }, ...known().slice(0, MOST - 1)]);
  location.assign(match.seats.length > 0 ? match.seats[0].path : match.watch);
}

/** Browsers have six connections to a server, and pictures that are still being drawn may hold all of them. */
function postponePictures() {
  const pictures = [...document.images].filter((image) => !image.complete).map((image) => [image, image.src]);
  for (const [image] of pictures) image.removeAttribute("src");
  return pictures;
}

/** Elements with `data-play` begin a match at once, against players that the server chooses. */
export function enableButtons(problem) {
  for (const button of document.querySelectorAll("[data-play]")) {
    button.addEventListener("click", async (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (button.getAttribute("aria-busy") === "true") return;
      button.setAttribute("aria-busy", "true");
      try {
        await begin({ game: button.dataset.play });
      } catch (error) {
        problem(error.message);
      } finally {
        button.removeAttribute("aria-busy");
      }
    });
  }
}

/** A list of the last matches; those that are running can be ended. */
export async function list(place, most = 10) {
  const matches = known().slice(0, most);
  const answer = await fetch("/watch", { headers: { accept: "application/json" } }).then((found) => found.json(), () => ({}));
  const running = new Set((answer.running ?? []).map((match) => match.match));
  place.replaceChildren(...matches.map((match) => item(match, running.has(match.match))));
  return matches.length;
}

function item(match, isRunning) {
  const end = element("button", { type: "button", class: "small", onclick: () => stop(match, end) }, t("End the match"));
  return element(
    "li",
    {},
    element("a", { href: match.seats[0]?.path ?? match.watch }, match.game),
    element("span", { class: "soft small" }, ` ${new Date(match.created).toLocaleString(document.documentElement.lang)} `),
    ...match.seats.slice(1).map((seat) => element("a", { class: "small", href: seat.path }, ` ${seat.role}`)),
    ...(isRunning ? [" ", end] : []),
  );
}

async function stop(match, button) {
  button.disabled = true;
  button.nextSibling?.remove(); // what went wrong the last time
  try {
    await post(`/watch/${match.match}/stop`, {}, match.owner);
    button.replaceWith(element("span", { class: "soft small" }, t("ended")));
  } catch (error) {
    button.disabled = false;
    button.after(element("span", { class: "small", role: "alert" }, ` ${error.message}`));
  }
}
