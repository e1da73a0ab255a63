import { dirname, join } from "node:path";
import { thisSystem } from "../../files/operatingSystem.ts";
import { replaceFile } from "../../files/atomicFiles.ts";

/** The installed version's server, and the folder through which that version's windows find each other. */
interface McpServerLocation {
  readonly script: string;
  readonly windows: string;
}

/**
 * Path of the MCP server's launcher. It contains no version, so an assistant's configuration survives updates.
 */
export function launcherIn(records: string): string {
  return join(records, "mcp.cjs");
}

/** Points the launcher to this version's server. Throws if it cannot be written. */
export function writeLauncher(path: string, { script, windows }: McpServerLocation): void {
  const { files } = thisSystem;
  const text = `// Written by Bidside when a window opens: starts the server for assistants of the installed version.
// For scripts: "--json portfolio" or "--json price BTC/THB" prints one line of JSON.
"use strict";
const script = ${JSON.stringify(script)};
try {
  require.resolve(script);
} catch {
  console.error("Bidside was removed or updated. Open a window of the editor with Bidside, then start this again.");
  process.exit(1);
}
process.argv.splice(2, 0, ${JSON.stringify(windows)});
require(script);
`;
  if (files.existsSync(path) && String(files.readFileSync(path)) === text) return;
  files.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  replaceFile(path, text);
}
