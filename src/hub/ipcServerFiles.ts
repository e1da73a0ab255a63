import { join } from "node:path";
import type { OperatingSystem } from "../files/operatingSystem.ts";
import { namesIn, replaceFile } from "../files/atomicFiles.ts";
import { removeSocket } from "./socketPath.ts";
import type { Token } from "./token.ts";

/**
 * Files that announce the call sockets of this computer's windows, one per window. Each contains an order number and the window's
 * process id. The highest number marks the window that was in front last.
 */
interface IpcServerFile {
  readonly name: string;
  readonly number: number;
  readonly pid: number;
}

const NAME = /^ipc-[0-9a-f]{16}$/;
const TEXT = /^(\d{1,12}) (\d{1,12})$/;

/** All announced sockets, most recently focused window first. Throws if the folder cannot be listed. */
function allServerFiles(directory: string, { files }: OperatingSystem): readonly IpcServerFile[] {
  return namesIn(directory, files)
    .filter((name) => NAME.test(name))
    .flatMap((name) => {
      const [, number, pid] = TEXT.exec(textOf(join(directory, name), files)) ?? [];
      return number === undefined ? [] : [{ name, number: Number(number), pid: Number(pid) }];
    })
    .sort((a, b) => b.number - a.number || (a.name < b.name ? -1 : 1));
}

/** "" if the file was removed meanwhile. */
function textOf(path: string, files: OperatingSystem["files"]): string {
  try {
    return String(files.readFileSync(path));
  } catch {
    return "";
  }
}

/** Socket names of the running windows, most recently focused first. Throws if the folder cannot be listed. */
export function runningIpcServers(directory: string, os: OperatingSystem): readonly string[] {
  return allServerFiles(directory, os).flatMap(({ name, pid }) => (os.isRunning(pid) ? [name] : []));
}

export function newIpcServerName({ randomBytes }: OperatingSystem): string {
  return `ipc-${randomBytes(8).toString("hex")}`;
}

/** Announces a socket before or after all others. Throws if the file cannot be written. */
export function registerIpcServer(
  directory: string,
  name: string,
  place: "first" | "last",
  os: OperatingSystem,
): void {
  const [first] = allServerFiles(directory, os);
  if (place === "first" && first?.name === name) return;
  const number = place === "first" ? (first?.number ?? 0) + 1 : 0;
  replaceFile(join(directory, name), `${number} ${os.pid}`, os);
}

/** Removes the files and sockets of windows that were killed. */
export function removeStaleIpcServers(directory: string, token: Token, os: OperatingSystem): void {
  for (const { name, pid } of allServerFiles(directory, os)) {
    if (os.isRunning(pid)) continue;
    unregisterIpcServer(directory, name, os);
    removeSocket(token, name, os);
  }
}

/** Ignores errors: a file without a running window is skipped anyway. */
export function unregisterIpcServer(directory: string, name: string, { files }: OperatingSystem): void {
  try {
    files.rmSync(join(directory, name), { force: true });
  } catch {
    // The folder was removed.
  }
}
