// Tables that are sorted by a click on a header, and filtered by what their rows say.

const COLLATOR = new Intl.Collator("en", { numeric: true });
const FILTERED = 9; // shorter tables are read at once
const SHOWN = 12; // rows of a long table, until the reader wants all

/** The number a cell shows, or NaN. */
function numberIn(text) {
  return /^[-−+]?[\d,]*\.?\d+$/.test(text) ? Number(text.replaceAll(",", "").replace("−", "-")) : NaN;
}

/** What a cell says, without the superscript and what stands below. */
function said(cell) {
  if (!cell.querySelector("sup, .below")) return cell.textContent.trim();
  const plain = cell.cloneNode(true);
  plain.querySelectorAll("sup, .below").forEach((each) => each.remove());
  return plain.textContent.trim();
}

/** Compare two cells; those without a value come last, whatever the direction. */
function compareTexts(one, other, direction) {
  const [a, b] = [one === "–" || one === "", other === "–" || other === ""];
  if (a || b) return a - b;
  const [x, y] = [numberIn(one), numberIn(other)];
  return direction * (Number.isNaN(x) || Number.isNaN(y) ? COLLATOR.compare(one, other) : x - y);
}

function sortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  heads.forEach((head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const first = head.classList.contains("r") ? "descending" : "ascending";
      const turned = before === "ascending" ? "descending" : "ascending";
      const order = before === "none" ? first : turned;
      heads.forEach((each) => each.setAttribute("aria-sort", each === head ? order : "none"));
      const direction = order === "ascending" ? 1 : -1;
      const keyed = [...body.rows].map((row) => [said(row.cells[place]), row]);
      keyed.sort(([a], [b]) => compareTexts(a, b, direction));
      body.append(...keyed.map(([, row]) => row));
      table.dispatchEvent(new Event("sorted"));
    });
  });
}

/** Return the test that a filter stands for: all its words, and conditions such as gold>50. */
function condition(query, titles) {
  const tests = query.toLowerCase().split(/\s+/).filter(Boolean).map((part) => {
    const [, name, sign, number] = part.match(/^([^<>]+)([<>])([\d.]+)$/) ?? [];
    const place = name ? titles.findIndex((title) => title.toLowerCase().startsWith(name)) : -1;
    if (place < 0) return (texts) => texts.some((text) => text.toLowerCase().includes(part));
    return (texts) => {
      const value = numberIn(texts[place]);
      return sign === ">" ? value > Number(number) : value < Number(number);
    };
  });
  return (texts) => tests.every((test) => test(texts));
}

function filterable(table) {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const titles = [...table.tHead.rows[0].cells].map((cell) => cell.textContent);
  const texts = new Map(rows.map((row) => [row, [...row.cells].map(said)]));
  const numeric = titles.find((_, place) => !Number.isNaN(numberIn(texts.get(rows[0])[place])));
  const { box, input, count } = searchBox(
    "Filter", numeric ? `words, or ${numeric.toLowerCase()}>50` : "words", table.closest("figure").querySelector("figcaption").textContent,
  );
  const more = document.createElement("button");
  more.type = "button";
  more.className = "more";
  more.textContent = `Show all ${rows.length} rows`;
  let all = rows.length <= SHOWN + 3; // a few more than that need no button
  const show = () => {
    const keep = condition(input.value, titles);
    let kept = 0;
    for (const row of body.rows) {
      row.hidden = !keep(texts.get(row));
      kept += !row.hidden;
      row.classList.toggle("cut", !all && kept > SHOWN);
    }
    count.textContent = input.value.trim() ? `${kept} of ${rows.length} rows` : `${rows.length} rows`;
    more.hidden = all || kept <= SHOWN;
  };
  more.addEventListener("click", () => {
    all = true;
    show();
  });
  input.addEventListener("input", show);
  table.addEventListener("sorted", show);
  show();
  table.closest(".scroll").before(box);
  table.closest(".scroll").after(more);
}

/** A labelled box to type into, with room for how much it finds. */
function searchBox(label, hint, what) {
  const box = document.createElement("div");
  box.className = "search";
  const name = document.createElement("label");
  const input = document.createElement("input");
  input.type = "search";
  input.placeholder = hint;
  input.setAttribute("aria-label", `${label}: ${what}`);
  name.append(label, " ", input);
  const count = document.createElement("output");
  box.append(name, count);
  return { box, input, count };
}

/** A bar below a share of 100. */
function bar(cell) {
  const [svg, rect] = ["svg", "rect"].map((name) => (
    document.createElementNS("http://www.w3.org/2000/svg", name)
  ));
  for (const [name, value] of [["class", "bar"], ["viewBox", "0 0 100 1"], ["aria-hidden", "true"],
    ["preserveAspectRatio", "none"]]) svg.setAttribute(name, value);
  rect.setAttribute("width", Math.min(100, Math.max(0, numberIn(said(cell)))));
  rect.setAttribute("height", 1);
  svg.append(rect);
  return svg;
}

for (const cell of document.querySelectorAll("td.b")) cell.append(bar(cell));

for (const table of document.querySelectorAll("main table:not(.heat)")) {
  sortable(table);
  const rows = table.tBodies[0].rows.length;
  if (rows >= FILTERED || (rows > 1 && table.classList.contains("filtered"))) filterable(table);
}
