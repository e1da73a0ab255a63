import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";

/** A program and everything it starts, so that all of it can be ended together. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  /** What the program has printed so far, on either stream. */
  said(): string;
  /** Resolves when the program is gone: with its exit code, or null when it was ended. */
  readonly exited: Promise<number | null>;
  /** Ends the program and its descendants; resolves when they are gone. Safe to call more than once. */
  stop(): Promise<void>;
  /** Ends them all at once with no chance to tidy up, as `kill -9` does; where there are no signals, as `stop` does. */
  kill(): Promise<void>;
}

/**
 * Starts a program in a process group of its own. The group ends by `stop`, and also when this process ends, however
 * that comes about.
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
  let said = "";
  child.stdout.on("data", (text) => (said += text));
  child.stderr.on("data", (text) => (said += text));
  const exited = new Promise<number | null>((done, fail) => child.on("exit", done).on("error", fail));
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await exited;
  };
  return {
    child,
    said: () => said,
    exited,
    stop,
    kill: async () => {
      if (process.platform === "win32" || child.pid === undefined) return await stop();
      process.kill(-child.pid, "SIGKILL");
      await exited;
    },
  };
}
