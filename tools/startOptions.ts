import { readCommandLine } from "./commandLine.ts";

export interface StartOptions {
  /** `auto`: an installed desktop VS Code if there is one, else the server. */
  readonly editor: "auto" | "desktop" | "server";
  /** The server's port; 0 for any free port. */
  readonly port: number;
}

/** An invalid option. The message is one sentence for the user. */
export class StartOptionsError extends Error {
  override readonly name = "StartOptionsError";
}

const usage = `Usage: npm start -- [--editor desktop|server] [--port N]

Builds Bidside and opens VS Code with it, on the practice exchange. Ctrl-C ends all of it.

  --editor desktop  in an installed VS Code, which is the usual way where there is one
  --editor server   in VS Code's server, for a browser
  --port N          where the server listens; any free port when left out
  --help            prints this`;

/**
 * Parses `--editor` and `--port`. Exits for `--help` and unknown arguments, and throws StartOptionsError for an invalid
 * value.
 */
export function readStartOptions(args: readonly string[]): StartOptions {
  const { editor = "auto", port } = readCommandLine(
    { usage, options: { editor: { type: "string" }, port: { type: "string" } } },
    args,
  ).values;
  if (editor !== "auto" && editor !== "desktop" && editor !== "server")
    throw new StartOptionsError(`--editor is "desktop" or "server", not "${editor}".`);
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
    throw new StartOptionsError(`--port is a number from 1 to 65535, not "${port}".`);
  if (port !== undefined && editor === "desktop")
    throw new StartOptionsError("--port belongs to --editor server: a desktop VS Code listens on no port.");
  // A port implies the server.
  return { editor: port !== undefined ? "server" : editor, port: Number(port ?? 0) };
}
