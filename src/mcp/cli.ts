import { readFileSync } from "node:fs";
import { join } from "node:path";
import { monotonicTimers } from "../desk/time/timers.ts";
import { callWindow } from "../hub/caller.ts";
import { FrameReader, LARGEST_FRAME } from "../hub/frames.ts";
import { type Answer, type ManifestTool, McpServer, unreadable } from "./server.ts";

// A server for assistants outside the extension host, over standard input and output. It has no key and asks no exchange:
// it passes calls on to the window of the editor in front. Its argument is the folder in which the windows find each other.

const [directory = ""] = process.argv.slice(2);
const manifest = JSON.parse(readFileSync(join(__dirname, "..", "package.json"), "utf8")) as {
  readonly version: string;
  readonly contributes: { readonly languageModelTools: readonly ManifestTool[] };
};
const server = new McpServer({
  version: manifest.version,
  tools: manifest.contributes.languageModelTools,
  call: (message) => callWindow({ directory, timers: monotonicTimers }, message),
});
const reader = new FrameReader(LARGEST_FRAME);

function write(answer: Answer): void {
  if (answer) process.stdout.write(`${JSON.stringify(answer)}\n`);
}

process.stdin.on("data", (chunk: Buffer) => {
  try {
    for (const message of reader.read(chunk)) void server.handle(message).then(write);
  } catch {
    write(unreadable);
    process.stdin.destroy();
  }
});
