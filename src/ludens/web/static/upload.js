// Sends a record to the server and goes to its replay.
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
    complain(`The record has ${file.size.toLocaleString("en")} bytes; ${most.toLocaleString("en")} are allowed.`);
    return;
  }
  try {
    const response = await fetch(form.dataset.target, { method: "POST", body: file, headers: { accept: "application/json" } });
    const answer = await response.json().catch(() => ({ error: "The server's answer is invalid." }));
    if (response.ok) location.assign(answer.address);
    else complain(answer.error);
  } catch (error) {
    complain(`The record cannot be sent: ${error.message}`);
  }
});
