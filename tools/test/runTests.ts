import { join } from "node:path";
import { readCommandLine } from "../commandLine.ts";
import { FULL } from "../../test/support/rounds.ts";
import { VSIX, vsixPath } from "../packageExtension.ts";
import { toolsFolder } from "../paths.ts";
import { runInLanes } from "./lanes.ts";
import { editorInstallation, stages, unitsOf, type Filter, type Report, type Stage } from "./units.ts";

const { values, positionals } = readCommandLine({
  usage: `Usage: npm test -- [stage …] [test file …] [--grep TEXT] [--full]

Runs every check there is, some side by side, and prints the output of each when it ends. A failure keeps nothing else from
running. The last line is "N passed, N failed"; with a failure it ends with 1.

  stage         ${stages.join(", ")}; all where none is named
  test file     path of a *.test.ts file, from the project's root
  --grep TEXT   only tests whose full title contains the text
  --full        random tests run in full, not a twentieth; safety lines with a new seed
  --help        prints this`,
  options: { grep: { type: "string" }, full: { type: "boolean", default: false } },
  wordProblem: (words) => {
    const strange = words.filter((word) => !isStage(word) && !word.endsWith(".test.ts"));
    return strange.length === 0 ? undefined : `"${strange.join(" ")}" is neither a stage nor a test file`;
  },
});
const named = positionals.filter(isStage);
const wanted: readonly Stage[] = named.length > 0 ? named : stages;
const filter: Filter = {
  files: positionals.filter((word) => word.endsWith(".test.ts")),
  ...(values.grep !== undefined && { grep: values.grep }),
};

if (values.full) process.env[FULL] = "1";

const units = unitsOf(wanted, filter);
const hasEditor = units.some((unit) => unit.hasEditor);
const isPrepared = hasEditor && !wanted.includes("package");
if (isPrepared) units.unshift(...unitsOf(["package"], filter));
if (hasEditor) units.unshift(editorInstallation(console.log));
// The tests use the package that this run builds.
if (units.some(({ group }) => group === "package")) process.env[VSIX] = vsixPath();

// A run starts hundreds of Node processes that load the same modules. Cached code makes coverage less exact.
if (process.env["NODE_V8_COVERAGE"] === undefined)
  process.env["NODE_COMPILE_CACHE"] ??= join(toolsFolder, "compile-cache");

const started = Date.now();
const reports = new Map<string, Report[]>();
await runInLanes(units, ({ group, name }, report) => {
  if (isPrepared && group === "package" && report.failed === 0) return;
  reports.set(group, [...(reports.get(group) ?? []), report]);
  const isEmpty = report.passed + report.failed === 0;
  if (!isEmpty)
    console.log(`\n── ${name === group ? group : `${group}: ${name}`} (${report.seconds.toFixed(1)} s)`);
  const output = report.output.trimEnd();
  if (!isEmpty && output !== "") console.log(output);
});

console.log("");
let passed = 0;
const failures: string[] = [];
for (const stage of stages) {
  const own = reports.get(stage);
  if (!own) continue;
  const sum = (of: (report: Report) => number): number =>
    own.reduce((total, report) => total + of(report), 0);
  const stageFailed = sum((report) => report.failed);
  passed += sum((report) => report.passed);
  failures.push(...own.flatMap((report) => report.failures.map((failure) => `${stage}: ${failure}`)));
  console.log(
    `${stageFailed === 0 ? "✔" : "✘"} ${stage}: ${sum((report) => report.passed)} passed, ${stageFailed} failed (${sum((report) => report.seconds).toFixed(1)} s)`,
  );
}
if (passed + failures.length === 0) failures.push("no test ran at all");
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ${failure}`).join("\n")}`);
console.log(`\nIn ${Math.round((Date.now() - started) / 1000)} s.`);
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;

function isStage(word: string): word is Stage {
  return stages.some((stage) => stage === word);
}
