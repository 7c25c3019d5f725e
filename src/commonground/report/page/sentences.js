// All sentences of a chapter: searched by id and text, sorted by any number, a page at a time.

const PAGE = 25;

function browser(place, album, chapter) {
  const state = { found: [], shown: PAGE, scale: -1, direction: 1 };
  const lower = album.texts.map((text, at) => `${album.ids[at]} ${text}`.toLowerCase());
  const { box, input, count } = searchBox("Search", "words or an id", place.dataset.title);
  input.classList.add("sentences");
  const body = element("tbody");
  const more = element("button", "more", "Show more");
  more.type = "button";
  const scales = album.scales.filter((scale) => scale.listed);
  const heads = ["sentence", ...scales.map((scale) => scale.title)];
  const row = element("tr");
  const table = element("table", "plain", element("thead", "", row), body);
  table.setAttribute("aria-label", place.dataset.title);
  const sort = () => {
    const { scale, direction } = state;
    if (scale < 0) {
      state.found.sort((a, b) => direction * (a - b));
      return;
    }
    const { values } = scales[scale];
    state.found.sort((a, b) => {
      if (values[a] === null || values[b] === null) return (values[a] === null) - (values[b] === null);
      return direction * (values[a] - values[b]) || a - b;
    });
  };
  const show = () => {
    body.replaceChildren(...state.found.slice(0, state.shown).map((at) => line(album, scales, chapter, at)));
    const total = album.ids.length;
    count.textContent = state.found.length === total
      ? `${total} sentences` : `${state.found.length} of ${total} sentences`;
    more.hidden = state.found.length <= state.shown;
  };
  const search = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    state.found = lower.flatMap((text, at) => (words.every((w) => text.includes(w)) ? [at] : []));
    state.shown = PAGE;
    sort();
    show();
  };
  heads.forEach((title, at) => {
    const head = element("th", at ? "r" : "");
    head.scope = "col";
    row.append(head);
    const button = element("button", "", title);
    button.type = "button";
    head.append(button);
    head.setAttribute("aria-sort", at ? "none" : "ascending");
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const turned = before === "descending" || (before === "none" && !at) ? "ascending" : "descending";
      for (const each of row.cells) {
        each.setAttribute("aria-sort", each === head ? turned : "none");
      }
      state.scale = at - 1; // -1 is the order of the corpus
      state.direction = turned === "ascending" ? 1 : -1;
      sort();
      show();
    });
  });
  more.addEventListener("click", () => {
    state.shown += PAGE;
    show();
  });
  input.addEventListener("input", search);
  const frame = element("div", "scroll", table);
  frame.tabIndex = 0;
  frame.setAttribute("role", "region");
  frame.setAttribute("aria-label", place.dataset.title);
  place.replaceChildren(box, frame, more);
  search();
}

/** A row of the list; the id opens the sentence. */
function line(album, scales, chapter, at) {
  const button = element("button", "open id", album.ids[at]);
  button.type = "button";
  button.setAttribute("aria-haspopup", "dialog");
  button.addEventListener("click", () => {
    showExamples(`Sentence ${album.ids[at]}`, album, chapter, [[at]]);
  });
  const head = element("th", "text", button, element("bdi", "", album.texts[at]));
  head.scope = "row";
  const cells = scales.map((scale) => {
    const value = scale.values[at];
    return element("td", "r", value === null ? "–" : value.toFixed(scale.decimals));
  });
  return element("tr", "", head, ...cells);
}

unpacked("albums").then((data) => {
  for (const place of document.querySelectorAll(".browser")) {
    const chapter = Number(place.closest("[data-chapter]").dataset.chapter);
    browser(place, data.chapters[chapter], chapter);
  }
});

document.addEventListener("keydown", (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName);
  if (event.key !== "/" || typing || dialog.open || event.ctrlKey || event.metaKey) return;
  const input = document.querySelector("input.sentences");
  if (!input) return;
  event.preventDefault();
  input.focus();
});
