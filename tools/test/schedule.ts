/** Something to run that may need others to have ended well. */
export interface Task {
  readonly name: string;
  /** The names of the tasks that it needs. A task of this run that fails keeps it from running. */
  readonly after: readonly string[];
  /** Whether it runs an editor, which with its browser keeps a core busy. */
  readonly hasEditor: boolean;
}

interface Limits {
  /** How many tasks run at once, and how many of them with an editor. */
  readonly workers: number;
  readonly editors: number;
  /** Keeps further tasks from starting. */
  readonly signal: AbortSignal;
}

/**
 * Runs tasks side by side, in the given order as far as what they need allows. `run` returns whether the task ended
 * well. Returns the tasks that did not run.
 */
export async function runTasks<Any extends Task>(
  tasks: readonly Any[],
  { workers, editors, signal }: Limits,
  run: (task: Any) => Promise<boolean>,
): Promise<readonly Any[]> {
  let waiting = [...tasks];
  const running = new Map<Any, Promise<void>>();
  const missing = new Set<string>();
  const left: Any[] = [];

  function isReady({ after, hasEditor }: Any): boolean {
    const open = [...running.keys()];
    if (hasEditor && open.filter((task) => task.hasEditor).length >= editors) return false;
    return ![...waiting, ...open].some(({ name }) => after.includes(name));
  }

  async function start(task: Any): Promise<void> {
    if (!(await run(task))) missing.add(task.name);
    running.delete(task);
  }

  for (;;) {
    const kept = waiting.filter(({ after }) => after.some((name) => missing.has(name)));
    for (const { name } of kept) missing.add(name);
    left.push(...kept);
    waiting = waiting.filter((task) => !kept.includes(task));
    // Others may need those.
    if (kept.length > 0) continue;
    const next = running.size < workers && !signal.aborted ? waiting.find(isReady) : undefined;
    if (next) {
      waiting = waiting.filter((task) => task !== next);
      running.set(next, start(next));
    } else if (running.size > 0) await Promise.race(running.values());
    else return [...left, ...waiting];
  }
}
