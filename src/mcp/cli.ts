import { readFileSync } from "node:fs";
import { join } from "node:path";
import { monotonicTimers } from "../desk/time/timers.ts";
import { callWindow } from "../hub/caller.ts";
import { type ManifestTool, serve } from "./server.ts";

// A server for assistants outside the extension host, over standard input and output. It has no key and asks no exchange:
// it passes calls on to the window of the editor in front. Its argument is the folder in which the windows find each other.

const [directory = ""] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(join(__dirname, "..", "package.json"), "utf8")) as {
  readonly version: string;
  readonly contributes: { readonly languageModelTools: readonly ManifestTool[] };
};
// The client is gone: nobody reads an answer any more.
process.stdout.on("error", () => process.exit());
void serve({
  version: manifest.version,
  tools: manifest.contributes.languageModelTools,
  call: (message) => callWindow({ directory, timers: monotonicTimers }, message),
  timers: monotonicTimers,
});
