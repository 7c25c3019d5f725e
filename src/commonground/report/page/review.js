// A review: one question at a time, by keyboard, and no decision is ever lost.

const KEYS = {
  u: "clear", n: "open", ArrowRight: "next", ArrowLeft: "previous", j: "next", k: "previous", o: "other",
};
const HEADER = "# commonground patch 1";
const MOST_ALIVE = 60_000; // a request of more bytes does not outlive its page
const PAUSE = 2_000;

const byId = (id) => document.getElementById(id);
const cell = (text) => (/^[=+@-]/.test(text) ? `'${text}` : text);

class Review {
  constructor(data) {
    this.data = data;
    this.store = `commonground-review-${data.key}`;
    this.decisions = {};
    this.unsaved = {};
    this.place = 0;
  }

  async begin() {
    const kept = this.kept();
    if (this.data.served) {
      this.unsaved = kept;
      this.decisions = { ...(await this.asked("?decisions")) };
    }
    for (const [key, decision] of Object.entries(kept)) this.set(key, decision);
    this.place = Math.max(0, this.undecided(0));
    this.show();
    this.send();
  }

  // ── decisions ──

  set(key, decision) {
    if (decision) this.decisions[key] = decision;
    else delete this.decisions[key];
  }

  decide(key, decision) {
    this.set(key, decision);
    this.unsaved[key] = decision;
    this.keep();
    this.send();
  }

  allowed(decision) {
    const own = this.data.other && decision.startsWith("=") && decision.slice(1).trim();
    return own || this.data.acts.some(([, name]) => name === decision);
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
    const text = JSON.stringify(this.data.served ? this.unsaved : this.decisions);
    window.name = `${this.store}\n${text}`;
    try {
      localStorage.setItem(this.store, text);
    } catch {
      // then they hold as long as the page is open, and can be downloaded
    }
  }

  // ── the server, where there is one ──

  async asked(address, options) {
    try {
      const answer = await fetch(address, options);
      if (answer.ok) {
        byId("review-problem").hidden = true;
        return answer.status === 204 ? {} : await answer.json();
      }
      const told = new DOMParser().parseFromString(await answer.text(), "text/html");
      this.problem(told.querySelector("[role=alert]")?.textContent ?? told.body.textContent);
    } catch {
      this.problem("The server does not answer.");
    }
    return null;
  }

  problem(text) {
    byId("review-problem").textContent = `${text} Decisions are kept in this browser until then.`;
    byId("review-problem").hidden = false;
  }

  async send() {
    const batch = { ...this.unsaved };
    if (!this.data.served || this.sending || !Object.keys(batch).length) return;
    this.sending = true;
    const body = JSON.stringify(batch);
    const keepalive = body.length < MOST_ALIVE / 4; // a character has up to four bytes
    const headers = { "Content-Type": "application/json" };
    const answer = await this.asked("", { method: "POST", body, headers, keepalive });
    for (const key of answer ? Object.keys(batch) : []) {
      if (this.unsaved[key] === batch[key]) delete this.unsaved[key];
    }
    this.keep();
    this.sending = false;
    if (answer) this.send();
    else setTimeout(() => this.send(), PAUSE);
  }

  // ── moves ──

  undecided(from) {
    const { items } = this.data;
    for (let step = 0; step < items.length; step++) {
      const place = (from + step) % items.length;
      if (!(items[place].key in this.decisions)) return place;
    }
    return -1;
  }

  forward() {
    this.place = Math.min(this.place + 1, this.data.items.length - 1);
  }

  choose(decision) {
    const item = this.data.items[this.place];
    if (decision === this.data.acts[0][1] && !item.possible) return;
    this.decide(item.key, decision);
    this.forward();
    this.show();
  }

  act(what) {
    if (what === "clear") this.decide(this.data.items[this.place].key, "");
    else if (what === "next") this.forward();
    else if (what === "previous") this.place = Math.max(this.place - 1, 0);
    else if (what === "open") this.place = Math.max(this.undecided(this.place + 1), 0);
    else if (what === "patch") return save("accepted.patch", this.patch());
    else if (what === "table") return save("decisions.tsv", this.table());
    else if (what === "other") return byId("review-value")?.focus();
    this.show();
  }

  // ── files ──

  patch() {
    const sentences = new Map();
    const [[, accept]] = this.data.acts;
    for (const item of this.data.items) {
      if (this.decisions[item.key] !== accept) continue;
      for (const [sentence, ...change] of item.changes) {
        sentences.set(sentence, [...(sentences.get(sentence) ?? []), change.join("\t")]);
      }
    }
    const parts = [...sentences].map(([name, lines]) => `@ ${name}\n${lines.join("\n")}\n`);
    return `${HEADER}\n${parts.join("")}`;
  }

  table() {
    const rows = this.data.items
      .filter((item) => item.key in this.decisions)
      .map((item) => `${this.cells(this.decisions[item.key])}\t${item.row}\n`);
    return `${this.data.header}\n${rows.join("")}`;
  }

  cells(decision) {
    if (!this.data.other) return cell(decision);
    return decision.startsWith("=") ? `\t${cell(decision.slice(1))}` : `${cell(decision)}\t`;
  }

  load(text) {
    const known = new Map(this.data.items.map((item) => [item.row, item.key]));
    for (const line of text.split(/\r?\n/).slice(1)) {
      const [decision, ...rest] = line.split("\t");
      const other = this.data.other ? rest.shift() : "";
      const key = known.get(rest.join("\t"));
      const value = other ? `=${other.replace(/^'/, "")}` : decision.replace(/^'/, "");
      if (key && this.allowed(value)) this.decide(key, value);
    }
    this.show();
  }

  // ── what is seen ──

  show() {
    const { items, acts } = this.data;
    const item = items[this.place];
    const made = items.map((each) => this.decisions[each.key]).filter(Boolean);
    const counts = acts.map(([, name]) => `${SAID[name] ?? name} ${made.filter((each) => each === name).length}`);
    byId("review-progress").max = items.length;
    byId("review-progress").value = made.length;
    byId("review-count").textContent = `${this.place + 1} of ${items.length}; ${counts.join(", ")}`;
    const decision = this.decisions[item.key] ?? "";
    byId("review-item").dataset.decision = decision;
    byId("review-title").textContent = `${item.title}${decision && `: ${decision.replace(/^=/, "")}`}`;
    byId("review-text").textContent = item.text;
    byId("review-analyses").replaceChildren(...item.analyses.map(analysis));
    byId("review-reasons").replaceChildren(...item.reasons.map(reason));
    byId("review-drawing").innerHTML = this.data.drawings[item.drawing] ?? "";
    document.querySelector("[data-decision]:is(button)").disabled = !item.possible;
    if (this.data.other) {
      byId("review-value").value = decision.startsWith("=") ? decision.slice(1) : "";
      byId("review-value").disabled = !item.free;
    }
  }
}

const SAID = { accept: "accepted", reject: "rejected", skip: "skipped" };

function analysis([name, value]) {
  const row = document.createElement("tr");
  const head = document.createElement("th");
  const what = document.createElement("td");
  head.scope = "row";
  head.textContent = name;
  what.textContent = value;
  row.append(head, what);
  return row;
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
if (review.data.items.length) await review.begin();
for (const button of document.querySelectorAll("button[data-act]")) {
  button.addEventListener("click", () => review.act(button.dataset.act));
}
for (const button of document.querySelectorAll("button[data-decision]")) {
  button.addEventListener("click", () => review.choose(button.dataset.decision));
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "INPUT") return;
  const decision = review.data.acts.find(([key]) => key && key === event.key);
  if (!review.data.items.length || !(decision || KEYS[event.key])) return;
  event.preventDefault();
  if (decision) review.choose(decision[1]);
  else review.act(KEYS[event.key]);
});
byId("review-other")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const value = byId("review-value").value.trim();
  byId("review-value").blur();
  if (value) review.choose(`=${value}`);
});
byId("review-load").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) review.load(await file.text());
});
