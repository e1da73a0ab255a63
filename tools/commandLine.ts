import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

/** A script from its user's view. */
export interface Script<Options extends ParseArgsOptionsConfig> {
  /** The usage: how to call the script, its purpose, and one line for each option. */
  readonly usage: string;
  readonly options?: Options;
  /** The problem of the words that are no option; default: every such word is wrong. */
  readonly wordProblem?: (words: readonly string[]) => string | undefined;
}

type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options; allowPositionals: true }>
>;

/**
 * Reads a script's arguments. `--help` prints the usage and ends the process with 0; an argument that the script does not
 * have is named in one sentence, and ends the process with 2.
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
    // Only the first sentence: the rest explains how a word that begins with a dash is passed.
    return refuse(error instanceof Error ? (error.message.split(/\. |\n/, 1)[0] ?? "") : String(error));
  }
}

/** Names the problem of the arguments in one sentence, and ends the process with 2. */
function refuse(problem: string): never {
  process.stderr.write(`${problem.replace(/\.$/, "")}. --help shows the usage.\n`);
  process.exit(2);
}

function noWords([word]: readonly string[]): string | undefined {
  return word === undefined ? undefined : `"${word}" is not understood`;
}
