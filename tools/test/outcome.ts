/** The outcome of a mocha suite. A skipped test counts as failed: no test here is skipped on purpose. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  /** One line per failure: the full title, then the first line of the error. */
  readonly failures: readonly string[];
}

/** The part of mocha's runner that this module reads, so that the module needs no mocha at run time. */
interface Runner {
  on(event: "pass" | "pending", listener: (test: { fullTitle(): string }) => void): unknown;
  on(event: "fail", listener: (test: { fullTitle(): string }, error: Error) => void): unknown;
}

/** Follows a mocha runner; the returned function gives the outcome so far. */
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

/** An error in one line. */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split("\n", 1)[0] ?? message;
}

/** The environment variable that names the JSON file a suite writes its outcome to. */
export const OUTCOME_FILE = "BIDSIDE_OUTCOME";

/** The environment variable with the text of the titles that the editor suite runs; all when empty. */
export const GREP = "BIDSIDE_GREP";
