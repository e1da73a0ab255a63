import { basename } from "node:path";
import { GREP } from "./outcome.ts";

/** Names the environment variable with the chosen test files of the editor suite, separated by commas. */
const FILES = "BIDSIDE_EDITOR_FILES";

/** The tests of the editor suite to run; without files and text, all tests. */
export interface SuiteChoice {
  /** Paths of test files from the project's root. */
  readonly files: readonly string[];
  /** Text that the full title contains. */
  readonly grep?: string | undefined;
}

/** The environment that carries a choice into the editor. */
export function choiceEnv({ files, grep = "" }: SuiteChoice): Record<string, string> {
  return { [GREP]: grep, [FILES]: files.join(",") };
}

/** The choice in the environment; `built`: the names in the folder of the built tests. */
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
