// What happens is on the screen without reloading, and nothing is lost in between.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { assertCalm, closeBrowser, visit } from "./kit/browser.mjs";
import { World } from "./kit/world.mjs";

let world, board;
before(async () => {
  world = new World();
  world.hook("SessionStart", { source: "startup" });
  board = await world.serve();
});
after(async () => {
  await closeBrowser();
  await world.end();
});

const at = (path) => new URL(path, board.url).href;
const live = (page) => page.locator("#live").getByText("live", { exact: false }).waitFor();

test("an event is on the screen a moment after its hook has answered", async (context) => {
  const page = await visit(board.url);
  await page.goto(at("/events"));
  await live(page);
  const took = [];
  for (let number = 0; number < 9; number += 1) {
    const text = `echo moment-${number}`;
    // Watched in the page itself: asking it again and again would be measured too.
    // And before the hook is called: what is on the screen already changes no more until its time does.
    await page.evaluate((wanted) => {
      const main = document.querySelector("main");
      globalThis.seen = new Promise((done) => {
        const look = () => main.textContent.includes(wanted) && done(Date.now());
        new MutationObserver(look).observe(main, { childList: true, subtree: true, characterData: true });
      });
    }, text);
    world.shell(text);
    const answered = Date.now();
    took.push((await page.evaluate(() => globalThis.seen)) - answered);
  }
  took.sort((one, other) => one - other);
  context.diagnostic(`from the hook's end to the screen: median ${took[4]} ms, worst ${took.at(-1)} ms`);
  assertCalm(page);
});

test("a denial is announced to those who do not see it", async () => {
  const page = await visit(board.url);
  await live(page);
  world.shell("rm -rf / --no-preserve-root");
  await page.locator("#announce").getByText(/^Blocked: rm/).waitFor();
});

test("an update keeps the page's position, its open parts and what is typed", async () => {
  const page = await visit(board.url);
  await page.goto(at("/events"));
  await live(page);
  const field = page.locator("form.filters input[name=q]");
  await field.fill("half a wo");
  world.shell("echo while-someone-types");
  world.shell("echo and-again", "s-2");
  // The rest of the page went on.
  await page.locator("main").getByText("and-again").first().waitFor();
  assert.equal(await field.inputValue(), "half a wo");
  assert.ok(await field.evaluate((it) => it === document.activeElement));
});

test("paused, it does not change until it is resumed", async () => {
  const page = await visit(board.url);
  await page.goto(at("/events"));
  await live(page);
  await page.locator("#live").click();
  await page.locator("#live").getByText("paused", { exact: false }).waitFor();
  world.shell("echo not-yet");
  const other = await visit(board.url);
  await other.goto(at("/events"));
  await other.locator("main").getByText("not-yet").first().waitFor();
  assert.equal(await page.locator("main").getByText("not-yet").count(), 0);
  await page.locator("#live").click();
  await page.locator("main").getByText("not-yet").first().waitFor();
});

test("what happened while the board was closed is there when it is back, by the same link", async () => {
  const own = new World();
  try {
    own.hook("SessionStart", { source: "startup" });
    const token = "a-token-that-a-person-chose-for-this";
    const first = await own.serve(["dash", "--port", "0", "--token", token]);
    const page = await visit(first.url);
    await page.goto(new URL("/events", first.url).href);
    await live(page);
    assert.equal(await own.close(first), 0, "a board that is closed has not failed");
    await page.locator("#live").getByText(/reconnect|closed|lost/i).waitFor();
    own.shell("echo while-it-was-closed");
    const again = await own.serve(["dash", "--port", String(first.port), "--token", token]);
    assert.equal(again.port, first.port);
    await page.locator("main").getByText("while-it-was-closed").first().waitFor({ timeout: 60_000 });
    await live(page);
  } finally {
    await own.end();
  }
});

test("a session's timeline leads to what a command changed, which opens", async () => {
  world.put("work.txt", "before the script\n");
  world.shell("python3 one.py", "s-undo");
  world.put("work.txt", "after the script\n");
  world.shell("python3 two.py", "s-undo");
  world.put("other.txt", "and more\n");
  world.shell("python3 three.py", "s-undo");
  const page = await visit(board.url);
  await page.goto(at("/sessions/claude-code/s-undo?range=all"));
  const changed = page.getByText("-before the script");
  assert.equal(await changed.isVisible(), false, "only the latest is open");
  // Other sessions of this world have snapshots, too, so its first has any number.
  await page.locator("a[href^='#snapshot-']").first().click();
  await changed.waitFor({ state: "visible" });
  await page.getByText("+after the script").waitFor({ state: "visible" });
  assertCalm(page);
});
