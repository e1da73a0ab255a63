import { spawn } from "node:child_process";

/** What it costs to start an empty Node process on an idle laptop, in ms. */
const IDLE_MS = 60;

/** How often a running limit looks at the machine, in ms. A shorter limit looks once, at its end. */
const LOOK_MS = 5000;

let measuring: Promise<number> | undefined;

/** How many times slower than an idle laptop this machine now is, at least 1. Starts a process. */
function slowdown(): Promise<number> {
  measuring ??= new Promise<number>((resolve) => {
    const started = performance.now();
    // In an extension host of the desktop editor, the program is Electron.
    const env = { ELECTRON_RUN_AS_NODE: "1" };
    const probe = spawn(process.execPath, ["--eval", ""], { env, stdio: "ignore" });
    probe.on("error", () => resolve(1));
    probe.on("exit", () => resolve(Math.max(1, (performance.now() - started) / IDLE_MS)));
  }).finally(() => (measuring = undefined));
  return measuring;
}

/**
 * Calls `end` after a time that is `ms` on an idle laptop and, on a slow or busy machine, as much longer as an empty
 * process takes longer to start there in the meantime. Returns a function that cancels it.
 */
export function startLimit(ms: number, end: () => void, speed: () => Promise<number> = slowdown): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isCancelled = false;
  function wait(leftMs: number, slower: number): void {
    const waitMs = Math.max(1, Math.min(leftMs * slower, LOOK_MS));
    timer = setTimeout(() => void look(leftMs, waitMs), waitMs);
  }
  async function look(leftMs: number, waitedMs: number): Promise<void> {
    const slower = await speed();
    if (isCancelled) return;
    const nowLeftMs = leftMs - waitedMs / slower;
    // Less is the probe's own jitter.
    if (nowLeftMs < ms / 100) end();
    else wait(nowLeftMs, slower);
  }
  wait(ms, 1);
  return () => {
    isCancelled = true;
    clearTimeout(timer);
  };
}
