import { systemTimers, type After } from "../time/timers.ts";

/** Settles with the task, or rejects after `ms`. */
export async function withTimeout<T>(
  task: Promise<T>,
  ms: number,
  after: After = systemTimers.after,
): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const cancel = after(ms, () => reject(new Error(`Nothing within ${ms} ms.`)));
  try {
    return await Promise.race([task, tooLate]);
  } finally {
    cancel();
  }
}
