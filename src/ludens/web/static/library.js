// Filters the shelf while typing; without this script the server filters.
import { t } from "./texts.js";

const form = document.getElementById("wishes");
const cards = [...document.querySelectorAll("#shelf > li")];
const count = document.getElementById("count");
const nothing = document.getElementById("nothing");

function fits(card, words, players, tag) {
  const own = Math.min(Number(card.dataset.players || 0), 4);
  return words.every((word) => card.dataset.words.includes(word))
    && (!players || own === players)
    && (!tag || card.dataset.tags.split("|").includes(tag));
}

function filter() {
  const words = form.q.value.toLowerCase().split(/\s+/).filter(Boolean);
  const players = Number(form.players.value || 0);
  const tag = form.tag.value;
  let shown = 0;
  for (const card of cards) {
    card.hidden = !fits(card, words, players, tag);
    shown += card.hidden ? 0 : 1;
  }
  count.textContent = t("{count} of {all} games", { count: shown, all: cards.length });
  nothing.hidden = shown > 0;
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
  history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
}

form.querySelector(".no-script").hidden = true;
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => { event.preventDefault(); filter(); });
