import { posix, win32 } from "node:path";

export interface UserDataFolderOptions {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The editor's URI scheme (`vscode`, `vscode-insiders`, …), which stays the same if the product is renamed. */
  readonly scheme: string;
  /** The editor's name, used if it has no scheme. */
  readonly name: string;
}

/**
 * The folder for the user's records, one per editor product. It is outside the editor's own folders, because the editor deletes
 * an extension's storage on uninstall.
 *
 * - `$XDG_DATA_HOME/bidside/PRODUCT` if that variable is an absolute path; on Linux the default is `~/.local/share`
 * - macOS: `~/Library/Application Support/Bidside/PRODUCT`
 * - Windows: `%APPDATA%\Bidside\PRODUCT`
 * - A portable editor: `bidside/PRODUCT` in its data folder
 */
export function userDataFolder({ platform, env, home, scheme, name }: UserDataFolderOptions): string {
  const { join, isAbsolute } = platform === "win32" ? win32 : posix;
  const product = folderName(scheme) || folderName(name) || "editor";
  const portable = env["VSCODE_PORTABLE"];
  if (portable !== undefined && isAbsolute(portable)) return join(portable, "bidside", product);
  // VS Code's snap sets the variable to a folder of its own revision, and keeps the user's value under this name.
  const dataHome = env["XDG_DATA_HOME_VSCODE_SNAP_ORIG"] ?? env["XDG_DATA_HOME"] ?? "";
  if (isAbsolute(dataHome)) return join(dataHome, "bidside", product);
  if (platform === "darwin") return join(home, "Library", "Application Support", "Bidside", product);
  if (platform !== "win32") return join(home, ".local", "share", "bidside", product);
  const roaming = env["APPDATA"] ?? "";
  return join(isAbsolute(roaming) ? roaming : join(home, "AppData", "Roaming"), "Bidside", product);
}

/** Makes text usable as a folder name on every system; "" if nothing is left. */
function folderName(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[^A-Za-z0-9._]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 60);
}
