import { afterTime, type After } from "./after.ts";

/** Settles with the task, or rejects after `ms`. */
export async function withTimeout<T>(task: Promise<T>, ms: number, after: After = afterTime): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const cancel = after(ms, () => reject(new Error(`Nothing within ${ms} ms.`)));
  try {
    return await Promise.race([task, tooLate]);
  } finally {
    cancel();
  }
}
