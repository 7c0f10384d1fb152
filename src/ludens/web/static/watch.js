// The list of matches: the creator of a match, or the administrator's token, can stop and delete it.

import { byId, element, post } from "./dom.js";
import { known } from "./matches.js";
import { t } from "./texts.js";

let admin = "";

function showActions() {
  const owned = new Map(known().map((match) => [match.match, match.owner]));
  for (const place of document.querySelectorAll(".manage")) {
    const token = admin || owned.get(place.dataset.match);
    place.hidden = !token;
    if (!token) continue;
    const over = ["over", "failed"].includes(place.dataset.status);
    const what = over ? "delete" : "stop";
    const button = element("button", { type: "button", onclick: () => act(place.dataset.match, what, token) }, over ? t("Delete") : t("Stop"));
    place.replaceChildren(button);
  }
}

async function act(match, what, token) {
  try {
    await post(`/watch/${match}/${what}`, {}, token);
    location.reload();
  } catch (error) {
    alert(error.message);
  }
}

for (const time of document.querySelectorAll("time")) time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang);
byId("admin").addEventListener("submit", (event) => {
  event.preventDefault();
  admin = byId("token").value.trim();
  showActions();
});
showActions();
