import { join } from "node:path";
import type { Computer } from "../files/computer.ts";
import { namesIn, replaceFile } from "../files/wholeFile.ts";
import { removeSocket } from "./socketPath.ts";
import type { Token } from "./token.ts";

/**
 * The doors of this computer's windows: one file for each window that an assistant's server may call. The file has a
 * number and the number of the window's process. The highest number belongs to the window that was in front last.
 */
interface DoorFile {
  readonly name: string;
  readonly number: number;
  readonly pid: number;
}

const NAME = /^door-[0-9a-f]{16}$/;
const TEXT = /^(\d{1,12}) (\d{1,12})$/;

/** All doors, the one of the window in front last first. Throws if the folder cannot be listed. */
function allDoors(directory: string, { files }: Computer): readonly DoorFile[] {
  return namesIn(directory, files)
    .filter((name) => NAME.test(name))
    .flatMap((name) => {
      const [, number, pid] = TEXT.exec(textOf(join(directory, name), files)) ?? [];
      return number === undefined ? [] : [{ name, number: Number(number), pid: Number(pid) }];
    })
    .sort((a, b) => b.number - a.number || (a.name < b.name ? -1 : 1));
}

/** "" for a door that was closed meanwhile. */
function textOf(path: string, files: Computer["files"]): string {
  try {
    return String(files.readFileSync(path));
  } catch {
    return "";
  }
}

/** The names of the doors of windows that run, the window in front last first. Throws if the folder cannot be listed. */
export function openDoors(directory: string, computer: Computer): readonly string[] {
  return allDoors(directory, computer).flatMap(({ name, pid }) => (computer.isRunning(pid) ? [name] : []));
}

/** A name for the door of a new window. */
export function newDoorName({ randomBytes }: Computer): string {
  return `door-${randomBytes(8).toString("hex")}`;
}

/** Writes a door before all others, or behind them. Throws if the file cannot be written. */
export function putDoor(directory: string, name: string, place: "first" | "last", computer: Computer): void {
  const [first] = allDoors(directory, computer);
  if (place === "first" && first?.name === name) return;
  const number = place === "first" ? (first?.number ?? 0) + 1 : 0;
  replaceFile(join(directory, name), `${number} ${computer.pid}`, computer);
}

/** Removes the doors of windows that were killed. */
export function clearDoors(directory: string, token: Token, computer: Computer): void {
  for (const { name, pid } of allDoors(directory, computer)) {
    if (computer.isRunning(pid)) continue;
    removeDoor(directory, name, computer);
    removeSocket(token, name, computer);
  }
}

/** Removes a door. Nobody needs to know if that fails: a door without a window is skipped. */
export function removeDoor(directory: string, name: string, { files }: Computer): void {
  try {
    files.rmSync(join(directory, name), { force: true });
  } catch {
    // The folder is gone.
  }
}
