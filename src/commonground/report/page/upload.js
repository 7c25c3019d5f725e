// The form for files to evaluate: which are chosen, and whether they are too large.

for (const input of document.querySelectorAll(".drop input")) {
  const chosen = input.closest(".drop").querySelector(".chosen");
  const empty = chosen.textContent;
  input.addEventListener("change", () => {
    chosen.textContent = [...input.files].map((file) => file.name).join(", ") || empty;
  });
  for (const [event, over] of [["dragenter", true], ["dragleave", false], ["drop", false]]) {
    input.addEventListener(event, () => input.closest(".drop").classList.toggle("over", over));
  }
}

for (const form of document.querySelectorAll("form[data-limit]")) form.addEventListener("submit", (event) => {
  const files = [...form.querySelectorAll("input[type=file]")].flatMap((input) => [...input.files]);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const notice = form.querySelector("[role=alert]");
  notice.hidden = size <= Number(form.dataset.limit);
  if (notice.hidden) {
    form.querySelector("button").textContent += " …";
    return;
  }
  event.preventDefault();
  const limit = (Number(form.dataset.limit) / 1e6).toFixed(0);
  notice.textContent = `These files have ${(size / 1e6).toFixed(1)} MB; at most ${limit} MB can be sent.`;
});
