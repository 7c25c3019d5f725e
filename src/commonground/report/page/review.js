// The review of probable errors: one at a time, by keyboard, and no decision is ever lost.

const ACTS = ["accept", "reject", "skip"];
const KEYS = {
  a: "accept", r: "reject", s: "skip", u: "clear", n: "open",
  ArrowRight: "next", ArrowLeft: "previous", j: "next", k: "previous",
};
const HEADER = "# commonground patch 1";

const byId = (id) => document.getElementById(id);
const nameOf = (item) => `${item.sentence}\t${item.word}`;

class Review {
  constructor(data) {
    this.data = data;
    this.store = `commonground-review-${data.key}`;
    this.decisions = {};
    this.place = 0;
  }

  begin() {
    this.decisions = this.kept();
    this.place = Math.max(0, this.undecided(0));
    this.show();
  }

  kept() {
    // A browser may write its store late; the name of the window outlives a reload at once.
    const [store, text] = window.name.split("\n");
    const texts = store === this.store ? [text] : [];
    try {
      texts.unshift(localStorage.getItem(this.store));
    } catch {
      // it may be forbidden
    }
    return Object.assign({}, ...texts.map((each) => this.parsed(each)));
  }

  parsed(text) {
    try {
      return JSON.parse(text) ?? {};
    } catch {
      return {};
    }
  }

  keep() {
    const text = JSON.stringify(this.decisions);
    window.name = `${this.store}\n${text}`;
    try {
      localStorage.setItem(this.store, text);
    } catch {
      // then they hold as long as the page is open, and can be downloaded
    }
  }

  undecided(from) {
    const { items } = this.data;
    for (let step = 0; step < items.length; step++) {
      const place = (from + step) % items.length;
      if (!(nameOf(items[place]) in this.decisions)) return place;
    }
    return -1;
  }

  act(what) {
    const { items } = this.data;
    const name = nameOf(items[this.place]);
    if (ACTS.includes(what)) {
      this.decisions[name] = what;
      this.keep();
      this.place = Math.min(this.place + 1, items.length - 1);
    } else if (what === "clear") {
      delete this.decisions[name];
      this.keep();
    } else if (what === "next") this.place = Math.min(this.place + 1, items.length - 1);
    else if (what === "previous") this.place = Math.max(this.place - 1, 0);
    else if (what === "open") this.place = Math.max(this.undecided(this.place + 1), 0);
    else if (what === "patch") return save("accepted.patch", this.patch());
    else if (what === "table") return save("decisions.tsv", this.table());
    this.show();
  }

  patch() {
    const sentences = new Map();
    for (const item of this.data.items) {
      if (this.decisions[nameOf(item)] !== "accept" || !item.changes.length) continue;
      const lines = sentences.get(item.sentence) ?? [];
      sentences.set(item.sentence, [...lines, ...item.changes.map((change) => change.join("\t"))]);
    }
    const parts = [...sentences].map(([name, lines]) => `@ ${name}\n${lines.join("\n")}\n`);
    return `${HEADER}\n${parts.join("")}`;
  }

  table() {
    const rows = this.data.items
      .filter((item) => nameOf(item) in this.decisions)
      .map((item) => `${this.decisions[nameOf(item)]}\t${nameOf(item)}\n`);
    return `decision\tsentence\tword\n${rows.join("")}`;
  }

  load(text) {
    for (const line of text.split("\n").slice(1)) {
      const [decision, sentence, word] = line.split("\t");
      if (ACTS.includes(decision) && word) this.decisions[`${sentence}\t${word}`] = decision;
    }
    this.keep();
    this.show();
  }

  show() {
    const { items } = this.data;
    const item = items[this.place];
    const counts = ACTS.map((act) => items.filter((each) => this.decisions[nameOf(each)] === act).length);
    const done = counts[0] + counts[1] + counts[2];
    byId("review-progress").max = items.length;
    byId("review-progress").value = done;
    byId("review-count").textContent =
      `${this.place + 1} of ${items.length}; accepted ${counts[0]}, rejected ${counts[1]}, skipped ${counts[2]}`;
    const decision = this.decisions[nameOf(item)] ?? "";
    byId("review-item").dataset.decision = decision;
    byId("review-title").textContent =
      `${item.form} (word ${item.word} of ${item.sentence})${decision && `: ${decision}`}`;
    byId("review-text").textContent = item.text;
    byId("review-old").textContent = item.old;
    byId("review-new").textContent = item.new || "no proposal";
    byId("review-reasons").replaceChildren(...item.reasons.map(reason));
    byId("review-drawing").innerHTML = item.drawing;
    document.querySelector('[data-act="accept"]').disabled = !item.changes.length;
  }
}

function reason([kind, text]) {
  const entry = document.createElement("li");
  const what = document.createElement("span");
  what.className = "kind";
  what.textContent = `${kind}: `;
  entry.append(what, text);
  return entry;
}

function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

const review = new Review(await unpacked("review-data"));
if (review.data.items.length) review.begin();
for (const button of document.querySelectorAll("[data-act]")) {
  button.addEventListener("click", () => review.act(button.dataset.act));
}
document.addEventListener("keydown", (event) => {
  const act = KEYS[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey || event.target.type === "file") return;
  if (act === "accept" && document.querySelector('[data-act="accept"]').disabled) return;
  event.preventDefault();
  review.act(act);
});
byId("review-load").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) review.load(await file.text());
});
