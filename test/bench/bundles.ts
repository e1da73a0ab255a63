import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { duration, median, type Figure } from "./measure.ts";

const ENTRY = "dist/extension.js";
const MOST_BYTES = 90 * 1024;
const RUNS = 15;

/**
 * Loads an extension in a fresh process with an editor API that does nothing; prints ms of require and activate.
 * What the editor's own extension host has loaded of Node before any extension is loaded first.
 */
const LOAD = `
for (const name of "child_process crypto events fs http https module net os path stream tls url util zlib".split(" ")) require(name);
const Module = require("node:module");
const hollow = () => new Proxy(function () {}, {
  get: (_, key) => key === Symbol.toPrimitive ? () => "" : key === Symbol.iterator ? function* () {} : key === "then" ? undefined : hollow(),
  apply: () => hollow(), construct: () => hollow(), set: () => true,
});
const { globSync, readFileSync } = require("node:fs");
const code = globSync(require("node:path").dirname(process.argv[1]) + "/{,chunks/}*.js").map((file) => readFileSync(file, "utf8"));
const names = code.join().match(/(?<=\\.)[A-Za-z]\\w*/g) ?? [];
const editor = Object.fromEntries(names.map((name) => [name, hollow()]));
const load = Module._load;
Module._load = (request, ...rest) => request === "vscode" ? editor : load(request, ...rest);
const start = performance.now();
const extension = require(process.argv[1]);
extension.activate({ subscriptions: [], secrets: hollow(), globalState: hollow(), extensionUri: hollow(), globalStorageUri: { fsPath: process.argv[2] }, extension: { packageJSON: { version: "0.0.0" } } });
console.log(performance.now() - start);
process.exit();
`;

/** The entry and every chunk that it needs before its first `import()`. */
function loadedAtOnce(): string[] {
  const { outputs } = JSON.parse(readFileSync("dist/meta.json", "utf8")) as {
    outputs: Record<string, { imports: { path: string; kind: string }[] }>;
  };
  const found = new Set([ENTRY]);
  for (const file of found) {
    for (const { path, kind } of outputs[file]?.imports ?? []) {
      if (kind === "import-statement" && path in outputs) found.add(path);
    }
  }
  return [...found];
}

/** Size of the entry bundle, and what loading it costs over an extension that does nothing. */
export function bundleFigures(): Figure[] {
  execFileSync(process.execPath, ["esbuild.mjs", "--production", "--metafile"]);
  const bytes = loadedAtOnce().reduce((sum, file) => sum + statSync(file).size, 0);
  const folder = mkdtempSync(join(tmpdir(), "bidside-bench-"));
  try {
    const nothing = join(folder, "nothing.js");
    writeFileSync(nothing, "exports.activate = () => undefined;");
    const run = (file: string): number =>
      Number(execFileSync(process.execPath, ["--eval", LOAD, file, folder], { encoding: "utf8" }));
    const pairs = Array.from({ length: RUNS }, () => [run(resolve(ENTRY)), run(nothing)] as const);
    const [ours, floor] = [median(pairs.map(([first]) => first)), median(pairs.map(([, second]) => second))];
    return [
      {
        what: "extension entry bundle, minified, with the chunks it loads at once",
        measured: `${(bytes / 1024).toFixed(1)} KB`,
        floor: "–",
        result: `${(bytes / 1024).toFixed(1)} KB`,
        target: "≤ 90 KB",
        met: bytes <= MOST_BYTES,
      },
      {
        what: "require + activate in a fresh process (floor: an extension that does nothing)",
        measured: duration(ours),
        floor: duration(floor),
        result: `+ ${duration(ours - floor)}`,
        target: "≤ 25 ms more",
        met: ours - floor <= 25,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
