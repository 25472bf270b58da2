// The pictures of the README, taken of the board that `flyball demo --dash` fills.
import assert from "node:assert/strict";
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { closeBrowser, PHONE, visit } from "./kit/browser.mjs";
import { demo } from "./kit/demo.mjs";
import { ROOT } from "./kit/tools.mjs";

const FOLDER = join(ROOT, process.env.FLYBALL_BLESS ? "docs/images" : "target/pictures");

let board;
before(async () => {
  mkdirSync(FOLDER, { recursive: true });
  board = await demo();
});
after(async () => {
  await closeBrowser();
  await board.end();
});

const at = (path) => new URL(path, board.url).href;

async function take(name, path, options = {}) {
  const page = await visit(board.url, { viewport: { width: 1280, height: 860 }, ...options });
  await page.goto(at(path));
  await page.locator("#live").getByText("live", { exact: false }).waitFor();
  assert.doesNotMatch(await page.innerText("main"), /\/tmp\/|flyball-browser-/, "a picture shows nothing of the machine it was taken on");
  const file = join(FOLDER, `board-${name}.png`);
  await page.screenshot({ path: file });
  const { size } = statSync(file);
  assert.ok(size > 10_000, `${file} shows nothing`);
  assert.ok(size < 250_000, `${file} has ${size} bytes: too much for a README`);
  await page.context().close();
}

const TALL = { width: 1280, height: 1080 };

test("the overview", () => take("overview", "/?range=7d", { viewport: TALL }));
test("the overview in the dark", () => take("overview-dark", "/?range=7d", { viewport: TALL, colorScheme: "dark" }));
test("denials by rule and project", () => take("denials", "/denials?range=7d"));
test("the overview on a phone", () => take("phone", "/?range=7d", { viewport: PHONE }));

test("a session with several agents, and an explanation", async () => {
  const page = await visit(board.url);
  await page.goto(at("/sessions?range=7d"));
  const links = await page.locator("main a[href^='/sessions/']").evaluateAll((all) => [...new Set(all.map((link) => link.getAttribute("href")))]);
  let best = { lanes: 0, link: links[0] };
  for (const link of links.slice(0, 15)) {
    await page.goto(at(link));
    const lanes = await page.locator("svg.swim-lanes .lane").count();
    if (lanes > best.lanes && lanes <= 6) best = { lanes, link };
  }
  assert.ok(best.lanes > 2, "no session with several agents");
  await take("session", best.link, { viewport: { width: 1280, height: 980 } });
  await page.goto(at("/events?verdict=deny&policy=guard.packages&range=all"));
  await take("explain", await page.locator("main a[href^='/events/']").first().getAttribute("href"), { viewport: TALL, colorScheme: "dark" });
});
