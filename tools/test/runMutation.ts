import { existsSync } from "node:fs";
import { relative } from "node:path";
import type { MutantResult, MutantStatus, PartialStrykerOptions } from "@stryker-mutator/api/core";
import { ROUNDS, SEED } from "../../test/support/rounds.ts";
import { readCommandLine } from "../commandLine.ts";
import { loadStryker } from "./installStryker.ts";

/** Minimum share of mutants that tests must detect in each group, in percent. */
const MUST_SCORE = 85;

const groups: ReadonlyMap<string, readonly string[]> = new Map([
  ["sign", ["src/exchange/signing/signature.ts"]],
  ["wire", ["src/exchange/wire/account.ts", "src/exchange/wire/tickers.ts"]],
  ["order", ["src/market/order.ts"]],
  [
    "journal",
    [
      "src/storage/appendLog.ts",
      "src/storage/orders/orderJournal.ts",
      "src/storage/orders/records.ts",
      "src/storage/orders/placedOrderRecords.ts",
      "src/storage/orders/draftClaims.ts",
      "src/storage/orders/foldedOrders.ts",
      "src/storage/orders/files.ts",
      "src/storage/orders/compaction.ts",
      "src/storage/orders/export.ts",
      "src/storage/orders/skippedLines.ts",
    ],
  ],
  ["placeBid", ["src/desk/orders/orderPlacer.ts"]],
  ["evidence", ["src/desk/unknown/idEvidence.ts", "src/desk/unknown/likeEvidence.ts"]],
  ["reconcile", ["src/desk/unknown/reconciler.ts", "src/desk/unknown/unknownOrders.ts"]],
  ["cancel", ["src/desk/tracking/canceller.ts"]],
  [
    "fills",
    [
      "src/market/orderReport.ts",
      "src/exchange/wire/orders/requested.ts",
      "src/exchange/wire/orders/fillFigures.ts",
      "src/exchange/wire/orders/openOrders.ts",
      "src/exchange/wire/orders/orderHistory.ts",
      "src/exchange/wire/orders/orderInfo.ts",
      "src/storage/orders/exchangeOrders.ts",
      "src/storage/orders/tradeBook.ts",
      "src/desk/tracking/trackedOrders.ts",
    ],
  ],
  [
    "orderState",
    [
      "src/market/orders/observation.ts",
      "src/market/orders/orderIdentity.ts",
      "src/market/orders/orderState.ts",
      "src/market/orders/knownOrder.ts",
      "src/desk/tracking/dueReads.ts",
    ],
  ],
  ["cost", ["src/market/holdings/cost.ts"]],
]);

const { values, positionals } = readCommandLine({
  usage: `Usage: npm run test:mutation -- [--incremental] [group …]

Changes the code that a bid's money rests on, one small fault at a time, and counts the faults that no test notices. Lists them,
then prints a table of every file; mutation/report.html shows them in their place. Fails when a group scores less than
${MUST_SCORE} %.

  group          ${[...groups.keys()].join(", ")}; all where none is named
  --incremental  takes from the last run what nothing has changed since
  --help         prints this`,
  options: { incremental: { type: "boolean", default: false } },
  wordProblem: (words) => {
    const strange = words.filter((name) => !groups.has(name));
    return strange.length === 0 ? undefined : `"${strange.join(" ")}" is no group`;
  },
});
const wanted = [...groups].filter(([name]) => positionals.length === 0 || positionals.includes(name));

const options: PartialStrykerOptions = {
  mutate: wanted.flatMap(([, files]) => files),
  plugins: ["./tools/test/strykerMochaRunner.ts"],
  testRunner: "bidside",
  // Copies only the files that the tests read to the sandbox.
  ignorePatterns: ["**", "!docs/**", "!src/**", "!test/**", "!tools/**", "!package*.json"],
  concurrency: 2,
  timeoutMS: 10_000,
  incremental: values.incremental,
  reporters: ["progress-append-only", "html", "json"],
  htmlReporter: { fileName: "mutation/report.html" },
  jsonReporter: { fileName: "mutation/report.json" },
  incrementalFile: "mutation/incremental.json",
  tempDirName: "mutation/sandbox",
};

// The journal's tests flush to disk thousands of times, which costs nothing in memory.
if (existsSync("/dev/shm")) process.env["TMPDIR"] = "/dev/shm";
// A mutant that the property tests can detect is detected within a few rounds.
process.env[ROUNDS] = "20";
process.env[SEED] = "2611";
const started = Date.now();
const { Stryker } = await loadStryker(console.log);
const mutants = await new Stryker(options).runMutationTest();

const missed = mutants.filter(({ status }) => status === "Survived" || status === "NoCoverage");
if (missed.length > 0) console.log("\nNoticed by no test:");
for (const { fileName, location, mutatorName, replacement } of missed.toSorted(byPlace)) {
  const { line, column } = location.start;
  const now = replacement.replace(/\s+/g, " ");
  console.log(
    `  ${pathOf(fileName)}:${line}:${column} ${mutatorName}: ${now.length > 80 ? `${now.slice(0, 79)}…` : now}`,
  );
}

const COLUMNS = ["score %", "killed", "timeout", "survived", "no test", "error"];
console.log(`\n${"".padEnd(32)}${COLUMNS.map((column) => column.padStart(9)).join("")}`);
const tooLow: string[] = [];
for (const [name, files] of wanted) {
  const score = report(name, (file) => files.includes(file));
  if (files.length > 1) for (const file of files) report(`  ${file}`, (each) => each === file);
  if (!(score >= MUST_SCORE)) tooLow.push(name);
}
report("all", () => true);
console.log(`\n${mutants.length} mutants in ${Math.round((Date.now() - started) / 1000)} s.`);
if (tooLow.length > 0) console.log(`Less than ${MUST_SCORE} %: ${tooLow.join(", ")}.`);
process.exitCode = tooLow.length === 0 ? 0 : 1;

/** Prints a row of the table, and returns the score in percent. */
function report(name: string, isOf: (file: string) => boolean): number {
  const own = mutants.filter(({ fileName }) => isOf(pathOf(fileName)));
  const count = (...statuses: MutantStatus[]): number =>
    own.filter(({ status }) => statuses.includes(status)).length;
  const [killed, timeout, survived, none] = [
    count("Killed"),
    count("Timeout"),
    count("Survived"),
    count("NoCoverage"),
  ];
  const errors = count("CompileError", "RuntimeError");
  const score = (100 * (killed + timeout)) / (killed + timeout + survived + none);
  const cells = [score.toFixed(1), killed, timeout, survived, none, errors];
  console.log(`${name.padEnd(32)}${cells.map((cell) => String(cell).padStart(9)).join("")}`);
  return score;
}

/** Path relative to the project's root, as in `groups`. */
function pathOf(fileName: string): string {
  return relative(process.cwd(), fileName).replaceAll("\\", "/");
}

function byPlace(one: MutantResult, other: MutantResult): number {
  return one.fileName.localeCompare(other.fileName) || one.location.start.line - other.location.start.line;
}
