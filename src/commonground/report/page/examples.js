// Examples: a sentence with its drawings, in a list that opens, or in the window a cell opens.

const dialog = document.getElementById("examples");

function element(name, className, ...content) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

/** A text in which a stretch is marked. */
function marked(text, stretch) {
  const shown = element("bdi", "said");
  if (!stretch) {
    shown.append(text);
    return shown;
  }
  const letters = [...text]; // counted as Python counts them
  const [first, last] = stretch;
  shown.append(
    letters.slice(0, first).join(""),
    element("mark", "", letters.slice(first, last).join("")),
    letters.slice(last).join(""),
  );
  return shown;
}

/** A word as shells read it back, whatever is in it. */
function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
}

/** A drawing, or the command that draws it. */
function drawn(svg, album, sentence, picture) {
  const name = album.pictures[picture];
  const figure = element("figure", "drawing");
  if (album.pictures.length > 1) figure.append(element("figcaption", "", element("bdi", "", name)));
  if (!svg) {
    const command = (album.commands[picture] ?? "").replace("{}", () => quoted(album.ids[sentence]));
    const how = command ? " This command draws it:" : "";
    figure.append(element("p", "note", `There is no drawing of it in this file.${how}`));
    if (command) figure.append(copyable(command));
    return figure;
  }
  // Parsed apart and moved over: nothing in it is run, and the policy of the page forbids it too.
  const parsed = new DOMParser().parseFromString(svg, "text/html").body.firstElementChild;
  const frame = element("div", "scroll");
  frame.tabIndex = 0;
  frame.setAttribute("role", "group");
  frame.setAttribute("aria-label", `${name}: ${album.ids[sentence]}`);
  frame.append(document.importNode(parsed, true));
  figure.append(frame);
  return figure;
}

/** The numbers of a sentence. */
function numbers(album, sentence) {
  const list = element("dl", "numbers");
  for (const scale of album.scales) {
    const value = scale.values[sentence];
    const text = value === null ? "–" : value.toFixed(scale.decimals);
    list.append(element("div", "", element("dt", "", scale.title), element("dd", "", text)));
  }
  return list;
}

/** Fill an example that is opened for the first time. */
async function fill(details, chapter, sentence, pictures) {
  if (details.dataset.filled) return;
  details.dataset.filled = "yes";
  const [data, drawings] = await Promise.all([unpacked("albums"), unpacked("drawings")]);
  const album = data.chapters[chapter];
  const wanted = pictures.length ? pictures : album.pictures.map((_, picture) => picture);
  details.append(
    numbers(album, sentence),
    ...wanted.map((p) => drawn(drawings[`${chapter}.${sentence}.${p}`], album, sentence, p)),
  );
}

function exampleOf(album, chapter, [sentence, pictures = [], word = 0, remark = ""]) {
  const summary = element("summary", "", element("span", "id", album.ids[sentence]));
  if (remark) summary.append(" ", element("span", "remark", remark));
  summary.append(marked(album.texts[sentence], word));
  const details = element("details", "", summary);
  details.addEventListener("toggle", () => fill(details, chapter, sentence, pictures));
  return details;
}

/** Show examples in the window, the first of them open. */
function showExamples(title, album, chapter, examples) {
  document.getElementById("examples-title").textContent = title;
  const list = examples.map((example) => exampleOf(album, chapter, example));
  document.getElementById("examples-list").replaceChildren(...list);
  dialog.showModal();
  if (list.length) list[0].open = true;
}

unpacked("albums").then((data) => {
  for (const button of document.querySelectorAll("[data-open]")) {
    button.type = "button";
    button.title = data.openings[button.dataset.open].title;
    button.setAttribute("aria-haspopup", "dialog");
  }
});

document.addEventListener("click", async (event) => {
  const number = event.target.closest("[data-open]")?.dataset.open;
  if (number === undefined) return;
  const data = await unpacked("albums");
  const { title, chapter, examples } = data.openings[number];
  showExamples(title, data.chapters[chapter], chapter, examples);
});

for (const list of document.querySelectorAll(".examples")) {
  const button = element("button", "more", "Open all");
  button.type = "button";
  button.addEventListener("click", () => {
    const open = button.textContent === "Open all";
    list.querySelectorAll("details").forEach((details) => (details.open = open));
    button.textContent = open ? "Close all" : "Open all";
  });
  list.after(button);
}

for (const details of document.querySelectorAll(".examples details")) {
  const chapter = Number(details.closest("[data-chapter]").dataset.chapter);
  const pictures = details.dataset.pictures.split(",").filter(Boolean).map(Number);
  details.addEventListener("toggle", () => {
    fill(details, chapter, Number(details.dataset.sentence), pictures);
  });
}

document.getElementById("examples-close").addEventListener("click", () => dialog.close());
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close(); // beside the window
});
