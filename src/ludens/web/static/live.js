// The live connection of a match: reconnects by itself and detects missed messages.
import { t } from "./texts.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
const FINAL_CODES = [4403, 4404, 4429];

/**
 * Follow a match. `onMessage(message, fresh)` gets every message in order; `fresh` is true for those that describe
 * the whole match again. `onState` gets "open", "lost" or the reason why reconnecting is impossible.
 */
export function follow(match, seat, onMessage, onState) {
  let socket = null;
  let last = 0;
  let wait = FIRST_WAIT;
  let offset = 0;
  let isBehind = false; // the whole state was requested and has not arrived yet

  function connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const query = seat ? `?seat=${encodeURIComponent(seat)}` : "";
    socket = new WebSocket(`${scheme}://${location.host}/live/${encodeURIComponent(match)}${query}`);
    socket.addEventListener("open", () => {
      wait = FIRST_WAIT;
      isBehind = false;
      onState("open");
    });
    socket.addEventListener("message", (event) => receive(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => {
      if (FINAL_CODES.includes(event.code)) {
        onState(event.reason || t("the server refuses the connection"));
        return;
      }
      onState("lost");
      setTimeout(connect, wait * (0.75 + Math.random() / 2));
      wait = Math.min(LONGEST_WAIT, wait * 2);
    });
  }

  function receive(envelope) {
    offset = envelope.now - Date.now() / 1000;
    if (!envelope.all) {
      if (envelope.n <= last) return;
      if (envelope.n > last + 1) {
        isBehind ||= send({ do: "all" });
        return;
      }
    }
    isBehind = false;
    last = envelope.n;
    for (const message of envelope.messages) onMessage(message, Boolean(envelope.all));
  }

  // False if there is no connection.
  function send(order) {
    const isOpen = socket !== null && socket.readyState === WebSocket.OPEN;
    if (isOpen) socket.send(JSON.stringify(order));
    return isOpen;
  }

  connect();
  return { send, serverTime: () => Date.now() / 1000 + offset };
}
