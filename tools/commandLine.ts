import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

export interface Script<Options extends ParseArgsOptionsConfig> {
  /** Printed by `--help`: how to call the script, what it does, and one line per option. */
  readonly usage: string;
  readonly options?: Options;
  /** Validates positional arguments, and returns what is wrong with them. Default: none are allowed. */
  readonly wordProblem?: (words: readonly string[]) => string | undefined;
}

type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>;

/**
 * Parses a script's arguments. `--help` prints the usage and exits with 0. An invalid argument is reported in one
 * sentence, and exits with 2.
 */
export function readCommandLine<const Options extends ParseArgsOptionsConfig>(
  script: Script<Options>,
  args: readonly string[] = process.argv.slice(2),
): Parsed<Options> {
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(`${script.usage}\n`);
    process.exit(0);
  }
  try {
    const parsed = parseArgs({
      args: [...args],
      options: script.options ?? ({} as Options),
      allowPositionals: true,
    });
    const problem = (script.wordProblem ?? noWords)(parsed.positionals);
    if (problem === undefined) return parsed;
    return refuse(problem);
  } catch (error) {
    // Only the first sentence, because Node then explains how to pass a value that begins with a dash.
    return refuse(error instanceof Error ? (error.message.split(/\. |\n/, 1)[0] ?? "") : String(error));
  }
}

function refuse(problem: string): never {
  process.stderr.write(`${problem.replace(/\.$/, "")}. --help shows the usage.\n`);
  process.exit(2);
}

function noWords([word]: readonly string[]): string | undefined {
  return word === undefined ? undefined : `"${word}" is not understood`;
}
