/** The outcome of a mocha suite. A skipped test counts as failed, because none is skipped on purpose. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** One line per failure: the full title, then the first line of the error. */
  readonly failures: readonly string[];
}

/** The part of mocha's runner that is used here, so that this module does not load mocha. */
interface Runner {
  on(event: "pass" | "pending", listener: (test: { fullTitle(): string }) => void): unknown;
  on(event: "fail", listener: (test: { fullTitle(): string }, error: Error) => void): unknown;
}

/** Counts the results of a mocha run. The returned function returns the outcome so far. */
export function follow(runner: Runner): () => Outcome {
  let passed = 0;
  const failures: string[] = [];
  runner.on("pass", () => {
    passed += 1;
  });
  runner.on("fail", (test, error) => failures.push(`${test.fullTitle()}: ${firstLine(error)}`));
  runner.on("pending", (test) => failures.push(`${test.fullTitle()}: skipped`));
  return () => ({ passed, failed: failures.length, failures });
}

/** The first line of an error's message. */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] ?? message;
}

/** Environment variable with the path of the JSON file to which a suite writes its outcome. */
export const OUTCOME_FILE = "BIDSIDE_OUTCOME";

/** Environment variable with text that the titles of the editor suite's tests must contain; all run if it is empty. */
export const GREP = "BIDSIDE_GREP";
