// The board without a mouse.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";

import { assertAccessible, assertCalm, closeBrowser, visit } from "./kit/browser.mjs";
import { World } from "./kit/world.mjs";

let world, board;
before(async () => {
  world = new World();
  for (const name of ["one", "two", "three"]) world.shell(`echo ${name}`);
  board = await world.serve();
});
after(async () => {
  await closeBrowser();
  await world.end();
});

const at = (path) => new URL(path, board.url).href;
const focused = (page) => page.evaluate(() => document.activeElement?.closest("[data-row]")?.textContent ?? document.activeElement?.id ?? "");

test("the first stop leads past the navigation", async () => {
  const page = await visit(board.url);
  await page.keyboard.press("Tab");
  const link = page.locator(":focus");
  assert.match(await link.textContent(), /skip/i);
  assert.ok(await link.isVisible());
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.id), "main");
});

test("j and k walk along the events, Enter opens one", async () => {
  const page = await visit(board.url);
  await page.goto(at("/events"));
  await page.keyboard.press("j");
  assert.match(await focused(page), /echo three/);
  await page.keyboard.press("j");
  assert.match(await focused(page), /echo two/);
  await page.keyboard.press("k");
  assert.match(await focused(page), /echo three/);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/events\/\w+/);
  assertCalm(page);
});

test("two letters lead to each page, a slash to the search", async () => {
  const page = await visit(board.url);
  for (const [letter, path] of [["s", "/sessions"], ["e", "/events"], ["d", "/denials"], ["p", "/policies"], ["t", "/tasks"], ["o", "/"]]) {
    await page.keyboard.press("g");
    await page.keyboard.press(letter);
    await page.waitForURL(at(path));
  }
  await page.keyboard.press("/");
  await page.keyboard.type("gs jk?");
  assert.equal(await page.locator(":focus").inputValue(), "gs jk?", "in a field letters are letters");
});

test("a question mark lists the keys, Escape closes the list", async () => {
  const page = await visit(board.url);
  await page.keyboard.press("?");
  const list = page.locator("dialog#keys");
  assert.ok(await list.isVisible());
  await assertAccessible(page, "the list of keys");
  await page.keyboard.press("Escape");
  assert.ok(!(await list.isVisible()));
});

test("every element with the focus shows it", async () => {
  const page = await visit(board.url);
  await page.goto(at("/events"));
  for (let stop = 0; stop < 25; stop += 1) {
    await page.keyboard.press("Tab");
    const ring = await page.evaluate(() => {
      const it = document.activeElement;
      if (!it || it === document.body) return null;
      const style = getComputedStyle(it);
      return { what: it.outerHTML.slice(0, 80), width: parseFloat(style.outlineWidth), style: style.outlineStyle, shadow: style.boxShadow };
    });
    if (!ring) continue;
    assert.ok((ring.style !== "none" && ring.width > 0) || ring.shadow !== "none", JSON.stringify(ring));
  }
});
