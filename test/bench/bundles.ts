import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { duration, median, type Figure } from "./measure.ts";

const ENTRY = "dist/extension.js";
const MOST_MS = 15;
const RUNS = 31;

/**
 * Loads an extension in a fresh process with an editor API that does nothing; prints ms of require and activate.
 * The modules of Node that the editor's extension host loads before any extension are loaded first.
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
console.log(ms);
process.exit();
`;

/** Time until the extension is loaded and activated, compared with an extension that does nothing. */
export function bundleFigures(): Figure[] {
  execFileSync(process.execPath, ["esbuild.mjs", "--production", "--metafile"]);
  const folder = mkdtempSync(join(tmpdir(), "bidside-bench-"));
  try {
    const nothing = join(folder, "nothing.js");
    writeFileSync(nothing, "exports.activate = () => undefined;");
    const run = (file: string): number =>
      Number(execFileSync(process.execPath, ["--eval", LOAD, file, folder], { encoding: "utf8" }));
    const pairs = Array.from({ length: RUNS }, () => [run(resolve(ENTRY)), run(nothing)] as const);
    const [ours, floor] = [median(pairs.map(([ms]) => ms)), median(pairs.map(([, ms]) => ms))];
    return [
      {
        name: "activate",
        what: "require + activate in a fresh process (floor: an extension that does nothing)",
        measured: duration(ours),
        floor: duration(floor),
        result: `+ ${duration(ours - floor)}`,
        value: ours - floor,
        target: `≤ ${MOST_MS} ms more`,
        met: ours - floor <= MOST_MS,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
