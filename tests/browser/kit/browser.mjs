// The real browser, and a page that notices everything that goes wrong in it.
import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { browserFolder, requireTool } from "./tools.mjs";

const ARGUMENTS = [
  "--no-sandbox", // as root there is none
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--font-render-hinting=none",
];

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

let running;
let isClosing = false;

/** Chromium itself crashes now and then. Without this a test would wait for it; the file is run once more instead. */
function crashed() {
  if (isClosing) return;
  console.error("Chromium has crashed; the tests of this file are run again");
  if (process.env.FLYBALL_BROWSER_CRASHES) appendFileSync(process.env.FLYBALL_BROWSER_CRASHES, `${process.argv[1]}\n`);
  process.exit(1);
}

/** The one browser of a test file. */
export async function browser() {
  running ??= requireTool("playwright-core").chromium.launch({
    executablePath: join(browserFolder(), "bin/chromium"),
    headless: true,
    args: ARGUMENTS,
  }).then((browser) => {
    browser.on("disconnected", crashed);
    return browser;
  });
  return running;
}

export async function closeBrowser() {
  isClosing = true;
  await (await running)?.close();
  running = undefined;
  isClosing = false;
}

/** A page of its own, as for another person: no cookies, no history. Ends the test if anything fails in it. */
export async function visit(url, { viewport = DESKTOP, colorScheme = "light", ...more } = {}) {
  const context = await (await browser()).newContext({ viewport, colorScheme, locale: "en-GB", timezoneId: "UTC", ...more });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.complaints = complaints;
  if (url) await page.goto(url);
  return page;
}

/** Nothing was refused by the content policy, nothing failed to load, no script threw. */
export function assertCalm(page) {
  assert.deepEqual(page.complaints, []);
}

const AXE = () => readFileSync(requireTool("axe-core/package.json") && join(browserFolder(), "node_modules/axe-core/axe.min.js"), "utf8");

/** axe-core finds nothing: labels, contrast, roles, order of headings. */
export async function assertAccessible(page, what) {
  // Evaluated by the driver, not by the page: its content policy stays as it is.
  await page.evaluate(AXE());
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  const found = violations.map(({ id, help, nodes }) => ({ id, help, where: nodes.slice(0, 4).map((node) => `${node.target} ${node.failureSummary}`) }));
  assert.deepEqual(found, [], `${what}: ${JSON.stringify(found, null, 2)}`);
}
