import { spawn, spawnSync, type ChildProcess } from "node:child_process";

/** A program and everything it starts, so that all of it can be ended together. */
export interface ProcessGroup {
  readonly child: ChildProcess;
  /** What the program has printed so far, on either stream. */
  said(): string;
  /** Resolves with the exit code (null after a signal) when the program itself is gone. */
  readonly exited: Promise<number | null>;
  /** Ends the program and its descendants; resolves when the program is gone. Safe to call more than once. */
  stop(): Promise<void>;
}

/** Starts a program at the head of its own process group. */
export function startGroup(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): ProcessGroup {
  const child = spawn(program, args, {
    ...options,
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout.on("data", (text) => (said += text));
  child.stderr.on("data", (text) => (said += text));
  const exited = new Promise<number | null>((done) => {
    child.on("exit", done);
    child.on("error", (error) => {
      said += `${program} did not start: ${error.message}`;
      done(1);
    });
  });
  return {
    child,
    said: () => said,
    exited,
    stop: async () => {
      if (child.pid === undefined) return;
      endGroup(child.pid, "SIGTERM");
      const patience = setTimeout(endGroup, 5000, child.pid, "SIGKILL");
      await exited;
      clearTimeout(patience);
      // The head of the group is gone; whoever it left behind has no reason to stay.
      endGroup(child.pid, "SIGKILL");
    },
  };
}

function endGroup(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === "win32") {
    spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"]);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
