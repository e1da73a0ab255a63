/** Settles like the task, or rejects after `ms`. */
export async function withTimeout<T>(task: Promise<T>, ms: number): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`Nothing within ${ms} ms.`)), ms);
  try {
    return await Promise.race([task, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
