// The live part of the board. Pages are made by the server: this listens for what happens, fetches the page again and
// changes what differs. Without it every page still works, but is not live.
"use strict";

const main = document.querySelector("main");
const $ = (id) => document.getElementById(id);
const isTyping = (element) => element?.matches("input, textarea, select, [contenteditable]") ?? false;

// --- Update the page: what is the same stays, with its focus, scroll and selection. --------------------------------

const keyOf = (node) =>
  node.nodeType === Node.ELEMENT_NODE ? node.id || node.dataset.key || node.dataset.row || "" : "";

/** Whether the user has begun to fill in a form: it is left alone. */
function isEdited(form) {
  const hasChanged = (field) => {
    if (field.type === "hidden" || field.type === "submit") return false;
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.options) {
      const standard = [...field.options].findIndex((option) => option.defaultSelected);
      return field.selectedIndex !== Math.max(standard, 0);
    }
    return "defaultValue" in field && field.value !== field.defaultValue;
  };
  return (form.contains(document.activeElement) && isTyping(document.activeElement)) || [...form.elements].some(hasChanged);
}

function morph(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  if (old.nodeType !== Node.ELEMENT_NODE) {
    old.data = fresh.data;
    return;
  }
  if (old.nodeName === "FORM" && isEdited(old)) return;
  // What a person opened or closed stays so.
  const isTheirs = (name) => name === "open" && (old.nodeName === "DETAILS" || old.nodeName === "DIALOG");
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !isTheirs(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && !isTheirs(name)) old.setAttribute(name, value);
  }
  morphChildren(old, fresh);
}

function morphChildren(old, fresh) {
  const keyed = new Map([...old.children].map((child) => [keyOf(child), child]));
  keyed.delete("");
  let here = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    const key = keyOf(next);
    const same = key ? keyed.get(key) : here && !keyOf(here) ? here : null;
    if (!same || same.nodeName !== next.nodeName) {
      old.insertBefore(document.importNode(next, true), here);
      continue;
    }
    if (same === here) here = here.nextSibling;
    else old.insertBefore(same, here);
    keyed.delete(key);
    morph(same, next);
  }
  while (here) {
    const gone = here;
    here = here.nextSibling;
    gone.remove();
  }
}

const shown = new Set();
const rowsIn = (place) => [...place.querySelectorAll("[data-row]")];
const remember = () => rowsIn(main).forEach((row) => shown.add(row.dataset.row));

function swapIn(html) {
  const fresh = new DOMParser().parseFromString(`<main>${html}</main>`, "text/html").querySelector("main");
  const marked = new Set(rowsIn(main).filter((row) => row.classList.contains("new")).map((row) => row.dataset.row));
  for (const row of rowsIn(fresh)) {
    if (marked.has(row.dataset.row) || !shown.has(row.dataset.row)) row.classList.add("new");
  }
  const focused = document.activeElement;
  const key = focused && main.contains(focused) ? keyOf(focused) || keyOf(focused.closest("[data-row]") ?? focused) : "";
  const isHovering = hovered !== null;
  leaveSlot();
  morphChildren(main, fresh);
  // The page changed under a pointer that stayed where it was.
  if (isHovering) enterSlot(document.elementFromPoint(pointer.x, pointer.y));
  // An element that changed its place has lost the focus.
  if (key && document.activeElement !== focused) {
    const again = rowsIn(main).find((row) => row.dataset.row === key) ?? $(key) ?? main.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (again) (again.matches("a, button, [tabindex]") ? again : again.querySelector("a[href]"))?.focus({ preventScroll: true });
  }
  const come = rowsIn(main).filter((row) => row.classList.contains("new") && !marked.has(row.dataset.row));
  if (come.length) setTimeout(() => come.forEach((row) => row.classList.remove("new")), 4000);
  remember();
  tellTimes();
}

// --- Fetch it when something happened, a few times a second at most, and once more after the last time. ------------

const APART = 250;
let last = 0;
let timer = 0;
let isFetching = false;
let isWanted = false;

function refresh() {
  isWanted = true;
  if (timer || isFetching) return;
  timer = setTimeout(fetchPage, Math.max(0, last + APART - Date.now()));
}

async function fetchPage() {
  timer = 0;
  if (isPaused || document.hidden) return;
  isWanted = false;
  isFetching = true;
  last = Date.now();
  const address = location.href;
  try {
    const answer = await fetch(address, { headers: { "x-flyball-part": "main" }, cache: "no-store" });
    if (answer.status === 401) lose("locked");
    else if (answer.headers.get("content-type")?.startsWith("text/html")) {
      const html = await answer.text();
      if (address === location.href) swapIn(html);
    }
  } catch {
    // The stream notices as well that the server does not answer, and shows it.
  }
  isFetching = false;
  if (isWanted) refresh();
}

// --- Listen. ---------------------------------------------------------------------------------------------------------

const SLOWEST = 10_000;
let source = null;
let row = null;
let failures = 0;
let again = 0;
let isPaused = false;

function connect() {
  clearTimeout(again);
  source?.close();
  if (isPaused || document.hidden) return;
  source = new EventSource(row === null ? "/live" : `/live?after=${row}`);
  source.addEventListener("hello", hear);
  source.addEventListener("message", hear);
  source.addEventListener("failure", (message) => {
    const { what, way_out } = JSON.parse(message.data);
    say(`The store cannot be read: ${what}. Fix: ${way_out}.`);
    refresh();
  });
  source.addEventListener("closed", () => lose("closed"));
  source.addEventListener("error", () => lose(failures > 2 ? "closed" : "reconnecting"));
}

function hear(message) {
  const news = JSON.parse(message.data);
  row = news.row;
  failures = 0;
  say("");
  show("live", "Live");
  // Also when nothing is new: something may have come after the page was made and before we listened.
  refresh();
  announce(news);
}

const LOST = {
  reconnecting: ["Reconnecting", ""],
  closed: ["Closed", "The board was closed: run `flyball dash` again."],
  locked: ["Locked", "The board was restarted with a new link: open the one that `flyball dash` printed."],
};

/** Tries again, less and less often: the board may be back, or its new link may have been opened in another tab. */
function lose(how) {
  source?.close();
  clearTimeout(again);
  show("lost", LOST[how][0]);
  if (LOST[how][1]) say(LOST[how][1]);
  again = setTimeout(probe, Math.min(SLOWEST, 500 * 2 ** failures));
  failures += 1;
}

/** A stream has no reason for why it could not be opened; a page does. */
async function probe() {
  if (isPaused || document.hidden) return;
  try {
    const answer = await fetch("/live", { method: "HEAD", cache: "no-store" });
    if (answer.status === 401) lose("locked");
    else connect();
  } catch {
    lose(failures > 2 ? "closed" : "reconnecting");
  }
}

function show(state, word) {
  const live = $("live") ?? document.createElement("button");
  live.dataset.state = state;
  live.textContent = word;
  live.setAttribute("aria-pressed", String(state === "paused"));
  live.title = state === "paused" ? "Resume (l)" : "Pause (l)";
}

function pause() {
  isPaused = !isPaused;
  if (isPaused) {
    source?.close();
    clearTimeout(again);
    show("paused", "Paused");
  } else {
    show("lost", "Reconnecting");
    failures = 0;
    connect();
    refresh();
  }
}

/** A line above the page, or none. */
function say(words) {
  let notice = $("notice");
  if (!words) return notice?.remove();
  if (!notice) {
    notice = document.createElement("p");
    notice.id = "notice";
    notice.className = "error notice";
    notice.setAttribute("role", "status");
    main.before(notice);
  }
  if (notice.textContent !== words) notice.textContent = words;
}

const WORDS = { blocked: "Blocked", held: "Held", finding: "Finding" };
let denied = [];
let announcing = 0;

/** Announces what was blocked, held or found to screen readers; much in a short time is announced together. */
function announce(news) {
  denied.push(...news.last.filter((event) => WORDS[event.outcome]));
  if (!denied.length || announcing || !$("announce")) return;
  announcing = setTimeout(() => {
    const latest = denied.at(-1);
    const many = denied.length === 1 ? "" : `${denied.length} objections, latest: `;
    $("announce").textContent = `${many}${WORDS[latest.outcome]}: ${latest.subject}`;
    denied = [];
    announcing = setTimeout(() => { announcing = 0; }, 5000);
  }, 300);
}

// --- Times that pass. ------------------------------------------------------------------------------------------------

function ago(seconds) {
  if (seconds < 2) return "now";
  if (seconds < 60) return `${Math.floor(seconds)} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 2 * 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86400)} d ago`;
}

const AGO = /^(now|\d+ (s|min|h|d) ago)/;

/** How long ago it was is in the tooltip of a time. */
function tellTimes() {
  for (const time of main.querySelectorAll("time[datetime][title]")) {
    const title = time.title.replace(AGO, () => ago((Date.now() - Date.parse(time.dateTime)) / 1000));
    if (time.title !== title) time.title = title;
  }
}

// --- Charts: the values under the pointer, and a time to look at by dragging over it. --------------------------------

/** A floating box of ours, made when it is first needed. */
function floating(id) {
  const known = $(id);
  if (known) return known;
  const box = Object.assign(document.createElement("div"), { id, hidden: true });
  document.body.append(box);
  return box;
}

/** The text of the stretch under the pointer; the browser's own tooltip for it would come late, and a second time. */
let hovered = null;

function leaveSlot() {
  if (!hovered) return;
  hovered.hit.append(hovered.title);
  hovered = null;
  floating("tip").hidden = true;
}

/** Shows the values of what is under the pointer, if that is a stretch of a chart. */
function enterSlot(element) {
  const hit = element instanceof Element ? element.closest(".slot .hit") : null;
  if (hovered?.hit === hit) return;
  leaveSlot();
  const title = hit?.querySelector("title");
  if (!title) return;
  title.remove();
  hovered = { hit, title };
  floating("tip").textContent = title.textContent;
  floating("tip").hidden = false;
}

let pointer = null;

document.addEventListener("pointermove", (event) => {
  pointer = { x: event.clientX, y: event.clientY };
  enterSlot(event.target);
  if (!hovered) return;
  const tip = floating("tip");
  const { width, height } = tip.getBoundingClientRect();
  const right = pointer.x + 14;
  tip.style.left = `${right + width > innerWidth ? pointer.x - width - 14 : right}px`;
  tip.style.top = `${Math.max(4, pointer.y - height - 10)}px`;
});
document.addEventListener("pointerleave", leaveSlot);

const CLOSE = 6;
let brush = null;

const isLong = () => Math.abs(brush.to - brush.from) > CLOSE;

document.addEventListener("pointerdown", (event) => {
  const field = event.target instanceof Element ? event.target.closest("[data-brush]") : null;
  // A finger scrolls; for it there are the fields of the range.
  if (!field || event.button !== 0 || event.pointerType === "touch") return;
  brush = { field, from: event.clientX, to: event.clientX };
});
// Bars may be links, which a browser would drag away.
document.addEventListener("dragstart", (event) => { if (brush) event.preventDefault(); });

document.addEventListener("pointermove", (event) => {
  if (!brush) return;
  const box = brush.field.getBoundingClientRect();
  brush.to = Math.min(Math.max(event.clientX, box.left), box.right);
  const shade = floating("brush");
  shade.hidden = !isLong();
  shade.style.left = `${Math.min(brush.from, brush.to)}px`;
  shade.style.width = `${Math.abs(brush.to - brush.from)}px`;
  shade.style.top = `${box.top}px`;
  shade.style.height = `${box.height}px`;
  if (isLong()) event.preventDefault();
});

document.addEventListener("pointerup", () => {
  if (!brush) return;
  const drawn = brush;
  const long = isLong();
  endBrush();
  if (!long) return;
  // The click that ends it is no click on a bar.
  const swallow = (event) => { event.preventDefault(); event.stopPropagation(); };
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
  const [left, right] = [Math.min(drawn.from, drawn.to), Math.max(drawn.from, drawn.to)];
  const covered = [...drawn.field.querySelectorAll("[data-from]")].filter((slot) => {
    const box = slot.getBoundingClientRect();
    return box.right > left && box.left < right;
  });
  if (!covered.length) return;
  const address = new URL(location.href);
  for (const key of ["range", "before", "trail"]) address.searchParams.delete(key);
  address.searchParams.set("from", covered[0].dataset.from);
  address.searchParams.set("to", covered.at(-1).dataset.to);
  address.hash = "";
  location.assign(address);
});

function endBrush() {
  brush = null;
  floating("brush").hidden = true;
}

// --- Copying. --------------------------------------------------------------------------------------------------------

document.addEventListener("click", async (event) => {
  const button = event.target instanceof Element ? event.target.closest("button[data-copy]") : null;
  if (!button) return;
  let isDone = true;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    isDone = false;
  }
  button.classList.toggle("done", isDone);
  if ($("announce")) $("announce").textContent = isDone ? "Copied" : "The browser did not let the board copy this.";
  setTimeout(() => button.classList.remove("done"), 1500);
});

// --- Theme. ----------------------------------------------------------------------------------------------------------

const THEMES = ["auto", "light", "dark"];
const theme = () => document.documentElement.dataset.theme ?? "auto";

const showTheme = () => $("theme")?.replaceChildren(`Theme: ${theme()}`);

function nextTheme() {
  const next = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length];
  if (next === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  try {
    localStorage.setItem("flyball-theme", next);
  } catch {
    // Storage is switched off: it holds for this page.
  }
  showTheme();
}

// --- Keys and forms. -------------------------------------------------------------------------------------------------

// The navigation has the key of each place.
const placeOf = (key) => document.querySelector(`nav.pages a[data-key="${CSS.escape(key)}"]`)?.getAttribute("href");
let isGoing = 0;

function step(by) {
  const rows = rowsIn(main).filter((row) => row.getClientRects().length);
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by];
  const link = next?.matches("a[href]") ? next : next?.querySelector("a[href]");
  link?.focus();
  link?.scrollIntoView({ block: "nearest" });
}

const KEYS = {
  "/": () => $("search")?.focus(),
  "?": () => $("keys")?.showModal(),
  j: () => step(1),
  k: () => step(-1),
  l: pause,
  p: pause,
  t: nextTheme,
  g: () => { isGoing = Date.now(); },
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && brush) endBrush();
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (isTyping(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if ($("keys")?.open) return;
  const place = Date.now() - isGoing < 1000 ? placeOf(event.key) : undefined;
  isGoing = 0;
  if (place) location.assign(place);
  else if (!KEYS[event.key]) return;
  else KEYS[event.key]();
  event.preventDefault();
});

document.addEventListener("change", (event) => {
  if (event.target.matches("form.filters select")) event.target.form.requestSubmit();
});

// Addresses without empty fields.
document.addEventListener("formdata", (event) => {
  for (const [name, value] of [...event.formData]) if (value === "") event.formData.delete(name);
});

document.addEventListener("visibilitychange", () => {
  // A browser opens only six connections to one host: those of hidden pages are closed.
  if (document.hidden) {
    source?.close();
    clearTimeout(again);
  } else if (!isPaused) {
    connect();
    refresh();
  }
});

addEventListener("pagehide", () => source?.close());
addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
$("live")?.addEventListener("click", pause);
$("theme")?.addEventListener("click", nextTheme);

remember();
showTheme();
show("lost", "Connecting");
connect();
setInterval(tellTimes, 1000);
