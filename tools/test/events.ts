import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** Environment variable with the file to which a process of tests appends its events, one line of JSON for each. */
export const EVENTS = "BIDSIDE_EVENTS";

/** A test, or a hook. */
export interface TestName {
  /** Path from the project's root. */
  readonly file: string;
  /** The titles of its suites, then its own. */
  readonly title: string;
}

/** A failure as it is printed. */
export interface Failure extends TestName {
  /** The whole error: stack, difference and causes. */
  readonly error: string;
  /** Files and folders that show more; a story leaves them when it ends. */
  readonly kept: readonly string[];
}

/** What a process of tests reports while it runs. */
export type TestEvent =
  | { readonly kind: "planned"; readonly tests: readonly TestName[] }
  | { readonly kind: "begun" | "passed"; readonly test: TestName }
  | { readonly kind: "failed"; readonly failure: Failure }
  /** A long test goes on. */
  | { readonly kind: "progress" }
  /** A line for the log of a process whose standard output nobody reads. */
  | { readonly kind: "log"; readonly text: string }
  /** All tests are over. `seconds`: how long those of each file took. */
  | { readonly kind: "ended"; readonly seconds: Readonly<Record<string, number>> };

/** Reports an event at once, so that it is known even if the process is killed next. */
export function report(event: TestEvent): void {
  const file = process.env[EVENTS];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(event)}\n`);
}

/** Returns a function that reads the events which were appended to a file since its last call. */
export function eventReader(file: string): () => readonly TestEvent[] {
  let read = 0;
  return () => {
    if (!existsSync(file)) return [];
    const text = readFileSync(file, "utf8");
    // The last line may be incomplete.
    const whole = text.slice(read, text.lastIndexOf("\n") + 1);
    read += whole.length;
    return whole
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as TestEvent);
  };
}
