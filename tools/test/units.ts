import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { findBrowser } from "../editor/findBrowser.ts";
import type { Progress } from "../editor/installOnce.ts";
import { installServer } from "../editor/installServer.ts";
import { root } from "../paths.ts";
import { EVENTS } from "./events.ts";
import type { Task } from "./schedule.ts";
import type { Seconds } from "./seconds.ts";
import { type Failure, type Report, Tally } from "./tally.ts";
import { INTERRUPTED, runWatched } from "./watchedProcess.ts";

/** Which tests to run; all of them if empty. */
export interface Filter {
  /** Paths of test files, relative to the project's root. */
  readonly files: readonly string[];
  /** Text that a test's full title must contain. */
  readonly grep?: string;
}

/** How a unit runs. */
export interface Run {
  /** Receives each failure as it happens. */
  readonly onFailure: (failure: Failure) => void;
  /** Ends the unit. */
  readonly signal: AbortSignal;
  /** How long it may be silent, in ms of an idle machine. */
  readonly silenceMs?: number;
}

/** A part of `npm test`, which has its own process. */
export interface Unit extends Task {
  readonly stage: Stage | "install";
  /** Its test files. */
  readonly files: readonly string[];
  run(how: Run): Promise<Report>;
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

/** How long a unit may be silent, in ms of an idle machine: longer than any step of a journey. */
const SILENCE_MS = 240_000;

/** Seconds of a test file that has not run yet, roughly. Other units take ten. */
const USUAL_SECONDS: Partial<Record<Stage | "install", number>> = {
  unit: 0.3,
  contract: 2,
  pages: 10,
  safety: 5,
  editor: 10,
  journeys: 60,
};

const INSTALL = { browser: "the browser", editor: "the editor" } as const;

/** What a unit with an editor needs. */
const EDITOR = [INSTALL.browser, INSTALL.editor, "package"];

/** Groups of journeys that share an editor, in this order. The longest group starts first. */
const ONE_EDITOR: readonly (readonly string[])[] = [
  ["goLive", "live", "chart", "alerts", "assistants", "oneDraft", "orders", "windows"],
  ["themes", "practice", "watching", "holdings", "keys", "extensionPage"],
];

/**
 * The units of some stages with what they need, in the order in which they start: what others need, then those that
 * took longest. Each journey, group of journeys with one editor, and safety line is a unit. Other tests are one unit
 * per folder.
 */
export function unitsOf(wanted: readonly Stage[], filter: Filter, seconds: Seconds): readonly Unit[] {
  const all = [
    script("package", ["tools/package.ts"]),
    script("build", ["esbuild.mjs", "--production", "--metafile"]),
    tool("format", ["oxfmt/bin/oxfmt", "--check"]),
    tool("types", ["typescript/bin/tsc", "-p", "."], ["typescript/bin/tsc", "-p", "src/webview"]),
    tool("lint", ["oxlint/bin/oxlint", "--deny-warnings"]),
    tool("unused", ["knip/bin/knip.js", "--no-progress"]),
    ...folders("test/contract", filter).map((files) => tests("contract", files, filter)),
    ...folders("test/{unit,repository,processes,world}", filter).map((files) => tests("unit", files, filter)),
    ...folders("test/pages", filter).map((files) => tests("pages", files, filter)),
    ...filesOf("test/safety", filter).map((file) => tests("safety", [file], filter)),
    ...editorSuite(filter),
    ...journeysByEditor(filesOf("test/journeys", filter)).map((files) => tests("journeys", files, filter)),
  ];
  const chosen = all.filter(({ stage }) => wanted.some((each) => each === stage));
  const needed = new Set(chosen.flatMap(({ after }) => after));
  const first = [
    installation(INSTALL.browser, findBrowser),
    installation(INSTALL.editor, installServer),
    ...all,
  ].filter(({ name }) => needed.has(name));
  const rest = chosen.filter((unit) => !first.includes(unit));
  return [...first, ...rest.toSorted((one, other) => secondsOf(other, seconds) - secondsOf(one, seconds))];
}

/** How long a unit took when it ran last; if it never did, as long as its files, or as files of its stage usually take. */
export function secondsOf({ stage, name, files }: Unit, { units, files: known }: Seconds): number {
  const usual = USUAL_SECONDS[stage] ?? 10;
  if (files.length === 0) return units[name] ?? usual;
  return units[name] ?? files.reduce((sum, file) => sum + (known[file] ?? usual), 0);
}

/** Splits journeys into groups that share an editor. */
function journeysByEditor(files: readonly string[]): string[][] {
  const named = new Map(files.map((file) => [basename(file, ".test.ts"), file]));
  const shared = ONE_EDITOR.map((names) => names.flatMap((name) => named.get(name) ?? []));
  const alone = files.filter((file) => !shared.flat().includes(file)).map((file) => [file]);
  return [...shared.filter((group) => group.length > 0), ...alone];
}

function filesOf(folder: string, { files }: Filter): string[] {
  const all = globSync(`${folder}/**/*.test.ts`, { cwd: root }).map((file) => file.replaceAll("\\", "/"));
  return all.filter((file) => files.length === 0 || files.includes(file)).toSorted();
}

/** Groups test files by the tested part of the sources. A unit per subfolder would start too many processes. */
function folders(folder: string, filter: Filter): string[][] {
  return [...Map.groupBy(filesOf(folder, filter), partOf).values()];
}

/** The folder of a test file, at most three levels deep, such as `test/unit/desk`. */
function partOf(file: string): string {
  return dirname(file).split("/").slice(0, 3).join("/");
}

/** The unit that installs something unless it is installed. Its output is progress, not a log. */
function installation(name: string, install: (progress: Progress) => Promise<unknown>): Unit {
  return {
    stage: "install",
    name,
    files: [],
    after: [],
    hasEditor: false,
    run: async ({ onFailure }) => {
      const error = await install(console.log).then(() => undefined, String);
      return single(name, error, onFailure, 0);
    },
  };
}

function tool(stage: Stage, ...commands: readonly (readonly [string, ...string[]])[]): Unit {
  return script(stage, ...commands.map(([bin, ...args]) => [join("node_modules", bin), ...args]));
}

/** A unit that runs commands one after the other as one test. */
function script(stage: Stage, ...commands: readonly (readonly string[])[]): Unit {
  return {
    stage,
    name: stage,
    files: [],
    after: [],
    hasEditor: false,
    run: async ({ onFailure, signal, silenceMs = SILENCE_MS }) => {
      for (const command of commands) {
        const { problem, output } = await runWatched(command, { silenceMs, signal });
        if (problem === INTERRUPTED) return { ...NOTHING, notRun: [stage] };
        if (problem !== undefined)
          return single(stage, `${command.join(" ")} ${problem}.\n${output.trim()}`, onFailure);
      }
      return single(stage, undefined, onFailure);
    },
  };
}

/** The report of a unit that is one test. */
function single(name: string, error: string | undefined, onFailure: Run["onFailure"], passed = 1): Report {
  const failures = error === undefined ? [] : [{ file: name, title: "", error, kept: [] }];
  for (const failure of failures) onFailure(failure);
  return { ...NOTHING, passed: error === undefined ? passed : 0, failures };
}

const NOTHING: Report = { passed: 0, failures: [], notRun: [], output: "", seconds: {} };

function tests(stage: Stage, files: readonly string[], { grep }: Filter): Unit {
  const [first = ""] = files;
  const only = grep === undefined ? [] : ["--grep", grep];
  const how = stage === "journeys" ? ["--stories", "--limit", "20"] : [];
  const after = needsOf(stage, files);
  return testProcess({
    stage,
    name: files.length === 1 || stage === "journeys" ? files.join(" ") : partOf(first),
    files,
    after,
    hasEditor: after.includes(INSTALL.editor),
    command: ["tools/test/runMocha.ts", ...how, ...only, ...files],
  });
}

/** What tests need. */
function needsOf(stage: Stage, files: readonly string[]): readonly string[] {
  if (stage === "journeys") return EDITOR;
  if (stage === "pages") return [INSTALL.browser];
  const sources = stage === "safety" ? files.map((file) => readFileSync(join(root, file), "utf8")) : [];
  if (sources.some((text) => text.includes("Workbench.open"))) return EDITOR;
  if (sources.some((text) => /support\/pages\/(chart|ticket)\.ts/.test(text))) return [INSTALL.browser];
  return files.some((file) => file.startsWith("test/repository/")) ? ["package"] : [];
}

/** A unit that runs tests in a process of their own. Exported for the unit's own tests. */
export function testProcess(given: Omit<Unit, "run"> & { readonly command: readonly string[] }): Unit {
  const { command, name, files, hasEditor } = given;
  return {
    ...given,
    run: async ({ onFailure, signal, silenceMs = SILENCE_MS }) => {
      // A folder that is removed as a whole, because processes that a test kills leave files behind.
      const temporary = temporaryFolder(hasEditor);
      const file = join(temporary, "events");
      const env = { TMPDIR: temporary, TEMP: temporary, TMP: temporary, [EVENTS]: file };
      const tally = new Tally(name, files, onFailure);
      const events = { file, add: tally.add.bind(tally) };
      try {
        const { problem, output } = await runWatched(command, { env, silenceMs, signal, events });
        return tally.report(problem, output);
      } finally {
        rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
      }
    },
  };
}

/**
 * Creates a folder for a unit's temporary files, in memory if possible, because the journal's tests flush to disk
 * thousands of times, which takes minutes on a busy disk. An editor's folder is on disk, because it grows to hundreds
 * of MB.
 */
function temporaryFolder(hasEditor: boolean): string {
  const memory = "/dev/shm";
  return mkdtempSync(join(!hasEditor && existsSync(memory) ? memory : tmpdir(), "bidside-unit-"));
}

/** The unit of the editor suite, which runs in one editor. None if all named files belong to other stages. */
function editorSuite({ files, grep }: Filter): Unit[] {
  const chosen = filesOf("test/editor", { files });
  if (chosen.length === 0) return [];
  return [
    testProcess({
      stage: "editor",
      name: "test/editor",
      files: chosen,
      after: EDITOR,
      hasEditor: true,
      command: [
        "tools/test/runEditorSuite.ts",
        ...(grep === undefined ? [] : ["--grep", grep]),
        ...(files.length === 0 ? [] : chosen),
      ],
    }),
  ];
}
