// Who is let in, and what a page may do.
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

test("the link that was printed opens the board, and the token is gone from the address", async () => {
  const page = await visit(board.url);
  assert.equal(page.url(), at("/"));
  await page.getByRole("link", { name: "Sessions", exact: true }).click();
  assert.equal(page.url(), at("/sessions"));
  assert.equal(await page.evaluate(() => document.cookie), "", "scripts cannot read it");
  assertCalm(page);
});

test("a link into the board works with the token", async () => {
  const token = new URL(board.url).searchParams.get("token");
  const page = await visit(at(`/events?verdict=deny&token=${token}`));
  assert.equal(page.url(), at("/events?verdict=deny"));
  await page.getByRole("heading", { name: "Events", level: 1 }).waitFor();
});

test("nobody else is let in, and the page says what to do", async () => {
  const page = await visit();
  const answer = await page.goto(at("/"));
  assert.equal(answer.status(), 401);
  assert.match(await page.textContent("body"), /flyball dash/);
});

test("a page from elsewhere gets nothing from the board", async () => {
  const insider = await visit(board.url);
  // The same browser, with the cookie of the board, on another site's page.
  const outsider = await insider.context().newPage();
  await outsider.route("http://elsewhere.test/", (route) => route.fulfill({ contentType: "text/html", body: "<h1>elsewhere</h1>" }));
  await outsider.goto("http://elsewhere.test/");
  const got = await outsider.evaluate(async (address) => {
    try {
      const answer = await fetch(address, { credentials: "include" });
      return answer.status;
    } catch {
      return "refused";
    }
  }, at("/events"));
  assert.equal(got, "refused");
  const framed = await outsider.evaluate(async (address) => {
    const frame = Object.assign(document.createElement("iframe"), { src: address });
    const loaded = new Promise((done) => (frame.onload = done));
    document.body.append(frame);
    await loaded;
    try {
      return frame.contentDocument?.body?.textContent ?? "closed";
    } catch {
      return "closed";
    }
  }, at("/"));
  assert.doesNotMatch(framed, /Sessions/);
});

test("what an agent wrote is shown as text and never runs", async () => {
  const hostile = `echo "<script>document.title='taken'</script><img src=x onerror=alert(1)>"`;
  world.shell(hostile, "<b>session</b>");
  const page = await visit(board.url);
  let dialogs = 0;
  page.on("dialog", (dialog) => ((dialogs += 1), dialog.dismiss()));
  await page.goto(at("/events"));
  await page.getByText("onerror=alert(1)").first().waitFor();
  assert.notEqual(await page.title(), "taken");
  assert.equal(await page.locator("main img, main script, main b").count(), 0);
  assert.equal(dialogs, 0);
  assertCalm(page);
});

test("nothing inline runs, even if it got in", async () => {
  const page = await visit(board.url);
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'taken'";
    document.body.append(script);
  });
  assert.notEqual(await page.title(), "taken");
  assert.ok(page.complaints.some((text) => text.includes("Content Security Policy")));
});
