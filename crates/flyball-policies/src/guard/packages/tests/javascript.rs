//! JavaScript: every direction.

use super::{Row, check_rows, check_rows_in, config, instead, judged_at};
use crate::testing::PinnedWorld;

const TO_BUN: &[Row] = &[
    ("npm install", "bun install"),
    ("npm i", "bun install"),
    ("npm install react react-dom@18", "bun add react react-dom@18"),
    ("npm i -D typescript", "bun add -d typescript"),
    ("npm install --save-dev typescript", "bun add -d typescript"),
    ("npm install typescript --save-dev", "bun add -d typescript"),
    ("npm i --save react", "bun add react"),
    ("npm i -E react", "bun add --exact react"),
    ("npm install -g typescript", "bun add -g typescript"),
    ("npm -g install typescript", "bun add -g typescript"),
    ("npm i --save-peer react", "bun add --peer react"),
    ("npm i -O fsevents", "bun add --optional fsevents"),
    ("npm i --legacy-peer-deps --no-audit react", "bun add react"),
    ("npm i '@scope/a@^1'", "bun add '@scope/a@^1'"),
    ("npm ci", "bun install --frozen-lockfile"),
    ("npm ci --omit=dev", "bun install --frozen-lockfile --production"),
    ("npm install --production", "bun install --production"),
    ("npm ci --ignore-scripts", "bun install --frozen-lockfile --ignore-scripts"),
    ("npm uninstall react", "bun remove react"),
    ("npm rm react", "bun remove react"),
    ("npm un -g typescript", "bun remove -g typescript"),
    ("npm run build", "bun run build"),
    ("npm run build -- --watch --port 3", "bun run build --watch --port 3"),
    ("npm run-script lint", "bun run lint"),
    ("npm --silent run build", "bun run build"),
    ("npm run build --if-present", "bun run --if-present build"),
    ("npm test", "bun run test"),
    ("npm t -- -u", "bun run test -u"),
    ("npm start", "bun run start"),
    ("npm exec tsc", "bunx tsc"),
    ("npx tsc --noEmit -p .", "bunx tsc --noEmit -p ."),
    ("npx -y create-next-app@latest app --ts", "bunx create-next-app@latest app --ts"),
    ("npx --yes -p typescript tsc", "bunx -p typescript tsc"),
    ("npx -- cowsay hi", "bunx cowsay hi"),
    ("npm init -y", "bun init -y"),
    ("npm init vite@latest app -- --template vue", "bun create vite@latest app --template vue"),
    ("npm create vite@latest", "bun create vite@latest"),
    ("npm ls", ""),
    ("npm outdated", ""),
    ("npm update", "bun update"),
    ("npm update react", "bun update react"),
    ("npm explain react", ""),
    ("npm link", "-"),
    ("npm cache clean --force", "-"),
    ("npm --prefix web install", "bun --cwd=web install"),
    ("npm run build -w pkg", "bun run --filter pkg build"),
    ("npm run build -ws", "bun run --filter '*' build"),
    ("npm dedupe", "-"),
    ("npm prune", "-"),
    ("npm config get registry", ""),
    ("npm rebuild", "-"),
    ("yarn", "bun install"),
    ("yarn install", "bun install"),
    ("yarn install --frozen-lockfile", "bun install --frozen-lockfile"),
    ("yarn add react", "bun add react"),
    ("yarn add -D typescript", "bun add -d typescript"),
    ("yarn add react --dev", "bun add -d react"),
    ("yarn remove react", "bun remove react"),
    ("yarn run build", "bun run build"),
    ("yarn build --watch", "bun run build --watch"),
    ("yarn test", "bun run test"),
    ("yarn dlx create-react-app app", "bunx create-react-app app"),
    ("yarn global add typescript", "bun add -g typescript"),
    ("yarn why react", ""),
    ("yarn upgrade", "bun update"),
    ("yarn create vite app", "bun create vite app"),
    ("yarn workspace web build", "bun run --filter web build"),
    ("yarn workspace web run build", "bun run --filter web build"),
    ("yarn set version berry", "-"),
    ("yarnpkg add react", "bun add react"),
    ("pnpm install", "bun install"),
    ("pnpm i --frozen-lockfile", "bun install --frozen-lockfile"),
    ("pnpm add react", "bun add react"),
    ("pnpm add -D typescript", "bun add -d typescript"),
    ("pnpm add -w react", "bun add react"),
    ("pnpm remove react", "bun remove react"),
    ("pnpm run build", "bun run build"),
    ("pnpm build", "bun run build"),
    ("pnpm dev --port 3000", "bun run dev --port 3000"),
    ("pnpm dlx cowsay hi", "bunx cowsay hi"),
    ("pnpx cowsay hi", "bunx cowsay hi"),
    ("pnpm exec tsc", "bun run tsc"),
    ("pnpm -C web install", "bun --cwd=web install"),
    ("pnpm --filter web run build", "bun run --filter web build"),
    ("pnpm store prune", "-"),
    ("pnpm fetch", "-"),
    ("npm --prefix web run build", "bun --cwd=web run build"),
    ("npm install -w web react", "bun add --filter web react"),
    ("npm view react --json", ""),
    ("npm install --dry-run", "bun install --dry-run"),
    ("npm install --dry-run react", "-"),
    ("npm install --package-lock-only", "bun install --lockfile-only"),
    ("npx --no-install tsc", "bun run tsc"),
    ("npx npm@10 install react", "bun add react"),
    ("bunx npm install react", "bun add react"),
    ("bun x pnpm add react", "bun add react"),
    ("npx --yes pnpm install --frozen-lockfile", "bun install --frozen-lockfile"),
    ("pnpm exec npm ci", "bun install --frozen-lockfile"),
    ("yarn exec npm run build", "bun run build"),
    ("bunx npm --version", ""),
    ("bunx bun add react", ""),
    ("npx bun install", ""),
    ("npx @scope/npm install", "bunx @scope/npm install"),
    ("cd web && npm ci && npm run build", "cd web && bun install --frozen-lockfile && bun run build"),
    ("npm run dev > dev.log 2>&1 &", "bun run dev > dev.log 2>&1 &"),
    ("CI=1 npm test | tee out.txt", "CI=1 bun run test | tee out.txt"),
];

const TO_PNPM: &[Row] = &[
    ("npm install", "pnpm install"),
    ("npm i react", "pnpm add react"),
    ("npm i -D typescript", "pnpm add -D typescript"),
    ("npm i -g typescript", "pnpm add -g typescript"),
    ("npm i -E react", "pnpm add -E react"),
    ("npm ci", "pnpm install --frozen-lockfile"),
    ("npm ci --omit=dev", "pnpm install --frozen-lockfile --prod"),
    ("npm rm react", "pnpm remove react"),
    ("npm run build -- --watch", "pnpm run build --watch"),
    ("npm run build --workspace=web", "pnpm --filter web run build"),
    ("npm run build --workspaces", "pnpm -r run build"),
    ("npx cowsay hi", "pnpm dlx cowsay hi"),
    ("npx -p typescript tsc", "pnpm --package typescript dlx tsc"),
    ("npm init -y", "pnpm init"),
    ("npm create vite app -- --template vue", "pnpm create vite app --template vue"),
    ("npm dedupe", "-"),
    ("npm config get registry", ""),
    ("yarn", "pnpm install"),
    ("yarn add -P react", "pnpm add --save-peer react"),
    ("yarn global add typescript", "pnpm add -g typescript"),
    ("yarn build", "pnpm run build"),
    ("bun add -d typescript", "pnpm add -D typescript"),
    ("bun install", "pnpm install"),
    ("bun run build", "pnpm run build"),
    ("bunx cowsay hi", "pnpm dlx cowsay hi"),
    ("bun remove react", "pnpm remove react"),
    ("bun dev", "pnpm run dev"),
    ("npm link", "-"),
    ("npm link ../lib", "-"),
    ("npm install --dry-run", "-"),
    ("npx pnpm install", ""),
    ("pnpm exec npm i react", "pnpm add react"),
    ("pnpm dlx yarn add react", "pnpm add react"),
    ("bun test", ""),
    ("bun run index.ts", ""),
];

const TO_YARN: &[Row] = &[
    ("npm install", "yarn install"),
    ("npm i react", "yarn add react"),
    ("npm i -D typescript", "yarn add -D typescript"),
    ("npm i -g typescript", "yarn global add typescript"),
    ("npm un -g typescript", "yarn global remove typescript"),
    ("npm ci", "yarn install --frozen-lockfile"),
    ("npm run build -- --watch", "yarn run build --watch"),
    ("npm run build -w web", "yarn workspace web run build"),
    ("npm run build --workspaces", "yarn workspaces run build"),
    ("npm --prefix web i", "yarn --cwd web install"),
    ("npx cowsay hi", ""),
    ("npm update react", "yarn upgrade react"),
    ("pnpm add -O fsevents", "yarn add -O fsevents"),
    ("pnpm -r run build", "yarn workspaces run build"),
    ("bun add --exact react", "yarn add -E react"),
    ("bun pm ls", ""),
    ("bun pm trust x", "-"),
    ("npx --yes cowsay hi", ""),
    ("npm exec cowsay", ""),
    ("pnpm dlx cowsay hi", "npx cowsay hi"),
    ("bunx cowsay hi", "npx cowsay hi"),
    ("npx npm install react", "yarn add react"),
    ("yarn exec npm install react", "yarn add react"),
    ("npx yarn install", ""),
    ("npm rebuild", "-"),
    ("npm dedupe", "-"),
];

/// Yarn 2 and later.
const TO_MODERN_YARN: &[Row] = &[
    ("npm install", "yarn install"),
    ("npm i -D typescript", "yarn add -D typescript"),
    ("npm i -g typescript", "-"),
    ("npm un -g typescript", "-"),
    ("npm ci", "yarn install --immutable"),
    ("npm ci --omit=dev", "yarn workspaces focus --all --production"),
    ("npm ci --ignore-scripts", "yarn install --immutable --mode=skip-build"),
    ("npm install --package-lock-only", "yarn install --mode=update-lockfile"),
    ("npm run build -w web", "yarn workspace web run build"),
    ("npm run build --workspaces", "yarn workspaces foreach -A --exclude . run build"),
    ("npx cowsay hi", "yarn dlx cowsay hi"),
    ("npx -p typescript tsc", "yarn dlx -p typescript tsc"),
    ("bunx cowsay hi", "yarn dlx cowsay hi"),
    ("npm update", "yarn up -R '*'"),
    ("npm update react", "yarn up -R react"),
    ("npm ls", ""),
    ("npm outdated", ""),
    ("npm dedupe", "-"),
    ("npm rebuild", "-"),
    ("npm init -y", "yarn init"),
    ("npm config get registry", ""),
    ("bun info react", ""),
];

const TO_NPM: &[Row] = &[
    ("yarn", "npm install"),
    ("yarn --frozen-lockfile", "npm ci"),
    ("yarn add react", "npm install react"),
    ("yarn add -D typescript", "npm install -D typescript"),
    ("yarn global add typescript", "npm install -g typescript"),
    ("yarn remove react", "npm uninstall react"),
    ("yarn build --watch", "npm run build -- --watch"),
    ("yarn test -u", "npm run test -- -u"),
    ("yarn dlx cowsay hi", "npx cowsay hi"),
    ("yarn workspace web add react", "npm -w web install react"),
    ("pnpm add -g typescript", "npm install -g typescript"),
    ("pnpm add --save-peer react", "npm install --save-peer react"),
    ("pnpm install --prod", "npm install --omit=dev"),
    ("pnpm run build --watch", "npm run build -- --watch"),
    ("pnpm --filter web build", "npm -w web run build"),
    ("pnpm exec tsc -p .", "npx tsc -p ."),
    ("pnpm -r build", "npm --workspaces run build"),
    ("pnpm store prune", "-"),
    ("bun add react", "npm install react"),
    ("bun install --frozen-lockfile", "npm ci"),
    ("bun run build", "npm run build"),
    ("bunx cowsay hi", "npx cowsay hi"),
    ("bun create vite app --template vue", "npm create vite app -- --template vue"),
    ("npm install", ""),
    ("npx tsc", ""),
];

pub(super) fn tables() -> impl Iterator<Item = &'static [Row]> {
    [TO_BUN, TO_PNPM, TO_YARN, TO_MODERN_YARN, TO_NPM].into_iter()
}

#[test]
fn to_bun() {
    check_rows("bun", TO_BUN);
}

#[test]
fn to_pnpm() {
    check_rows("pnpm", TO_PNPM);
}

#[test]
fn to_yarn() {
    check_rows("yarn", TO_YARN);
}

#[test]
fn to_modern_yarn() {
    let worlds = [
        ("yarn.lock", "# Generated\n\n__metadata:\n  version: 8\n"),
        (".yarnrc.yml", ""),
        ("package.json", "{\"packageManager\": \"yarn@4.1.0\"}"),
    ];
    for (name, text) in worlds {
        check_rows_in("yarn", TO_MODERN_YARN, || PinnedWorld::new().file(&format!("/project/{name}"), text));
    }
    let classic =
        [("yarn.lock", "# yarn lockfile v1\n"), ("package.json", "{\"packageManager\": \"yarn@1.22.22\"}")];
    for (name, text) in classic {
        check_rows_in("yarn", TO_YARN, || PinnedWorld::new().file(&format!("/project/{name}"), text));
    }
}

#[test]
fn the_root_of_a_workspace_is_named_where_the_manager_requires_it() {
    let rows = [
        ("pnpm", "npm i -D react", "Use `pnpm add -w -D react`"),
        ("pnpm", "npm i -g react", "Use `pnpm add -g react`"),
        ("pnpm", "npm i -w web react", "Use `pnpm --filter web add react`"),
        ("pnpm", "cd web && npm i react", "Use `cd web && pnpm add react`"),
        ("pnpm", "npm rm react", "Use `pnpm remove react`"),
        ("yarn", "npm i react", "Use `yarn add -W react`"),
        ("yarn", "npm rm react", "Use `yarn remove -W react`"),
        ("yarn", "cd web && npm i react", "Use `cd web && yarn add react`"),
        ("bun", "npm i react", "Use `bun add react`"),
    ];
    for (tool, command, expected) in rows {
        let world = PinnedWorld::new()
            .file("/project/pnpm-workspace.yaml", "packages: [web]")
            .file("/project/package.json", "{\"workspaces\": [\"web\"]}")
            .file("/project/web/package.json", "{}");
        assert_eq!(instead(&judged_at(&config(tool), command, world)), expected);
    }
}

#[test]
fn what_is_left_out_is_named() {
    let rows = [
        ("bun", "npm i --strict-peer-deps", "Use `bun install` (bun has no `--strict-peer-deps`)"),
        ("bun", "pnpm i --shamefully-hoist", "Use `bun install`"),
        ("bun", "npm i --legacy-peer-deps", "Use `bun install`"),
        (
            "bun",
            "npm run build --registry https://x.y",
            "Use `bun run build` (bun has no `--registry https://x.y`)",
        ),
        ("npm", "pnpm install --dev", "Use `npm install` (npm has no `--dev`)"),
        ("yarn", "npm run build --if-present", "Use `yarn run build` (yarn has no `--if-present`)"),
    ];
    for (tool, command, expected) in rows {
        assert_eq!(instead(&judged_at(&config(tool), command, PinnedWorld::new())), expected);
    }
}

#[test]
fn to_npm() {
    check_rows("npm", TO_NPM);
}

#[test]
fn a_program_that_is_installed_is_not_downloaded() {
    let rows = [
        ("pnpm", "npx tsc -p .", "Use `pnpm exec tsc -p .`"),
        ("pnpm", "yarn tsc", "Use `pnpm exec tsc`"),
        ("yarn", "npx tsc -p .", "Use `yarn run tsc -p .`"),
        ("npm", "yarn tsc -p .", "Use `npx tsc -p .`"),
        ("bun", "npx tsc -p .", "Use `bunx tsc -p .`"),
        ("pnpm", "cd web && npx tsc", "Use `cd web && pnpm exec tsc`"),
    ];
    for (tool, command, expected) in rows {
        let world = PinnedWorld::new().file("/project/node_modules/.bin/tsc", "");
        assert_eq!(instead(&judged_at(&config(tool), command, world)), expected);
    }
}
