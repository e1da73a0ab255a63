import { spawn } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchDesktop } from "../editor/launchDesktop.ts";
import { launchServer } from "../editor/launchServer.ts";
import { findDesktop } from "./editor/findDesktop.ts";
import { root } from "./editor/paths.ts";
import { OUTCOME_FILE, type Outcome } from "./outcome.ts";

/** Which tests of a mocha suite to run; everything when empty. */
export interface Filter {
  /** Paths of test files, from the project's root. */
  readonly files: readonly string[];
  /** Text that the full title contains. */
  readonly grep?: string;
}

/** The stages of `npm test` by name, in their order. Each rejects when it could not run at all. */
export const stages: ReadonlyMap<string, (filter: Filter) => Promise<Outcome>> = new Map([
  ["types", () => tools(["typescript/bin/tsc", "-p", "."], ["typescript/bin/tsc", "-p", "src/webview"])],
  ["lint", () => tools(["oxlint/bin/oxlint", "--deny-warnings"])],
  ["format", () => tools(["prettier/bin/prettier.cjs", "--check", "--log-level", "warn", "."])],
  ["unused", () => tools(["knip/bin/knip.js", "--no-progress"])],
  ["build", () => scripts(["esbuild.mjs", "--production", "--metafile"])],
  ["package", () => scripts(["test/support/package.ts"])],
  ["unit", (filter) => suite("test/unit", 10_000, filter)],
  ["contract", (filter) => suite("test/contract", 20_000, filter)],
  ["safety", safetyLines],
  ["editor", editorSuite],
  ["journeys", (filter) => suite("test/journeys", 120_000, filter)],
]);

/** No stage takes longer; one that hangs must not hang the build. */
const LIMIT_MS = 10 * 60_000;

function tools(...commands: readonly (readonly [string, ...string[]])[]): Promise<Outcome> {
  return scripts(...commands.map(([bin, ...args]) => [join("node_modules", bin), ...args]));
}

/** Runs commands in turn as one test; what they print is shown when one fails. */
async function scripts(...commands: readonly (readonly string[])[]): Promise<Outcome> {
  for (const command of commands) {
    const { code, said } = await node(command, "keep");
    if (code === 0) continue;
    console.log(said.trim());
    return { passed: 0, failed: 1, failures: [`${command.join(" ")} ended with ${code}`] };
  }
  return { passed: 1, failed: 0, failures: [] };
}

async function suite(folder: string, timeout: number, { files, grep }: Filter): Promise<Outcome> {
  const all = globSync(`${folder}/**/*.test.ts`, { cwd: root }).sort();
  const wanted = files.length === 0 ? all : all.filter((file) => files.includes(file));
  if (wanted.length === 0) return { passed: 0, failed: 0, failures: [] };
  const temporary = mkdtempSync(join(tmpdir(), "bidside-outcome-"));
  const file = join(temporary, "outcome.json");
  try {
    const only = grep === undefined ? [] : ["--grep", grep];
    const args = ["test/support/runMocha.ts", "--timeout", String(timeout), ...only, ...wanted];
    const { code } = await node(args, "show", { [OUTCOME_FILE]: file });
    if (!existsSync(file))
      throw new Error(`The tests of ${folder} did not come to their end (exit code ${code}).`);
    const outcome = JSON.parse(readFileSync(file, "utf8")) as Outcome;
    if (code !== 0 && outcome.failed === 0)
      throw new Error(`The tests of ${folder} passed, yet ended with ${code}.`);
    return ran(outcome, folder, grep);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** A process for each file, as `npm run test:safety` has it: one puts another editor in the place of `vscode` than the next. */
async function safetyLines({ files, grep }: Filter): Promise<Outcome> {
  const all = globSync("test/safety/*.test.ts", { cwd: root }).sort();
  const total = { passed: 0, failed: 0, failures: [] as string[] };
  for (const file of all.filter((each) => files.length === 0 || files.includes(each))) {
    const { passed, failed, failures } = await suite("test/safety", 60_000, {
      files: [file],
      ...(grep !== undefined && { grep }),
    });
    total.passed += passed;
    total.failed += failed;
    total.failures.push(...failures);
  }
  return total;
}

async function editorSuite({ grep }: Filter): Promise<Outcome> {
  const built = await node(["esbuild.mjs", "--production"], "keep");
  if (built.code !== 0) throw new Error(`The suite could not be built.\n${built.said}`);
  const desktop = findDesktop();
  console.log(desktop === undefined ? "In VS Code's server." : `In ${desktop}.`);
  const outcome = await (desktop === undefined
    ? launchServer(console.log, grep)
    : launchDesktop(desktop, grep));
  console.log(outcome.report.trim());
  return ran(outcome, "test/editor", grep);
}

function ran(outcome: Outcome, folder: string, grep: string | undefined): Outcome {
  if (outcome.passed + outcome.failed === 0 && grep === undefined)
    throw new Error(`No test of ${folder} ran.`);
  return outcome;
}

/** Runs a script with the Node that runs this one. */
function node(
  args: readonly string[],
  output: "show" | "keep",
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | string; readonly said: string }> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", output === "show" ? "inherit" : "pipe", output === "show" ? "inherit" : "pipe"],
    timeout: LIMIT_MS,
  });
  let said = "";
  child.stdout?.on("data", (text) => (said += text));
  child.stderr?.on("data", (text) => (said += text));
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code, signal) => done({ code: code ?? signal ?? 1, said }));
  });
}
