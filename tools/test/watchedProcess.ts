import { spawn } from "node:child_process";
import { root } from "../paths.ts";
import { eventReader, type TestEvent } from "./events.ts";
import { startLimit } from "./machineSpeed.ts";

/** How often a process's events are read, in ms. */
const READ_MS = 200;

/** How long output is awaited behind the end of a process, in ms: a process that it started may keep the pipe open. */
const REST_MS = 1000;

export interface Options {
  readonly env?: Readonly<Record<string, string>>;
  /** The process is killed if nothing is heard of it for so long on an idle machine, in ms. */
  readonly silenceMs: number;
  /** Ends the process. */
  readonly signal: AbortSignal;
  /** The file of its events, and who receives them. */
  readonly events?: { readonly file: string; add(event: TestEvent): void };
}

/** How a process ended that the user interrupted. */
export const INTERRUPTED = "was interrupted";

/** Runs a script with the same Node. Returns its output and, unless it ended with 0, how it ended. */
export async function runWatched(
  args: readonly string[],
  { env = {}, silenceMs, signal, events }: Options,
): Promise<{ readonly problem: string | undefined; readonly output: string }> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let problem: string | undefined;
  let cancel = (): void => undefined;
  let heardAt = 0;
  const kill = (why: string): void => {
    problem ??= why;
    child.kill("SIGKILL");
  };
  const hear = (): void => {
    cancel();
    heardAt = performance.now();
    cancel = startLimit(silenceMs, () =>
      kill(`was killed because it was silent for ${Math.round((performance.now() - heardAt) / 1000)} s`),
    );
  };
  const interrupt = (): void => kill(INTERRUPTED);
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => {
      output += text.toString();
      hear();
    });
  const newEvents = events && eventReader(events.file);
  const readEvents = (): void => {
    const all = newEvents?.() ?? [];
    if (all.length > 0) hear();
    for (const event of all) events?.add(event);
  };
  const reading = setInterval(readEvents, READ_MS);
  hear();
  signal.addEventListener("abort", interrupt);
  try {
    const [code, killedBy] = await new Promise<[number | null, string | null]>((done, fail) => {
      child.on("error", fail);
      child.on("close", (...end) => done(end));
      child.on("exit", (...end) => setTimeout(() => done(end), REST_MS).unref());
    });
    if (code !== 0) problem ??= killedBy === null ? `ended with code ${code}` : `was killed by ${killedBy}`;
    readEvents();
    return { problem, output };
  } finally {
    clearInterval(reading);
    cancel();
    signal.removeEventListener("abort", interrupt);
  }
}
