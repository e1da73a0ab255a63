import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";

/** A program and all processes that it starts, so that all can be ended together. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  /** The output of the program so far, of both streams. */
  output(): string;
  /** Resolves when the program has ended: with its exit code, or null if the program was killed. */
  readonly exited: Promise<number | null>;
  /** Ends the program and its descendants; resolves when all have ended. Safe to call more than once. */
  stop(): Promise<void>;
  /** Ends all at once without clean-up, as `kill -9` does; on a system without signals, as `stop` does. */
  kill(): Promise<void>;
}

/**
 * Starts a program in a process group of its own. The group ends by `stop`, and also with this process,
 * however this process ends.
 */
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
