import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { duration, median, type Figure } from "./measure.ts";

const ENTRY = "dist/extension.js";
const MAX_MS = 5;
const RUNS = 31;

/**
 * Loads an extension in a fresh process with an editor API that does nothing; prints ms of require
 * and activate, and ms until the extension is there.
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
const active = extension.activate({ subscriptions: [], secrets: hollow(), globalState: hollow(), workspaceState: hollow(), extensionUri: hollow(), globalStorageUri: { fsPath: process.argv[2] }, extension: { packageJSON: { version: "0.0.0" } } });
const activated = performance.now() - start;
Promise.resolve(active).then(() => {
  console.log(JSON.stringify([activated, performance.now() - start]));
  process.exit();
});
`;

/**
 * Time that the editor's start waits for the extension, compared with an extension that does nothing, and the time until all of the
 * extension is there, right after the start.
 */
export function startFigure(): Figure {
  execFileSync(process.execPath, ["esbuild.mjs", "--production", "--metafile"]);
  const folder = mkdtempSync(join(tmpdir(), "bidside-bench-"));
  try {
    const nothing = join(folder, "nothing.js");
    writeFileSync(nothing, "exports.activate = () => undefined;");
    const load = (file: string): readonly number[] =>
      JSON.parse(execFileSync(process.execPath, ["--eval", LOAD, file, folder], { encoding: "utf8" }));
    const rounds = Array.from({ length: RUNS }, () => ({
      ours: load(resolve(ENTRY)),
      nothing: load(nothing),
    }));
    const ours = median(rounds.map((round) => round.ours[0] ?? Number.NaN));
    const floor = median(rounds.map((round) => round.nothing[0] ?? Number.NaN));
    const app = median(rounds.map((round) => round.ours[1] ?? Number.NaN));
    return {
      what: `require + activate (floor: an extension that does nothing; then the app, until all is there: ${duration(app)})`,
      measured: duration(ours),
      floor: duration(floor),
      result: `+ ${duration(ours - floor)}`,
      target: `≤ ${MAX_MS} ms more`,
      met: ours - floor <= MAX_MS,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
