import { readFileSync } from "node:fs";
import { join } from "node:path";
import { monotonicTimers } from "../time/timers.ts";
import { callWindow } from "../hub/caller.ts";
import { type ManifestTool, serve } from "./server.ts";

// MCP server over standard input and output, outside the extension host. It has no API key and sends no request to the exchange:
// calls are forwarded to the editor window in front. Its argument is the folder through which windows find each other.

const [directory = ""] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(join(__dirname, "..", "package.json"), "utf8")) as {
  readonly version: string;
  readonly contributes: { readonly languageModelTools: readonly ManifestTool[] };
};
// The client has exited.
process.stdout.on("error", () => process.exit());
void serve({
  version: manifest.version,
  tools: manifest.contributes.languageModelTools,
  call: (message) => callWindow({ directory, timers: monotonicTimers }, message),
  timers: monotonicTimers,
});
