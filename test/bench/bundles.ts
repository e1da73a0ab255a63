import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { duration, median, type Figure } from "./measure.ts";

const ENTRY = "dist/extension.js";
const AT_START = [ENTRY, "dist/shared.js"];
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
editor.env = { appName: "Bench", uriScheme: "bench" };
process.env.XDG_DATA_HOME = process.argv[2];
const load = Module._load;
Module._load = (request, ...rest) => request === "vscode" ? editor : load(request, ...rest);
const start = performance.now();
const extension = require(process.argv[1]);
extension.activate({ subscriptions: [], secrets: hollow(), globalState: hollow(), extensionUri: hollow(), globalStorageUri: { fsPath: process.argv[2] }, extension: { packageJSON: { version: "0.0.0" } } });
const ms = performance.now() - start;
console.log(ms);
process.exit();
`;

/** Compiles the files that the start loads, in a fresh process, and runs none of them; prints ms. */
const COMPILE = `
const { readFileSync } = require("node:fs");
const { Script } = require("node:vm");
const texts = process.argv.slice(1).map((file) => readFileSync(file, "utf8"));
const start = performance.now();
for (const text of texts) new Script("(function (exports, require, module) {" + text + "\\n})");
console.log(performance.now() - start);
`;

/**
 * Time until the extension is loaded and activated, compared with an extension that does nothing. Runs are compared by the ratio to
 * compiling the same files.
 */
export function startFigure(): Figure {
  execFileSync(process.execPath, ["esbuild.mjs", "--production", "--metafile"]);
  const folder = mkdtempSync(join(tmpdir(), "bidside-bench-"));
  try {
    const nothing = join(folder, "nothing.js");
    writeFileSync(nothing, "exports.activate = () => undefined;");
    const msOf = (script: string, ...args: string[]): number =>
      Number(execFileSync(process.execPath, ["--eval", script, ...args], { encoding: "utf8" }));
    const rounds = Array.from({ length: RUNS }, () => ({
      ours: msOf(LOAD, resolve(ENTRY), folder),
      nothing: msOf(LOAD, nothing, folder),
      compiled: msOf(COMPILE, ...AT_START),
    }));
    const ours = median(rounds.map((round) => round.ours));
    const floor = median(rounds.map((round) => round.nothing));
    const compiled = median(rounds.map((round) => round.compiled));
    return {
      what: `require + activate in a fresh process (floor: an extension that does nothing; compiling alone ${duration(compiled)})`,
      measured: duration(ours),
      floor: duration(floor),
      result: `+ ${duration(ours - floor)}`,
      target: `≤ ${MOST_MS} ms more`,
      met: ours - floor <= MOST_MS,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
