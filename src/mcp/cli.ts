import { readFileSync } from "node:fs";
import { join } from "node:path";
import { monotonicTimers } from "../time/timers.ts";
import { type CallOutcome, callWindow } from "../hub/caller.ts";
import { printAnswer } from "./oneLine.ts";
import { type ManifestTool, serve } from "./server.ts";

// MCP server over standard input and output, outside the extension host. It has no API key and sends no request to the exchange:
// calls are forwarded to the editor window in front. Its first argument is the folder through which windows find each other;
// with `--json`, it prints one answer instead.

const [directory = "", ...args] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(join(__dirname, "..", "package.json"), "utf8")) as {
  readonly version: string;
  readonly contributes: { readonly languageModelTools: readonly ManifestTool[] };
};
// The client has exited.
process.stdout.on("error", () => process.exit());
const call = (message: { readonly tool: string; readonly input: string }): Promise<CallOutcome> =>
  callWindow({ directory, timers: monotonicTimers }, message);
if (args.length > 0)
  void printAnswer(args, {
    call,
    print: (line) => process.stdout.write(`${line}\n`),
    printError: (line) => process.stderr.write(`${line}\n`),
  }).then((code) => {
    process.exitCode = code;
  });
else
  void serve({
    version: manifest.version,
    tools: manifest.contributes.languageModelTools,
    call,
    timers: monotonicTimers,
  });
