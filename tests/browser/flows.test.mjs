// What people come for: from a number to the decision behind it, filters, search, links.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { assertCalm, closeBrowser, visit } from "./kit/browser.mjs";
import { demo } from "./kit/demo.mjs";

let board;
before(async () => {
  board = await demo();
});
after(async () => {
  await closeBrowser();
  await board.end();
});

const at = (path) => new URL(path, board.url).href;
const rows = (page) => page.locator("main tr[data-row], main li[data-row]");

test("from the overview to a denial and its explanation, and back", async () => {
  const page = await visit(board.url);
  await page.goto(at("/?range=7d"));
  await page.locator("main a[href^='/events/']").first().click();
  await page.waitForURL(/\/events\/\w+/);
  const text = await page.textContent("main");
  assert.match(text, /What would change/i);
  assert.match(text, /deny/i);
  await page.goBack();
  assert.equal(page.url(), at("/?range=7d"));
  assertCalm(page);
});

test("a session shows its agents as lanes, and a mark leads to its explanation", async () => {
  const page = await visit(board.url);
  await page.goto(at("/sessions?range=all"));
  // A session that started agents of its own.
  const links = await page.locator("main a[href^='/sessions/']").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  let found = false;
  for (const link of [...new Set(links)].slice(0, 12)) {
    await page.goto(at(link));
    if ((await page.locator("svg.swim-lanes .lane").count()) < 2) continue;
    found = true;
    const mark = page.locator("svg.swim-lanes a[href^='/events/']").first();
    assert.ok(await mark.getAttribute("aria-label") || await mark.locator("title").count(), "a mark has a label");
    await mark.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/events\/\w+/);
    break;
  }
  assert.ok(found, "no session with more than one lane");
  assertCalm(page);
});

test("filters narrow the list, are in the address, and are removed one by one", async () => {
  const page = await visit(board.url);
  await page.goto(at("/events?range=all"));
  const form = page.locator("form.filters");
  await form.getByLabel(/^Decision/).selectOption("deny");
  await page.waitForURL(/verdict=deny/);
  const decisions = await rows(page).locator("td[data-label=Decision] .pill:not(.would)").allTextContents();
  assert.deepEqual([...new Set(decisions)].sort(), ["blocked", "finding", "held"]);
  await form.getByLabel(/^Tool/).selectOption("shell");
  await page.waitForURL(/tool=shell/);
  const narrowed = page.url();
  await page.reload();
  assert.equal(await form.getByLabel(/^Decision/).inputValue(), "deny");
  assert.equal(await form.getByLabel(/^Tool/).inputValue(), "shell");
  const other = await visit(board.url);
  await other.goto(narrowed);
  assert.ok((await rows(other).count()) > 0, "a link with filters shows the same to others");
  await page.locator("main a", { hasText: "Tool" }).or(page.getByRole("link", { name: /tool/i })).first().click();
  await page.waitForURL((url) => !url.searchParams.has("tool"));
  assertCalm(page);
});

test("a search finds commands, decisions and sessions", async () => {
  const page = await visit(board.url);
  await page.goto(at("/events?range=all&verdict=deny"));
  const link = page.locator("main a[href^='/events/']").first();
  const answer = (await link.getAttribute("href")).split("/").pop();
  await page.getByRole("searchbox").first().fill("pip install");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=pip/);
  assert.match(await page.textContent("main"), /pip install/);
  await page.goto(at(`/events?q=${answer}`));
  await page.locator(`main a[href='/events/${answer}']`).first().click();
  await page.waitForURL(new RegExp(`/events/${answer}`));
  assertCalm(page);
});

test("all pages of a long list have every event once", async () => {
  const page = await visit(board.url);
  await page.goto(at("/events?range=all"));
  const seen = new Set();
  for (let number = 0; number < 4; number += 1) {
    const found = await rows(page).evaluateAll((all) => all.map((row) => row.dataset.row));
    for (const row of found) {
      assert.ok(!seen.has(row), `row ${row} twice`);
      seen.add(row);
    }
    const older = page.getByRole("link", { name: /older/i }).first();
    if (!(await older.count())) break;
    await older.click();
    await page.waitForURL(/before=/);
  }
  assert.ok(seen.size > 100, `only ${seen.size} events`);
});

test("the theme that was chosen stays", async () => {
  const page = await visit(board.url);
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme ?? "auto");
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  for (let times = 0; times < 3 && (await theme()) !== "dark"; times += 1) await page.locator("#theme").click();
  assert.equal(await theme(), "dark");
  assert.notEqual(await ground(), light);
  await page.goto(at("/sessions"));
  assert.equal(await theme(), "dark");
  assertCalm(page);
});

test("without its script the board still shows everything and filters", async () => {
  const page = await visit(board.url, { javaScriptEnabled: false });
  await page.goto(at("/events?range=all"));
  assert.ok((await rows(page).count()) > 10);
  await page.locator("form.filters select[name=verdict]").selectOption("deny");
  await page.locator("form.filters button[type=submit], form.filters button:not([type])").first().click();
  await page.waitForURL(/verdict=deny/);
});
