// The board that `flyball demo --dash` fills. It is only read, so a whole run has one of it; a file that is run alone has its own.
import { World } from "./world.mjs";

const SHARED = "FLYBALL_TEST_DEMO";

/** Fills a board and serves it; tests that are started with the variables find it. */
export async function shareDemo() {
  const world = new World();
  const { url } = await fill(world);
  return { variables: { [SHARED]: url }, end: () => world.end() };
}

/** The board that is shared, or a new one. */
export async function demo() {
  const shared = process.env[SHARED];
  if (shared) return { url: shared, end: async () => {} };
  const world = new World();
  const { url } = await fill(world);
  return { url, end: () => world.end() };
}

const fill = (world) => world.serve(["demo", "--dash", "--port", "0"]);
