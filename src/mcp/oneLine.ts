import type { ToolName } from "../assistant/access.ts";
import type { CallOutcome } from "../hub/caller.ts";
import { NO_RESULT } from "./server.ts";

interface OneLineOptions {
  readonly call: (message: { readonly tool: string; readonly input: string }) => Promise<CallOutcome>;
  /** Prints a line. */
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}

const USAGE = `Usage: --json portfolio
       --json price PAIR

Prints one line of JSON from the editor's window in front, as far as bidside.assistant.access allows it. Without an
answer it is {"problem": "…"}, and the exit code 1.`;

/** Answers the arguments of a script with one line. Resolves to the exit code: 1 without an answer, 2 for other arguments. */
export async function printAnswer(
  args: readonly string[],
  { call, print, printError }: OneLineOptions,
): Promise<0 | 1 | 2> {
  const request = requestOf(args);
  if (!request) {
    printError(USAGE);
    return 2;
  }
  const outcome = await call({ tool: request.tool, input: JSON.stringify(request.input) });
  if (typeof outcome !== "string") {
    print(outcome.text);
    return outcome.isError ? 1 : 0;
  }
  print(JSON.stringify({ problem: NO_RESULT[outcome] }));
  return 1;
}

function requestOf(args: readonly string[]): { readonly tool: ToolName; readonly input: object } | undefined {
  const [flag, what, pair, ...more] = args;
  if (flag !== "--json" || more.length > 0) return undefined;
  if (what === "portfolio" && pair === undefined) return { tool: "bidside_account", input: {} };
  return what === "price" && pair !== undefined ? { tool: "bidside_markets", input: { pair } } : undefined;
}
