import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { duration, median, type Figure } from "./measure.ts";

const ENTRY = "dist/extension.js";
const MOST_BYTES = 90 * 1024;
const RUNS = 15;

/**
 * Loads an extension in a fresh process with an editor API that does nothing; prints ms of require and activate, and
 * which of its files that loaded.
 * What the editor's own extension host has loaded of Node before any extension is loaded first.
 */
const LOAD = `
for (const name of "child_process crypto events fs http https module net os path stream tls url util zlib".split(" ")) require(name);
const Module = require("node:module");
const hollow = () => new Proxy(function () {}, {
  get: (_, key) => key === Symbol.toPrimitive ? () => "" : key === Symbol.iterator ? function* () {} : key === "then" ? undefined : hollow(),
  apply: () => hollow(), construct: () => hollow(), set: () => true,
});
const api = require("node:fs").readFileSync("node_modules/@types/vscode/index.d.ts", "utf8");
const names = [...api.matchAll(/^\\texport (?:abstract )?(?:class|enum|namespace|const|let|function) (\\w+)/gm)].map(([, name]) => name);
const editor = Object.fromEntries(names.map((name) => [name, hollow()]));
const load = Module._load;
Module._load = (request, ...rest) => request === "vscode" ? editor : load(request, ...rest);
const start = performance.now();
const extension = require(process.argv[1]);
extension.activate({ subscriptions: [], secrets: hollow(), globalState: hollow(), extensionUri: hollow(), globalStorageUri: { fsPath: process.argv[2] }, extension: { packageJSON: { version: "0.0.0" } } });
const ms = performance.now() - start;
const files = Object.keys(require.cache).filter((file) => file.startsWith(require("node:path").dirname(process.argv[1])));
console.log(JSON.stringify({ ms, files }));
process.exit();
`;

interface Load {
  readonly ms: number;
  /** Of the extension's own. */
  readonly files: readonly string[];
}

/** Size of the entry bundle, and what loading it costs over an extension that does nothing. */
export function bundleFigures(): Figure[] {
  execFileSync(process.execPath, ["esbuild.mjs", "--production", "--metafile"]);
  const folder = mkdtempSync(join(tmpdir(), "bidside-bench-"));
  try {
    const nothing = join(folder, "nothing.js");
    writeFileSync(nothing, "exports.activate = () => undefined;");
    const run = (file: string): Load =>
      JSON.parse(
        execFileSync(process.execPath, ["--eval", LOAD, file, folder], { encoding: "utf8" }),
      ) as Load;
    const pairs = Array.from({ length: RUNS }, () => [run(resolve(ENTRY)), run(nothing)] as const);
    const [ours, floor] = [median(pairs.map(([{ ms }]) => ms)), median(pairs.map(([, { ms }]) => ms))];
    const files = pairs[0]?.[0].files ?? [];
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    return [
      {
        name: "entry size",
        what: `extension entry bundle, minified, with whatever it loads at once (files: ${files.length})`,
        measured: `${(bytes / 1024).toFixed(1)} KB`,
        floor: "–",
        result: `${(bytes / 1024).toFixed(1)} KB`,
        value: bytes / 1024,
        target: "≤ 90 KB",
        met: bytes <= MOST_BYTES,
      },
      {
        name: "activate",
        what: "require + activate in a fresh process (floor: an extension that does nothing)",
        measured: duration(ours),
        floor: duration(floor),
        result: `+ ${duration(ours - floor)}`,
        value: ours - floor,
        target: "≤ 25 ms more",
        met: ours - floor <= 25,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
