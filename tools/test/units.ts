import { spawn } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { findBrowser } from "../editor/findBrowser.ts";
import { findDesktop } from "../editor/findDesktop.ts";
import type { Progress } from "../editor/installOnce.ts";
import { installServer } from "../editor/installServer.ts";
import { root } from "../paths.ts";
import type { Unit } from "./lanes.ts";
import { FULL } from "../../test/support/rounds.ts";
import { firstLine, OUTCOME_FILE, type Outcome } from "./outcome.ts";

/** Which tests to run; all of them if empty. */
export interface Filter {
  /** Paths of test files, relative to the project's root. */
  readonly files: readonly string[];
  /** Text that a test's full title must contain. */
  readonly grep?: string;
}

/** The outcome of a unit, with its output. */
export interface Report extends Outcome {
  readonly output: string;
  readonly seconds: number;
}

/** A part of `npm test`. */
interface TestUnit extends Unit<Report> {
  /** Whether it needs the packaged extension, an editor and, usually, a browser. */
  readonly hasEditor: boolean;
}

/** Stages of `npm test`, in the order of the summary. */
export const stages = [
  "types",
  "lint",
  "format",
  "unused",
  "build",
  "package",
  "unit",
  "contract",
  "pages",
  "safety",
  "editor",
  "journeys",
] as const;

export type Stage = (typeof stages)[number];

/**
 * Timeout of a unit, in ms, so that a unit that hangs does not hang the build. A full safety line takes up to an hour.
 */
const LIMIT_MS = process.env[FULL] === undefined ? 15 * 60_000 : 60 * 60_000;

/**
 * Creates a folder for a unit's temporary files, in memory if possible, because the journal's tests flush to disk
 * thousands of times, which takes minutes on a busy disk. An editor's folder is on disk, because it grows to hundreds
 * of MB.
 */
function temporaryFolder(hasEditor: boolean): string {
  const memory = "/dev/shm";
  return mkdtempSync(join(!hasEditor && existsSync(memory) ? memory : tmpdir(), "bidside-unit-"));
}

/** The safety line that takes longest, although its file is small. */
const LONGEST = "03-hostile-settings";

/** Units that mostly wait for real time to pass, named by their last test file or their folder. */
const WAITING: ReadonlySet<string> = new Set([
  "windows",
  "16-frozen-leader",
  "36-killed-streams",
  "05-secrets-in-texts",
  "contract",
  "processes",
]);

/** The unit with a process per core: beside other units, all would take twice as long. */
const ALONE = "world";

/**
 * Groups of journeys that share an editor, in this order: those that need an empty ticket come first, those that change
 * the page (`picks`) or end a window (`windows`) last. The longest group starts first.
 */
const ONE_EDITOR: readonly (readonly string[])[] = [
  ["themes", "keys", "watching", "holdings", "sell", "chart", "ladder", "alerts", "oneDraft", "picks"],
  ["assistants", "orderStream", "liveMarkets", "goLive"],
  ["practice", "live", "orders", "chartHistory", "extensionPage"],
  ["stillness", "orderTracking", "pause", "windows"],
];

/** Matches safety lines that run the packaged extension in a real editor. */
const WITH_EDITOR = /Workbench\.open/;

/**
 * Returns the units of some stages, longest first, so that none runs alone at the end. Each journey, group of journeys
 * with one editor, and safety line is a unit with its own process and, if needed, browser. Other tests are one unit per
 * folder.
 */
export function unitsOf(wanted: readonly Stage[], filter: Filter): TestUnit[] {
  const { shared, alone } = journeysByEditor(filesOf("test/journeys", filter));
  const lines = filesOf("test/safety", filter).map((file) => tests("safety", [file], filter));
  const all = [
    // Waits longest, and works only a twentieth of its time, so it starts at once, beside the tests that need all
    // cores.
    ...folders("test/contract", filter).map((files) => tests("contract", files, filter)),
    script("package", ["tools/package.ts"]),
    script("build", ["esbuild.mjs", "--production", "--metafile"]),
    tool("format", ["oxfmt/bin/oxfmt", "--check"]),
    tool("types", ["typescript/bin/tsc", "-p", "."], ["typescript/bin/tsc", "-p", "src/webview"]),
    tool("lint", ["oxlint/bin/oxlint", "--deny-warnings"]),
    tool("unused", ["knip/bin/knip.js", "--no-progress"]),
    ...shared.map((files) => tests("journeys", files, filter)),
    ...folders("test/pages", filter).map((files) => tests("pages", files, filter)),
    ...lines,
    ...folders("test/{unit,repository,processes,world}", filter).map((files) => tests("unit", files, filter)),
    ...editorSuite(filter),
    ...alone.map((file) => tests("journeys", [file], filter)),
  ];
  return all.filter(({ group }) => wanted.some((stage) => stage === group));
}

/**
 * Installs VS Code's server and a browser if they are missing. Starts at once, because npm leaves at least one core to
 * the tests meanwhile. Only units with an editor wait for it, because no test's timeout allows for a download.
 */
export function editorInstallation(progress: Progress): TestUnit {
  const installed = Promise.allSettled([installServer(progress), findBrowser(progress)]);
  return unit("package", "the editor", false, async () => {
    for (const each of await installed) if (each.status === "rejected") throw each.reason;
    return { passed: 0, failed: 0, failures: [], output: "" };
  });
}

/** Splits journeys into those that share an editor and the others, which are shorter. */
function journeysByEditor(files: readonly string[]): {
  readonly shared: string[][];
  readonly alone: string[];
} {
  const named = new Map(files.map((file) => [basename(file, ".test.ts"), file]));
  const shared = ONE_EDITOR.map((names) => names.flatMap((name) => named.get(name) ?? []));
  return {
    shared: shared.filter((group) => group.length > 0),
    alone: files.filter((file) => !shared.flat().includes(file)),
  };
}

function filesOf(folder: string, { files }: Filter): string[] {
  const all = globSync(`${folder}/**/*.test.ts`, { cwd: root }).map((file) => file.replaceAll("\\", "/"));
  const size = (file: string): number => statSync(join(root, file)).size;
  return all
    .filter((file) => files.length === 0 || files.includes(file))
    .toSorted((one, other) => placeOf(one) - placeOf(other) || size(other) - size(one));
}

function placeOf(file: string): number {
  return basename(file, ".test.ts") === LONGEST ? 0 : 1;
}

/**
 * Groups test files by the tested part of the sources, largest group first. A unit per subfolder would start too many
 * processes.
 */
function folders(folder: string, filter: Filter): string[][] {
  const groups = Map.groupBy(filesOf(folder, filter), partOf);
  return [...groups.values()].toSorted((one, other) => other.length - one.length);
}

/** The folder of a test file, at most three levels deep, such as `test/unit/desk`. */
function partOf(file: string): string {
  return dirname(file).split("/").slice(0, 3).join("/");
}

function tool(stage: Stage, ...commands: readonly (readonly [string, ...string[]])[]): TestUnit {
  return script(stage, ...commands.map(([bin, ...args]) => [join("node_modules", bin), ...args]));
}

/** A unit that runs commands one after the other as one test, and shows their output if one fails. */
function script(stage: Stage, ...commands: readonly (readonly string[])[]): TestUnit {
  return unit(stage, stage, false, async () => {
    for (const command of commands) {
      const { code, output } = await node(command);
      if (code !== 0) return failed(`${command.join(" ")} ended with ${code}`, output);
    }
    return { passed: 1, failed: 0, failures: [], output: "" };
  });
}

function tests(stage: Stage, files: readonly string[], { grep }: Filter): TestUnit {
  const [first = ""] = files;
  const name = files.length === 1 || stage === "journeys" ? files.join(" ") : partOf(first);
  const hasEditor =
    stage === "journeys" || files.some((file) => WITH_EDITOR.test(readFileSync(file, "utf8")));
  const only = grep === undefined ? [] : ["--grep", grep];
  const how = stage === "journeys" ? ["--stories"] : ["--timeout", "60000"];
  return unit(stage, name, hasEditor, async () => {
    // A folder that is removed as a whole, because processes that a test kills leave files behind.
    const temporary = temporaryFolder(hasEditor);
    const file = join(temporary, "outcome.json");
    // No test's timeout allows for a download.
    if (stage === "pages") await findBrowser(console.log);
    const env = { TMPDIR: temporary, TEMP: temporary, TMP: temporary, [OUTCOME_FILE]: file };
    try {
      const args = ["tools/test/runMocha.ts", ...how, ...only, ...files];
      const { code, output } = await node(args, env);
      if (!existsSync(file)) return failed(`${name} ended without an outcome (${code})`, output);
      const outcome = JSON.parse(readFileSync(file, "utf8")) as Outcome;
      if (code !== 0 && outcome.failed === 0)
        return failed(`The tests of ${name} passed, yet ended with ${code}`, output);
      return { ...ran(outcome, name, grep), output };
    } finally {
      rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
    }
  });
}

/** The unit of the editor suite, which runs in one editor. None if all named files belong to other stages. */
function editorSuite(filter: Filter): TestUnit[] {
  const files = filter.files.length === 0 ? [] : filesOf("test/editor", filter);
  if (filter.files.length > 0 && files.length === 0) return [];
  const { grep } = filter;
  const suite = unit("editor", "test/editor", true, async () => {
    const built = await node(["esbuild.mjs", "--production", "--suite"]);
    if (built.code !== 0) return failed("The editor suite was not built", built.output);
    const lines: string[] = [];
    // Imported here, because the browser's driver takes half a second to load and most runs do not need it.
    const { launchDesktop } = await import("../editor/launchDesktop.ts");
    const { launchServer } = await import("../editor/launchServer.ts");
    const desktop = findDesktop();
    lines.push(desktop === undefined ? "In VS Code's server." : `In ${desktop}.`);
    const outcome = await (desktop === undefined
      ? launchServer((sentence) => lines.push(sentence), { files, grep })
      : launchDesktop(desktop, { files, grep }));
    lines.push(outcome.report.trim());
    return { ...ran(outcome, "test/editor", grep), output: lines.join("\n") };
  });
  return [suite];
}

/** Creates a unit. It fails if `run` rejects. If this run builds the package, units that need it wait for that. */
function unit(
  stage: Stage,
  name: string,
  hasEditor: boolean,
  run: () => Promise<Omit<Report, "seconds">>,
): TestUnit {
  const last = basename(name, ".test.ts");
  return {
    group: stage,
    name,
    after: hasEditor || stage === "unit" ? "package" : undefined,
    hasEditor,
    kind: last === ALONE ? "alone" : WAITING.has(last) ? "waiting" : hasEditor ? "heavy" : "light",
    run: async () => {
      const started = Date.now();
      const report = await run().catch((error: unknown) => failed(firstLine(error), String(error)));
      return { ...report, seconds: (Date.now() - started) / 1000 };
    },
  };
}

function failed(failure: string, output: string): Omit<Report, "seconds"> {
  return { passed: 0, failed: 1, failures: [failure], output };
}

function ran<Came extends Outcome>(outcome: Came, name: string, grep: string | undefined): Came {
  if (outcome.passed + outcome.failed === 0 && grep === undefined) throw new Error(`No test of ${name} ran.`);
  return outcome;
}

/** Runs a script with the same Node, and collects its output. */
function node(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | string; readonly output: string }> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
  });
  let output = "";
  child.stdout.on("data", (text: Buffer) => (output += text.toString()));
  child.stderr.on("data", (text: Buffer) => (output += text.toString()));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => done({ code: code ?? signal ?? 1, output }));
  });
}
