// Sends a record to the server and goes to its replay.
import { figure, t, told } from "./texts.js";

const form = document.getElementById("upload");
const trouble = document.getElementById("trouble");

function complain(text) {
  trouble.textContent = text;
  trouble.hidden = false;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  trouble.hidden = true;
  const [file] = form.querySelector("input").files;
  const most = Number(form.dataset.most);
  if (file.size > most) {
    complain(t("The record has {count} bytes; {most} are allowed.", { count: figure(file.size), most: figure(most) }));
    return;
  }
  try {
    const response = await fetch(form.dataset.target, { method: "POST", body: file, headers: { accept: "application/json" } });
    const answer = await response.json().catch(() => ({ error: t("The server's answer is invalid.") }));
    if (response.ok) location.assign(answer.address);
    else complain(told(answer.error));
  } catch (error) {
    complain(t("The record cannot be sent: {reason}", { reason: error.message }));
  }
});
