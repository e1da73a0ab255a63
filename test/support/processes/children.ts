import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../../../tools/paths.ts";

/** A process of this project's code, and its first line of output, read as JSON. */
export interface Child<Line> {
  readonly process: ChildProcess;
  readonly line: Line;
}

/** No test file takes longer. */
const LIFETIME_MS = 15 * 60_000;
const started = new Set<ChildProcess>();

/** Starts a script (its path absolute, or relative to the project) without waiting for it. It is killed in the end. */
function startScript(script: string, ...args: string[]): ChildProcess {
  const path = resolve(root, script);
  const child = spawn(process.execPath, ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", path, ...args], {
    stdio: ["pipe", "pipe", "pipe"],
    timeout: LIFETIME_MS,
    killSignal: "SIGKILL",
  });
  started.add(child);
  return child;
}

/** Starts a script and waits for its first line; rejects if the script ends without a line. */
export async function startAndRead<Line>(script: string, ...args: string[]): Promise<Child<Line>> {
  const child = startScript(script, ...args);
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  if (!child.stdout) throw new Error("no output");
  for await (const line of createInterface({ input: child.stdout })) {
    return { process: child, line: JSON.parse(line) as Line };
  }
  throw new Error(`${script} ended without a line: ${errors}`);
}

/** Kills a process (-9), and waits until it has ended. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

/** Ends all processes that a test left running. */
export async function killAll(): Promise<void> {
  await Promise.all([...started].map(kill));
  started.clear();
}

/** The end of a script. */
interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a script; `ended` settles when the script ends. */
export function start(
  script: string,
  ...args: string[]
): { readonly process: ChildProcess; readonly ended: Promise<End> } {
  const child = startScript(script, ...args);
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = once(child, "close").then(() => {
    started.delete(child);
    return { code: child.exitCode, signal: child.signalCode, stdout, stderr };
  });
  return { process: child, ended };
}

/** Runs a script to its end. */
export async function runScript(script: string, ...args: string[]): Promise<End> {
  return await start(script, ...args).ended;
}

/** The whole lines of a file that a script writes to; none if the file does not exist. */
export function linesOf(path: string): string[] {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}
