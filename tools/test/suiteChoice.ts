import { basename } from "node:path";

/** Environment variable with text that the titles of the suite's tests must contain; all run if it is empty. */
const GREP = "BIDSIDE_GREP";
/** Environment variable with the editor suite's chosen test files, separated by commas. */
const FILES = "BIDSIDE_EDITOR_FILES";

/** Which tests of the editor suite to run; all of them without files and text. */
export interface SuiteChoice {
  /** Paths of test files, relative to the project's root. */
  readonly files: readonly string[];
  /** Text that a test's full title must contain. */
  readonly grep?: string | undefined;
}

/** Environment variables that pass a choice to the editor. */
export function choiceEnv({ files, grep = "" }: SuiteChoice): Record<string, string> {
  return { [GREP]: grep, [FILES]: files.join(",") };
}

/** Reads the choice from the environment. `built`: file names in the folder of built tests. */
export function readChoice(
  env: Readonly<Record<string, string | undefined>>,
  built: readonly string[],
): { readonly files: readonly string[]; readonly grep: string } {
  const named = (env[FILES] ?? "").split(",").filter(Boolean);
  const chosen = new Set(named.map((file) => `${basename(file, ".ts")}.js`));
  const tests = built.filter((name) => name.endsWith(".test.js"));
  return {
    files: tests.filter((name) => chosen.size === 0 || chosen.has(name)),
    grep: env[GREP] ?? "",
  };
}
