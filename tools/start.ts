import { join } from "node:path";
import { spawn } from "node:child_process";
import { startDesktopEditor } from "./editor/desktopEditor.ts";
import { findDesktop, hasGraphicalSession } from "./editor/findDesktop.ts";
import { freePort, PortTakenError, startServerEditor } from "./editor/serverEditor.ts";
import { buildAndPackage, packageExtension } from "./packageExtension.ts";
import { root, toolsFolder } from "./paths.ts";
import { readStartOptions, StartOptionsError, type StartOptions } from "./startOptions.ts";

interface Running {
  readonly exited: Promise<number | null>;
  stop(): Promise<void>;
}

/** Packages the extension, and a companion that opens its views so that a newcomer sees them at once. */
async function buildExtensions(): Promise<string[]> {
  console.log("Building and packaging Bidside …");
  const vsix = await buildAndPackage();
  const companion = join(toolsFolder, "show-bidside.vsix");
  await packageExtension(join(root, "tools", "editor", "showBidside"), companion);
  return [vsix, companion];
}

async function open({ editor, port }: StartOptions): Promise<Running> {
  const desktop = editor === "server" ? undefined : findDesktop();
  if (editor === "desktop" && desktop === undefined)
    throw new StartOptionsError(
      "No desktop VS Code was found. Name its program in BIDSIDE_VSCODE, or use --editor server.",
    );
  if (desktop === undefined) await freePort(port);
  const vsixes = await buildExtensions();
  if (desktop !== undefined) {
    const running = await startDesktopEditor(desktop, vsixes);
    console.log(`Bidside is open in ${desktop}. Close the window or press Ctrl-C to end it.`);
    return running;
  }
  console.log("Starting VS Code's server …");
  const running = await startServerEditor({ progress: console.log, vsixes, port });
  console.log(`Bidside is open at ${running.url}`);
  console.log("Press Ctrl-C to end it.");
  if (process.stdout.isTTY && hasGraphicalSession()) openInBrowser(running.url);
  return running;
}

function openInBrowser(url: string): void {
  // This is the user's own browser, so this script neither waits for it nor closes it. If it does not open, the URL has
  // been printed.
  const [program, args] = browserCommand(url);
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}

function browserCommand(url: string): [program: string, args: string[]] {
  if (process.platform === "darwin") return ["open", [url]];
  return process.platform === "win32" ? ["cmd", ["/c", "start", "", url]] : ["xdg-open", [url]];
}

const interrupted = new Promise<"interrupted">((done) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => done("interrupted"));
});

try {
  const opening = open(readStartOptions(process.argv.slice(2)));
  await Promise.race([opening, interrupted]);
  // Even if interrupted, waits until the editor is open, because only then can all its processes be ended.
  const running = await opening;
  const end = await Promise.race([running.exited, interrupted]);
  await running.stop();
  if (end !== "interrupted" && end !== 0) throw new Error(`VS Code ended by itself (exit code ${end}).`);
} catch (error) {
  const expected = error instanceof StartOptionsError || error instanceof PortTakenError;
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = expected ? 2 : 1;
}
