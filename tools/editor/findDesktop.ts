import { existsSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** Where to search. Default: this computer. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

const thisMachine: Machine = { platform: process.platform, env: process.env, home: homedir() };

/**
 * Finds a desktop VS Code: the executable in BIDSIDE_VSCODE, else an installed one if there is a graphical session.
 * Returns the path of the program itself, because its launcher, `code`, would leave processes behind. Throws if
 * BIDSIDE_VSCODE does not exist.
 */
export function findDesktop({ platform, env, home }: Machine = thisMachine): string | undefined {
  const named = env["BIDSIDE_VSCODE"];
  if (named !== undefined) {
    if (!existsSync(named)) throw new Error(`BIDSIDE_VSCODE names ${named}, which does not exist.`);
    return named;
  }
  if (!hasGraphicalSession({ platform, env })) return undefined;
  if (platform === "darwin")
    return ["/Applications", join(home, "Applications")]
      .flatMap((folder) =>
        ["Code", "Electron"].map((name) => join(folder, "Visual Studio Code.app/Contents/MacOS", name)),
      )
      .find((path) => existsSync(path));
  if (platform === "win32")
    return [join(env["LOCALAPPDATA"] ?? "", "Programs"), env["PROGRAMFILES"] ?? ""]
      .map((folder) => join(folder, "Microsoft VS Code", "Code.exe"))
      .find((path) => existsSync(path));
  return [...onPath(env["PATH"] ?? ""), "/usr/share/code/code", "/opt/visual-studio-code/code"].find((path) =>
    existsSync(path),
  );
}

/** Whether a window can be shown. */
export function hasGraphicalSession({ platform, env }: Omit<Machine, "home"> = thisMachine): boolean {
  return platform !== "linux" || env["DISPLAY"] !== undefined || env["WAYLAND_DISPLAY"] !== undefined;
}

/** Finds the program `…/code` that belongs to a launcher `…/bin/code` on PATH, which is often a link. */
function onPath(path: string): string[] {
  return path
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, "code"))
    .filter((launcher) => existsSync(launcher))
    .map((launcher) => join(dirname(dirname(realpathSync(launcher))), "code"));
}
