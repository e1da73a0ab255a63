import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../paths.ts";
import { eventReader, EVENTS, type Failure, type TestEvent, type TestName } from "./events.ts";
import { startLimit } from "./machineSpeed.ts";

/** The result of a unit. */
export interface Report {
  readonly passed: number;
  readonly failures: readonly Failure[];
  /** What did not run: tests, or files of whose tests nothing is known. */
  readonly notRun: readonly string[];
  readonly output: string;
  /** How long the tests of each file took. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** How a process runs. */
export interface Run {
  /** Receives each failure as it happens. */
  readonly onFailure: (failure: Failure) => void;
  /** Ends the process. */
  readonly signal: AbortSignal;
  /** How long nothing may be heard of it, in ms of an idle machine, until it is killed. */
  readonly silenceMs: number;
}

/** A process that runs the tests of files. */
interface TestProcess {
  readonly name: string;
  readonly files: readonly string[];
  readonly command: readonly string[];
  readonly isInMemory: boolean;
}

/** How often a process's events are read, in ms. */
const READ_MS = 200;

/** How long output is awaited behind the end of a process, in ms: a process that it started may keep the pipe open. */
const REST_MS = 1000;

/**
 * Runs a script with the same Node. Returns its output and, unless it ended with 0, how it ended. `readEvents` returns
 * whether it read any.
 */
async function runScript(
  command: readonly string[],
  { signal, silenceMs }: Run,
  env: Readonly<Record<string, string>> = {},
  readEvents: () => boolean = () => false,
): Promise<{ readonly problem: string | undefined; readonly output: string }> {
  const child = spawn(process.execPath, command, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let problem: string | undefined;
  const kill = (why: string): void => {
    problem = why;
    child.kill("SIGKILL");
  };
  let cancel = (): void => undefined;
  const hear = (): void => {
    cancel();
    const heardAt = performance.now();
    const seconds = (): number => Math.round((performance.now() - heardAt) / 1000);
    cancel = startLimit(silenceMs, () => kill(`was killed because it was silent for ${seconds()} s`));
  };
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => {
      output += text.toString();
      hear();
    });
  const reading = setInterval(() => readEvents() && hear(), READ_MS);
  const interrupt = (): void => kill("was interrupted");
  signal.addEventListener("abort", interrupt);
  hear();
  try {
    const [code, killedBy] = await new Promise<[number | null, string | null]>((done, fail) => {
      child.on("error", fail);
      child.on("close", (...end) => done(end));
      child.on("exit", (...end) => setTimeout(() => done(end), REST_MS));
    });
    if (code !== 0) problem ??= killedBy === null ? `ended with code ${code}` : `was killed by ${killedBy}`;
    return { problem, output };
  } finally {
    clearInterval(reading);
    cancel();
    signal.removeEventListener("abort", interrupt);
  }
}

/** Runs commands one after the other, as one test. */
export async function runCommands(
  name: string,
  commands: readonly (readonly string[])[],
  run: Run,
): Promise<Report> {
  for (const command of commands) {
    const { problem, output } = await runScript(command, run);
    if (run.signal.aborted) return { ...nothing, notRun: [name] };
    if (problem !== undefined)
      return failedReport(name, command.join(" "), `${problem}\n${output.trim()}`, run);
  }
  return { ...nothing, passed: 1 };
}

/** The report of a unit that is one test and failed. */
export function failedReport(file: string, title: string, error: string, { onFailure }: Run): Report {
  const failure: Failure = { file, title, error, kept: [] };
  onFailure(failure);
  return { ...nothing, failures: [failure] };
}

export const nothing: Report = { passed: 0, failures: [], notRun: [], output: "", seconds: {} };

const MEMORY = "/dev/shm";

/**
 * Runs the tests of files in a process of their own, which reports its events. If it ends before them, that is a
 * failure of the test that was running. `isInMemory`: keeps its temporary files in memory if possible, because the
 * journal's tests flush to disk thousands of times, which takes minutes on a busy disk.
 */
export async function runTestProcess(
  { name, files, command, isInMemory }: TestProcess,
  run: Run,
): Promise<Report> {
  const temporary = mkdtempSync(join(isInMemory && existsSync(MEMORY) ? MEMORY : tmpdir(), "bidside-unit-"));
  const left = new Map<string, TestName>();
  const failures: Failure[] = [];
  let isPlanned = false;
  let running: TestName | undefined;
  let passed = 0;
  let log = "";
  let seconds: Report["seconds"] | undefined;

  const end = (test: TestName): void => {
    left.delete(keyOf(test));
    running = undefined;
  };
  const fail = (failure: Failure): void => {
    end(failure);
    failures.push(failure);
    run.onFailure(failure);
  };
  const take = (event: TestEvent): void => {
    if (event.kind === "planned") {
      isPlanned = true;
      for (const test of event.tests) left.set(keyOf(test), test);
    } else if (event.kind === "begun") running = event.test;
    else if (event.kind === "passed") {
      passed += 1;
      end(event.test);
    } else if (event.kind === "failed") fail(event.failure);
    else if (event.kind === "log") log += `${event.text}\n`;
    else if (event.kind === "ended") ({ seconds } = event);
  };

  const file = join(temporary, "events");
  const newEvents = eventReader(file);
  const readEvents = (): boolean => {
    const events = newEvents();
    for (const event of events) take(event);
    return events.length > 0;
  };
  try {
    const env = { TMPDIR: temporary, TEMP: temporary, TMP: temporary, [EVENTS]: file };
    const { problem, output } = await runScript(command, run, env, readEvents);
    readEvents();
    const isDead = seconds === undefined || (problem !== undefined && failures.length === 0);
    if (isDead && !run.signal.aborted) {
      const where = seconds === undefined ? "outside of a test" : "after its tests";
      const { file, title } = running ?? { file: name, title: where };
      const last = output.trimEnd().split("\n").slice(-20).join("\n");
      const error = `The process ${problem ?? "ended before its tests"}. Its last output:\n${last}`;
      fail({ file, title, error, kept: [] });
    }
    return {
      passed,
      failures,
      notRun: isPlanned ? [...left.keys()] : files,
      output: log + output,
      seconds: seconds ?? {},
    };
  } finally {
    // As a whole, because processes that a test kills leave files behind.
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

function keyOf({ file, title }: TestName): string {
  return `${file}: ${title}`;
}
