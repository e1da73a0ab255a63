/** Environment variable with the choice of editor tests, as JSON. */
export const SUITE = "BIDSIDE_SUITE";

/** Which tests of the editor suite to run. */
export interface SuiteChoice {
  /** Paths of test files; all of them if empty. */
  readonly files: readonly string[];
  /** Text that a test's full title must contain. */
  readonly grep: string;
}
