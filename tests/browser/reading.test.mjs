// What a person reads off the board: names, rows, times, values, and what to do about a denial.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { assertAccessible, assertCalm, closeBrowser, PHONE, visit } from "./kit/browser.mjs";
import { demo } from "./kit/demo.mjs";
import { World } from "./kit/world.mjs";

const TOKEN = ["ghp", "0123456789abcdefghijABCDEFGHIJ012345"].join("_");

let board, world, own;
before(async () => {
  board = await demo();
  world = new World();
  world.hook("SessionStart", { source: "startup" });
  world.hook("UserPromptSubmit", { prompt: `Make the login faster, the token is ${TOKEN}` });
  const call = { tool_name: "Bash", tool_input: { command: "ls -la src" }, tool_use_id: "toolu_a" };
  world.hook("PreToolUse", call);
  world.hook("PostToolUse", { ...call, tool_response: { stdout: "", stderr: "" } });
  for (let times = 0; times < 7; times += 1) world.shell("git push --force origin main");
  world.shell("echo alone");
  own = await world.serve();
});
after(async () => {
  await closeBrowser();
  await world.end();
  await board.end();
});

const at = (path) => new URL(path, board.url).href;
const ownAt = (path) => new URL(path, own.url).href;

test("a session is called by its first prompt, without its secrets", async () => {
  const page = await visit(own.url);
  for (const path of ["/", "/sessions", "/events"]) {
    await page.goto(ownAt(path));
    const link = page.locator("main a.session-title").first();
    assert.match(await link.textContent(), /^Make the login faster/, path);
    assert.doesNotMatch(await page.content(), new RegExp(TOKEN), "a secret is nowhere on the page");
  }
  await page.locator("main a.session-title").first().click();
  await page.waitForURL(/\/sessions\//);
  assert.match(await page.locator("h1").textContent(), /^Make the login faster/);
  assert.match(await page.title(), /Make the login faster/);
  assertCalm(page);
});

test("before and after of a call are one row, with both decisions behind it", async () => {
  const page = await visit(own.url);
  await page.goto(ownAt("/events"));
  const rows = page.locator("tr[data-row]", { hasText: "ls -la src" });
  assert.equal(await rows.count(), 1);
  assert.match(await rows.locator("td[data-label=Event]").textContent(), /^call shell$/);
  assert.match(await rows.locator("td[data-label=Took] [title]").getAttribute("title"), /^before .+, after .+$/);
});

test("the same denial seven times is one row that says so and leads to each", async () => {
  const page = await visit(own.url);
  await page.goto(ownAt("/events"));
  const rows = page.locator("tr[data-row]", { hasText: "git push --force" });
  assert.equal(await rows.count(), 1);
  assert.match(await rows.locator("summary").textContent(), /^same denial ×7, since \d\d:\d\d:\d\d$/);
  assert.equal(await rows.locator("td[data-label=Decision] .repeated").textContent(), "×7");
  await rows.locator("summary").click();
  assert.equal(await rows.locator("details a[href^='/events/']").count(), 6);
  await page.goto(ownAt("/"));
  assert.match(await page.locator("section[aria-labelledby=denials]").textContent(), /git push --force origin main ×7/);
  await assertAccessible(page, "repeats");
});

test("blocked, held and findings are told apart", async () => {
  const page = await visit(board.url);
  for (const [outcome, tab] of [["blocked", "Blocked"], ["held", "Held"], ["finding", "Findings"]]) {
    await page.goto(at(`/events?range=all&verdict=${outcome}`));
    const pills = await page.locator("tr[data-row] td[data-label=Decision] .pill:not(.would)").allTextContents();
    assert.deepEqual([...new Set(pills)], [outcome]);
    await page.goto(at(`/denials?range=all&outcome=${outcome}`));
    assert.match(await page.locator("nav.kinds [aria-current]").textContent(), new RegExp(`^${tab} [1-9]`));
    assert.ok((await page.locator("table.groups tr[data-row]").count()) > 0, `${tab} is empty`);
  }
  await page.goto(at("/events?range=all&verdict=finding"));
  const kinds = await page.locator("td[data-label=Event]").allTextContents();
  assert.ok(kinds.every((kind) => !kind.startsWith("before")), "what has not happened yet is no finding");
  await page.goto(at("/?range=7d"));
  assert.match(await page.locator(".tiles .deny").first().textContent(), /Blocked.*held · .*finding/s);
});

test("times are those of the clock, and how long ago is behind them", async () => {
  const page = await visit(own.url);
  await page.goto(ownAt("/events"));
  const times = await page.locator("main time").evaluateAll((all) => all.map((time) => [time.textContent, time.title, time.dateTime]));
  assert.ok(times.length > 3);
  for (const [text, title, datetime] of times) {
    assert.match(text, /^\d\d:\d\d:\d\d$/);
    assert.match(title, /^(now|\d+ (s|min|h|d) ago), \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    assert.match(datetime, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  }
});

/** The middle of a stretch of the first chart, counted from the left. */
async function stretch(page, number) {
  const box = await page.locator("figure.chart .field .slot .hit").nth(number).boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test("a chart shows the values under the pointer", async () => {
  const page = await visit(at("/?range=7d"), { storageState: await pass() });
  const tip = page.locator("#tip");
  // At some times of the day, nothing happened in the first stretches.
  const stretches = await page.locator("figure.chart").first().locator(".field .slot .hit").count();
  let text = "nothing";
  for (let number = 0; number < stretches && text.endsWith("nothing"); number += 1) {
    const there = await stretch(page, number);
    await page.mouse.move(there.x, there.y);
    await tip.waitFor();
    text = await tip.textContent();
  }
  assert.match(text, /^\d+ \w{3} .+\nblocked: \d+\nheld: \d+\nfindings: \d+\nasked: \d+\npassed: [\d\u202f]+$/);
  await page.mouse.move(2, 2);
  await tip.waitFor({ state: "hidden" });
  assertCalm(page);
});

test("dragging over a chart looks at that time, in an address that works for others", async () => {
  const page = await visit(at("/?range=7d"), { storageState: await pass() });
  const [from, to] = [await stretch(page, 2), await stretch(page, 9)];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.locator("#brush").waitFor();
  await page.mouse.up();
  await page.waitForURL(/from=.+&to=/);
  const address = new URL(page.url());
  assert.ok(!address.searchParams.has("range"));
  const shown = await page.locator(".between summary").textContent();
  assert.match(shown, /–/);
  const events = await page.locator(".tiles .value").first().textContent();
  const other = await visit(page.url(), { storageState: await pass() });
  assert.equal(await other.locator(".tiles .value").first().textContent(), events);
  // The other pages look at the same time, and a range leads back.
  await page.locator("nav.pages").getByText("Sessions").click();
  await page.waitForURL(/\/sessions\?from=/);
  await page.locator("nav.ranges").getByText("7d").click();
  await page.waitForURL((url) => url.searchParams.get("range") === "7d" && !url.searchParams.has("from"));
  assertCalm(page);
});

test("any time can be typed, also without the script", async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await visit(at("/events"), { storageState: await pass(), javaScriptEnabled });
    await page.locator(".between summary").click();
    const day = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel("From", { exact: true }).fill(`${day}T00:00`);
    await page.getByLabel("To", { exact: true }).fill(`${day}T23:59`);
    await page.locator(".between button").click();
    await page.waitForURL(/from=/);
    const days = await page.locator("tr[data-row] time").evaluateAll((all) => all.map((time) => time.dateTime.slice(0, 10)));
    assert.deepEqual([...new Set(days)].filter((found) => found !== day), []);
    if (javaScriptEnabled) await assertAccessible(page, "a time of one's own");
  }
});

test("tables are sorted by their heads, by keyboard and without the script", async () => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await visit(at("/sessions?range=all"), { storageState: await pass(), javaScriptEnabled });
    const head = page.getByRole("columnheader", { name: "Events" });
    await head.getByRole("link").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/sort=events-desc/);
    assert.equal(await head.getAttribute("aria-sort"), "descending");
    const many = async () => (await page.locator("td[data-label=Events]").allTextContents()).map((text) => Number(text.replace(/\D/g, "")));
    const falling = await many();
    assert.deepEqual(falling, [...falling].sort((one, other) => other - one));
    await head.getByRole("link").click();
    await page.waitForURL(/sort=events-asc/);
    assert.equal(await head.getAttribute("aria-sort"), "ascending");
    const rising = await many();
    assert.deepEqual(rising, [...rising].sort((one, other) => one - other));
  }
  const page = await visit(at("/policies?range=7d&sort=policy-asc"), { storageState: await pass() });
  for (const body of await page.locator("table.policies tbody").all()) {
    const names = await body.locator("th.policy a").allTextContents();
    assert.deepEqual(names, [...names].sort());
  }
  await page.goto(at("/denials?range=all&sort=last-desc"));
  const last = await page.locator("td[data-label='Last seen'] time").evaluateAll((all) => all.map((time) => time.dateTime));
  assert.deepEqual(last, [...last].sort().reverse());
  await page.goto(at("/events?range=all&sort=took-desc"));
  assert.match(await page.locator(".amount").textContent(), /Sorted within this page/);
});

test("ids and commands are copied by a click", async () => {
  const page = await visit(own.url, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto(ownAt("/events"));
  await page.getByText("echo alone").click();
  await page.waitForURL(/\/events\/\w+/);
  const id = page.url().split("/").pop();
  for (const [name, expected] of [["Copy decision id", id], ["Copy what it was about", "echo alone"]]) {
    await page.getByRole("button", { name }).click();
    await page.locator("button.copy.done").first().waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), expected);
    await page.locator("#announce").getByText("Copied").waitFor({ state: "attached" });
  }
  const without = await visit(page.url(), { storageState: await page.context().storageState(), javaScriptEnabled: false });
  assert.equal(await without.locator("button.copy:visible").count(), 0, "without the script a button would do nothing");
  assertCalm(page);
});

test("what the board can show is a link and not a command to type", async () => {
  const page = await visit(own.url);
  await page.goto(ownAt("/denials"));
  await page.locator("table.groups a.subject-link").first().click();
  await page.waitForURL(/\/events\/\w+/);
  const next = page.locator("section", { has: page.getByRole("heading", { name: "What next" }) });
  await next.getByRole("link", { name: "the events of this session" }).waitFor();
  const code = await next.locator("code").allTextContents();
  assert.deepEqual(code.filter((text) => /^flyball (explain|policies|log)/.test(text)), []);
  await next.getByRole("link", { name: /^the page of guard/ }).first().click();
  await page.waitForURL(/\/policies\/guard/);
});

test("policies are grouped by pack, and a mode that projects differ in is mixed", async () => {
  const page = await visit(at("/policies?range=7d"), { storageState: await pass() });
  const packs = (await page.locator("tr.pack th").allTextContents()).map((text) => text.split(" ")[0]);
  assert.deepEqual(packs.slice(0, 4), ["guard", "seatbelt", "quality", "loop"]);
  for (const body of await page.locator("table.policies tbody").all()) {
    const pack = (await body.locator("tr.pack th").textContent()).split(" ")[0];
    for (const name of await body.locator("th.policy a").allTextContents()) assert.equal(name.split(".")[0], pack);
  }
  const mixed = page.locator("details.mixed").first();
  await mixed.locator("summary").click();
  assert.match(await mixed.textContent(), /mixed.*enforce.*project/s);
  // Scrolled down, the head of the page lies over a row, which counts as a target that is too small.
  await page.evaluate(() => scrollTo(0, 0));
  await assertAccessible(page, "a mixed mode");
});

test("on a phone the timeline shows the newest", async () => {
  const page = await visit(at("/sessions?range=all"), { storageState: await pass(), viewport: PHONE });
  await page.locator("main a.session-title").first().click();
  await page.waitForURL(/\/sessions\//);
  const newest = page.locator("svg.swim-lanes a.mark").last();
  const marks = await page.locator("svg.swim-lanes a.mark").evaluateAll((all) => all.map((mark) => mark.getBoundingClientRect()).map(({ left, right }) => ({ left, right })));
  const last = marks.reduce((one, other) => (other.right > one.right ? other : one));
  assert.ok(last.left >= 0 && last.right <= PHONE.width, `the newest mark is at ${JSON.stringify(last)}`);
  assert.ok(await newest.count());
  const left = await page.locator(".lane-names").boundingBox();
  assert.ok(left.x >= 0 && left.x < 40, "the names of the lanes stay");
});

test("the demo opens on a time with events in it", async () => {
  assert.match(board.url, /\/\?range=7d&token=/);
  const page = await visit(at("/?range=7d"), { storageState: await pass() });
  const bars = await page.locator("figure.chart").first().locator("rect.area[x]").count();
  assert.ok(bars > 20, `only ${bars} bars`);
});

test("a page that does not exist is nowhere in the navigation", async () => {
  for (const path of ["/nowhere", "/sessions/claude-code/none", "/events/zzzzzzzz", "/policies/no.such"]) {
    const page = await visit(at(path), { storageState: await pass() });
    assert.equal(await page.locator("h1").textContent(), "Not found", path);
    assert.equal(await page.locator("nav.pages [aria-current]").count(), 0, path);
    await page.context().close();
  }
});

test("denials are grouped by rule and project, with what would change them", async () => {
  const page = await visit(own.url);
  await page.goto(ownAt("/denials"));
  const row = page.locator("table.groups tr[data-row]", { hasText: "git push --force" });
  assert.equal(await row.count(), 1);
  assert.match(await row.locator("th").textContent(), /^guard\./);
  assert.equal(await row.locator("td[data-label=Times]").textContent(), "7");
  assert.equal(await row.locator("td[data-label=Sessions]").textContent(), "1");
  for (const label of ["First seen", "Last seen"]) assert.match(await row.locator(`td[data-label='${label}']`).textContent(), /^\d\d:\d\d:\d\d$/);
  await row.getByText("What would change it").click();
  assert.match(await row.locator(".changes").textContent(), /only observed: .*How: .*mode = "observe"/s);
  assert.match(await row.locator(".changes").textContent(), /flyball allow guard\.\w+ --for 30m/);
  await row.locator("td[data-label=Times] a").click();
  await page.waitForURL(/policy=guard\..*project=.*verdict=blocked/);
  assert.ok((await page.locator("tr[data-row]").count()) > 0);
  assertCalm(page);
});

let known;
/** The cookie of someone who opened the demo's link. */
async function pass() {
  if (!known) {
    const page = await visit(board.url);
    known = await page.context().storageState();
    await page.context().close();
  }
  return known;
}
