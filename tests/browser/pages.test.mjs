// Every page, in light and dark, wide and on a phone: whole, calm, accessible, nothing sticking out.
import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";

import { assertAccessible, assertCalm, closeBrowser, DESKTOP, PHONE, visit } from "./kit/browser.mjs";
import { demo } from "./kit/demo.mjs";
import { World } from "./kit/world.mjs";

let board, denial, session, pass;
before(async () => {
  board = await demo();
  const page = await visit(board.url);
  await page.goto(at("/events?verdict=deny&range=all"));
  denial = await page.locator("main a[href^='/events/']").first().getAttribute("href");
  await page.goto(at("/sessions?range=all"));
  session = await page.locator("main a[href^='/sessions/']").first().getAttribute("href");
  pass = await page.context().storageState();
  await page.context().close();
});
after(async () => {
  await closeBrowser();
  await board.end();
});

const at = (path) => new URL(path, board.url).href;
const PAGES = {
  overview: () => "/?range=7d",
  sessions: () => "/sessions?range=all",
  "one session": () => session,
  events: () => "/events?range=all",
  denials: () => "/denials?range=all",
  "what was found": () => "/denials?range=all&outcome=finding",
  "denials one by one": () => "/events?verdict=deny&range=all",
  "a time of one's own": () => `/?from=${new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10)}`,
  "an explanation": () => denial,
  policies: () => "/policies?range=7d",
  "one policy": () => "/policies/guard.packages?range=7d",
  tasks: () => "/tasks",
  "nothing found": () => "/events?q=no-such-text-anywhere",
  "no such page": () => "/nowhere",
  "no such session": () => "/sessions/claude-code/none",
};

for (const [name, path] of Object.entries(PAGES)) {
  for (const colorScheme of ["light", "dark"]) {
    for (const [device, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
      test(`${name}, ${colorScheme}, ${device}`, async () => {
        const page = await visit(at(path()), { colorScheme, viewport, storageState: pass });
        const missing = name.startsWith("no such");
        if (!missing) assertCalm(page);
        assert.equal(await page.locator("h1").count(), 1, "one heading names the page");
        const out = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        const widest = await page.evaluate(() => {
          const sticksOut = (element) => element.getBoundingClientRect().right > document.documentElement.clientWidth;
          return [...document.querySelectorAll("main *")].filter(sticksOut).at(-1)?.outerHTML.slice(0, 200);
        });
        assert.equal(out, 0, `${out} pixels stick out: ${widest}`);
        await assertAccessible(page, `${name}, ${colorScheme}, ${device}`);
        await page.context().close();
      });
    }
  }
}

test("an empty store shows what would be here and how to get it", async () => {
  const empty = new World();
  try {
    const fresh = await empty.serve();
    const page = await visit(fresh.url);
    for (const path of ["/", "/sessions", "/events", "/denials", "/policies", "/tasks"]) {
      await page.goto(new URL(path, fresh.url).href);
      assert.ok(await page.locator(".empty").count(), `${path} has no text for newcomers`);
      await assertAccessible(page, `empty ${path}`);
    }
    await page.goto(fresh.url);
    assert.match(await page.textContent("main"), /flyball init/);
    assertCalm(page);
  } finally {
    await empty.end();
  }
});

test("a store that cannot be read is reported with a fix", async () => {
  const broken = new World();
  try {
    broken.hook("SessionStart", { source: "startup" });
    broken.run(["log"]);
    for (const end of ["-wal", "-shm"]) rmSync(join(broken.state, `flyball.db${end}`), { force: true });
    writeFileSync(join(broken.state, "flyball.db"), "this is no database, whatever its name says ".repeat(400));
    const error = await broken.serve();
    const page = await visit(error.url);
    assert.match(await page.textContent("main"), /flyball doctor/);
    assert.ok(await page.locator(".error").count());
    await assertAccessible(page, "error");
  } finally {
    await broken.end();
  }
});
