import { posix, win32 } from "node:path";

/** What decides where a person's data belong. */
export interface PersonFolderOptions {
  /** As in `process.platform`. */
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person's home folder. */
  readonly home: string;
  /** The editor's scheme of links (`vscode`, `vscode-insiders`, …), which outlives a new name of the product. */
  readonly scheme: string;
  /** The editor's name, for an editor without a scheme. */
  readonly name: string;
}

/**
 * The folder for a person's records, one for each editor product. It lies outside the editor's own folders, because an
 * editor deletes an extension's storage after an uninstall.
 *
 * - `$XDG_DATA_HOME/bidside/PRODUCT` if that variable has an absolute path; on Linux `~/.local/share` is the default
 * - macOS: `~/Library/Application Support/Bidside/PRODUCT`
 * - Windows: `%APPDATA%\Bidside\PRODUCT`
 * - A portable editor: `bidside/PRODUCT` in its data folder
 */
export function personFolder({ platform, env, home, scheme, name }: PersonFolderOptions): string {
  const { join, isAbsolute } = platform === "win32" ? win32 : posix;
  const product = folderName(scheme) || folderName(name) || "editor";
  const portable = env["VSCODE_PORTABLE"];
  if (portable !== undefined && isAbsolute(portable)) return join(portable, "bidside", product);
  // The snap of VS Code sets the variable to a folder of its own revision, and keeps the person's value under this name.
  const dataHome = env["XDG_DATA_HOME_VSCODE_SNAP_ORIG"] ?? env["XDG_DATA_HOME"] ?? "";
  if (isAbsolute(dataHome)) return join(dataHome, "bidside", product);
  if (platform === "darwin") return join(home, "Library", "Application Support", "Bidside", product);
  if (platform !== "win32") return join(home, ".local", "share", "bidside", product);
  const roaming = env["APPDATA"] ?? "";
  return join(isAbsolute(roaming) ? roaming : join(home, "AppData", "Roaming"), "Bidside", product);
}

/** A text as the name of a folder on every system; "" if nothing of it can be one. */
function folderName(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[^A-Za-z0-9._]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .slice(0, 60);
}
