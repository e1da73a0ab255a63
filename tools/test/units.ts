import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { findBrowser } from "../editor/findBrowser.ts";
import type { Progress } from "../editor/installOnce.ts";
import { installServer } from "../editor/installServer.ts";
import { root } from "../paths.ts";
import type { Task } from "./schedule.ts";
import { type Seconds, secondsOf } from "./seconds.ts";
import { failedReport, nothing, type Report, type Run, runCommands, runTestProcess } from "./testProcess.ts";

/** Which tests to run; all of them if empty. */
export interface Filter {
  /** Paths of test files, relative to the project's root. */
  readonly files: readonly string[];
  /** Text that a test's full title must contain. */
  readonly grep?: string | undefined;
}

/** A part of `npm test`. */
export interface Unit extends Task {
  readonly stage: Stage | "install";
  /** Its test files. */
  readonly files: readonly string[];
  run(run: Run): Promise<Report>;
}

/** Stages of `npm test` that run tests from files. */
export const testStages = ["unit", "contract", "pages", "safety", "editor", "journeys"] as const;

/** Stages of `npm test`, in the order of the summary. */
export const stages = ["types", "lint", "format", "unused", "build", "package", ...testStages] as const;

export type Stage = (typeof stages)[number];

const BROWSER = "the browser";
/** What a unit with an editor needs. */
const EDITOR = [BROWSER, "the editor", "package"];

/** Groups of journeys that share an editor, in this order. The longest group starts first. */
const ONE_EDITOR: readonly (readonly string[])[] = [
  ["goLive", "live", "chart", "chartStudies", "alerts", "assistants", "oneDraft", "orders", "windows"],
  ["themes", "practice", "watching", "holdings", "portfolio", "keys", "accounts", "extensionPage"],
];

/**
 * The units of some stages with what they need, in the order in which they start: what others need, then those that
 * took longest. Each safety line and each group of journeys with one editor is a unit, other tests one per folder.
 */
export function unitsOf(wanted: readonly Stage[], filter: Filter, seconds: Seconds): readonly Unit[] {
  const tests = (stage: Stage, groups: readonly (readonly string[])[]): Unit[] =>
    groups.map((files) => testUnit(stage, files, filter.grep));
  const installations = [installation(BROWSER, findBrowser), installation("the editor", installServer)];
  const all = [
    commands("package", ["tools/package.ts"]),
    commands("build", ["esbuild.mjs", "--production", "--metafile"]),
    commands("format", [bin("oxfmt/bin/oxfmt"), "--check"]),
    commands(
      "types",
      [bin("typescript/bin/tsc"), "-p", "."],
      [bin("typescript/bin/tsc"), "-p", "src/webview"],
    ),
    commands("lint", [bin("oxlint/bin/oxlint"), "--deny-warnings"]),
    commands("unused", [bin("knip/bin/knip.js"), "--no-progress"]),
    ...tests("contract", byFolder(filesIn("test/contract", filter))),
    ...tests("unit", byFolder(filesIn("test/{unit,repository,processes,world}", filter))),
    ...tests("pages", byFolder(filesIn("test/pages", filter))),
    ...tests(
      "safety",
      filesIn("test/safety", filter).map((file) => [file]),
    ),
    ...tests("editor", byFolder(filesIn("test/editor", filter))),
    ...tests("journeys", byEditor(filesIn("test/journeys", filter))),
  ];
  const chosen = all.filter(({ stage }) => wanted.some((each) => each === stage));
  const needed = new Set(chosen.flatMap(({ after }) => after));
  const first = [...installations, ...all].filter(({ name }) => needed.has(name));
  const rest = chosen.filter((unit) => !first.includes(unit));
  return [...first, ...rest.toSorted((one, other) => secondsOf(other, seconds) - secondsOf(one, seconds))];
}

function filesIn(folder: string, { files }: Filter): string[] {
  const all = globSync(`${folder}/**/*.test.ts`, { cwd: root }).map((file) => file.replaceAll("\\", "/"));
  return all.filter((file) => files.length === 0 || files.includes(file)).toSorted();
}

/** Groups test files by the tested part of the sources. A unit per subfolder would start too many processes. */
function byFolder(files: readonly string[]): string[][] {
  return [...Map.groupBy(files, partOf).values()];
}

/** The folder of a test file, at most three levels deep, such as `test/unit/desk`. */
function partOf(file: string): string {
  return dirname(file).split("/").slice(0, 3).join("/");
}

/** Groups journeys that share an editor. */
function byEditor(files: readonly string[]): string[][] {
  const named = new Map(files.map((file) => [basename(file, ".test.ts"), file]));
  const shared = ONE_EDITOR.map((names) => names.flatMap((name) => named.get(name) ?? []));
  const alone = files.filter((file) => !shared.flat().includes(file)).map((file) => [file]);
  return [...shared.filter((group) => group.length > 0), ...alone];
}

function bin(path: string): string {
  return join("node_modules", path);
}

/** A unit that installs something unless it is installed. */
function installation(name: string, install: (progress: Progress) => Promise<unknown>): Unit {
  const run = async (how: Run): Promise<Report> =>
    await install(console.log).then(
      () => nothing,
      (error: unknown) => failedReport(name, "is not installed", String(error), how),
    );
  return { stage: "install", name, files: [], after: [], hasEditor: false, run };
}

/** A unit that runs commands one after the other. */
function commands(stage: Stage, ...all: readonly (readonly string[])[]): Unit {
  const run = (how: Run): Promise<Report> => runCommands(stage, all, how);
  return { stage, name: stage, files: [], after: [], hasEditor: false, run };
}

/** A unit that runs test files in a process of their own. */
function testUnit(stage: Stage, files: readonly string[], grep: string | undefined): Unit {
  const [first = ""] = files;
  const name = files.length === 1 || stage === "journeys" ? files.join(" ") : partOf(first);
  const after = needsOf(stage, files);
  const hasEditor = after === EDITOR;
  const command = [
    stage === "editor" ? "tools/test/runEditorSuite.ts" : "tools/test/runMocha.ts",
    ...(stage === "journeys" ? ["--stories", "--limit", "20"] : []),
    ...(grep === undefined ? [] : ["--grep", grep]),
    ...files,
  ];
  // An editor's temporary folder grows to hundreds of MB.
  const run = (how: Run): Promise<Report> =>
    runTestProcess({ name, files, command, isInMemory: !hasEditor }, how);
  return { stage, name, files, after, hasEditor, run };
}

/** The names of the units that tests need. */
function needsOf(stage: Stage, files: readonly string[]): readonly string[] {
  if (stage === "journeys" || stage === "editor") return EDITOR;
  if (stage === "pages") return [BROWSER];
  if (files.some((file) => file.startsWith("test/repository/"))) return ["package"];
  const hasEditor = (file: string): boolean =>
    readFileSync(join(root, file), "utf8").includes("Workbench.open");
  return stage === "safety" && files.some(hasEditor) ? EDITOR : [];
}
