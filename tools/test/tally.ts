import type { TestEvent, TestName } from "./events.ts";
import { INTERRUPTED } from "./watchedProcess.ts";

/** A failure as it is printed. */
export interface Failure {
  /** What ran: a test file, or else the unit. */
  readonly file: string;
  readonly title: string;
  /** The whole error: stack, difference and causes. */
  readonly error: string;
  /** Files and folders that show more, if they exist. */
  readonly kept: readonly string[];
}

/** The result of a unit. */
export interface Report {
  readonly passed: number;
  readonly failures: readonly Failure[];
  /** Tests that were not run, each with its file and title; files of whose tests nothing is known. */
  readonly notRun: readonly string[];
  readonly output: string;
  /** How long the tests of each file took. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** The results of a process of tests so far, from its events. */
export class Tally {
  readonly #unit: string;
  readonly #files: readonly string[];
  readonly #onFailure: (failure: Failure) => void;
  readonly #failures: Failure[] = [];
  readonly #done = new Set<string>();
  #planned: readonly TestName[] | undefined;
  #running: TestName | undefined;
  #passed = 0;
  #log = "";
  #seconds: Readonly<Record<string, number>> | undefined;

  /** `onFailure` receives each failure as it happens. */
  constructor(unit: string, files: readonly string[], onFailure: (failure: Failure) => void) {
    this.#unit = unit;
    this.#files = files;
    this.#onFailure = onFailure;
  }

  add(event: TestEvent): void {
    if (event.kind === "planned") this.#planned = event.tests;
    else if (event.kind === "begun") this.#running = event.test;
    else if (event.kind === "log") this.#log += `${event.text}\n`;
    else if (event.kind === "ended") this.#seconds = event.seconds;
    else if (event.kind === "passed") {
      this.#passed += 1;
      this.#end(event.test);
    } else if (event.kind === "failed") {
      this.#end(event.test);
      this.#fail({ ...event.test, error: event.error, kept: event.kept });
    }
  }

  /**
   * The report of the process, which has ended. `problem`: how, unless with exit code 0. A process that ended before
   * its tests counts as a failure of the test that was running.
   */
  report(problem: string | undefined, output: string): Report {
    if (problem !== INTERRUPTED && this.#seconds === undefined) {
      const { file, title } = this.#running ?? { file: this.#unit, title: "outside of a test" };
      this.#end({ file, title });
      const tail = output.trimEnd().split("\n").slice(-20).join("\n");
      this.#fail({
        file,
        title,
        error: `The process ${problem ?? "ended too soon"}. Its last output:\n${tail}`,
        kept: [],
      });
    } else if (problem !== undefined && problem !== INTERRUPTED && this.#failures.length === 0) {
      const error = `The tests passed, yet the process ${problem}.`;
      this.#fail({ file: this.#unit, title: "the end of the process", error, kept: [] });
    }
    return {
      passed: this.#passed,
      failures: this.#failures,
      notRun:
        this.#planned?.filter((test) => !this.#done.has(keyOf(test))).map(keyOf) ??
        // Nothing was planned, so the process died while it loaded its files.
        this.#files,
      output: this.#log + output,
      seconds: this.#seconds ?? {},
    };
  }

  #end(test: TestName): void {
    this.#done.add(keyOf(test));
    this.#running = undefined;
  }

  #fail(failure: Failure): void {
    this.#failures.push(failure);
    this.#onFailure(failure);
  }
}

function keyOf({ file, title }: TestName): string {
  return `${file}: ${title}`;
}
