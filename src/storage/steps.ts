import { setImmediate } from "node:timers/promises";

/** Work that can pause at each `yield`. */
export type Steps<T> = Generator<void, T>;

/** Does the work without a pause. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Does the work with time for everything else at each pause, so that long work does not stop the editor. */
export async function withPauses<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await setImmediate();
  }
}
