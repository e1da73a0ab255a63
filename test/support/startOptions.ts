import { parseArgs } from "node:util";

/** What `npm start` was asked for. */
export interface StartOptions {
  /** `auto`: an installed desktop VS Code if there is one, else the server. */
  readonly editor: "auto" | "desktop" | "server";
  /** Where the server listens; 0 is any free port. */
  readonly port: number;
}

/** A wish that cannot be met; its message is one sentence for the user. */
export class StartOptionsError extends Error {
  override readonly name = "StartOptionsError";
}

const usage = "npm start -- [--editor desktop|server] [--port N]";

/** Reads `--editor` and `--port`. Throws StartOptionsError for anything else. */
export function readStartOptions(args: readonly string[]): StartOptions {
  const { editor = "auto", port } = parse(args);
  if (editor !== "auto" && editor !== "desktop" && editor !== "server")
    throw new StartOptionsError(`--editor is "desktop" or "server", not "${editor}".`);
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
    throw new StartOptionsError(`--port is a number from 1 to 65535, not "${port}".`);
  if (port !== undefined && editor === "desktop")
    throw new StartOptionsError("--port belongs to --editor server: a desktop VS Code listens on no port.");
  // Whoever names a port wants the server.
  return { editor: port !== undefined ? "server" : editor, port: Number(port ?? 0) };
}

function parse(args: readonly string[]): { editor?: string; port?: string } {
  try {
    return parseArgs({ args: [...args], options: { editor: { type: "string" }, port: { type: "string" } } })
      .values;
  } catch {
    throw new StartOptionsError(`"${args.join(" ")}" is not understood: ${usage}`);
  }
}
