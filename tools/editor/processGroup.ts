import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";

/** A program and all processes that it starts, which end together. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  /** Standard output and standard error so far. */
  output(): string;
  /** Resolves when the program exits, with its exit code, or null if it was killed. */
  readonly exited: Promise<number | null>;
  /** Terminates the program and its descendants, and resolves when all have exited. Safe to call more than once. */
  stop(): Promise<void>;
  /** Kills all of them at once, like `kill -9`. On a system without signals, the same as `stop`. */
  kill(): Promise<void>;
}

/** Starts a program in a new process group, which ends on `stop` and when this process exits for whatever reason. */
export function startGroup(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): ProcessGroup {
  const child = spawn(process.execPath, [join(import.meta.dirname, "childReaper.mjs"), program, ...args], {
    ...options,
    detached: process.platform !== "win32",
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (text) => (output += text));
  child.stderr.on("data", (text) => (output += text));
  const exited = new Promise<number | null>((done, fail) => child.on("exit", done).on("error", fail));
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  return {
    child,
    output: () => output,
    exited,
    stop,
    kill: async () => {
      if (process.platform === "win32" || child.pid === undefined) return await stop();
      process.kill(-child.pid, "SIGKILL");
      await exited;
    },
  };
}
