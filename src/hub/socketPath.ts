import type { Server } from "node:net";
import { join } from "node:path";
import { type OperatingSystem, thisSystem } from "../files/operatingSystem.ts";
import { hasCode } from "../files/hasCode.ts";
import type { Token } from "./token.ts";

/** The socket folder is not owned by this user alone. Another name may work. */
export class FolderRefused extends Error {
  override readonly name = "FolderRefused";
}

/**
 * The address at which a leader (by number) or a window (by name) listens: a named pipe on Windows; elsewhere a socket in a
 * folder of the user (0700) under /tmp, because a path in the storage folder is often longer than the 104 bytes allowed. The
 * address cannot be guessed without the token.
 */
export function addressOf(token: Token, number: number | string, { platform } = thisSystem): string {
  return platform === "win32"
    ? `\\\\.\\pipe\\bidside-${token.sign("pipe", String(number)).slice(0, 32)}`
    : join(socketFolder(token), `${number}.sock`);
}

/**
 * Listens at the address, for this user only (0600). Resolves to undefined if the address is in use, or was by a process that was
 * killed: that number cannot be reused. Rejects if listening is impossible, with FolderRefused if the folder is not owned by this
 * user alone.
 */
export async function listenAt(
  token: Token,
  number: number | string,
  os = thisSystem,
): Promise<Server | undefined> {
  const { platform, files } = os;
  const address = addressOf(token, number, os);
  if (platform !== "win32") makeFolder(socketFolder(token), os);
  const server = os.createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(address, resolve);
    });
    if (platform !== "win32") files.chmodSync(address, 0o600);
    return server;
  } catch (error) {
    server.close();
    // ENOENT: a window that acquired a higher number has removed this socket.
    if (hasCode(error, "EADDRINUSE", "ENOENT")) return undefined;
    throw error;
  }
}

/** Removes sockets left by killed leaders: those of lower numbers. */
export function clearBelow(token: Token, number: number, { platform, files } = thisSystem): void {
  if (platform === "win32") return;
  const folder = socketFolder(token);
  for (const name of files.readdirSync(folder)) {
    if (Number.parseInt(name, 10) < number) files.rmSync(join(folder, name), { force: true });
  }
}

/** Removes the socket of a killed window. */
export function removeSocket(token: Token, name: string, os = thisSystem): void {
  if (os.platform === "win32") return;
  try {
    os.files.rmSync(addressOf(token, name, os), { force: true });
  } catch {
    // The folder was removed.
  }
}

/** Removes the socket folder if it is empty. */
export function clearFolder(token: Token, { platform, files } = thisSystem): void {
  if (platform === "win32") return;
  try {
    files.rmdirSync(socketFolder(token));
  } catch {
    // Another window listens there, or the folder was already removed.
  }
}

function socketFolder(token: Token): string {
  return join("/tmp", `bidside-${token.folder}`);
}

function makeFolder(folder: string, os: OperatingSystem): void {
  const { files } = os;
  try {
    files.mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    // A file or link has this name.
    if (!hasCode(error, "EEXIST", "ENOTDIR")) throw error;
  }
  const { uid, mode } = files.lstatSync(folder);
  const isOurs = uid === os.uid && (mode & 0o170777) === 0o040700;
  if (!isOurs) throw new FolderRefused(`${folder} is not a folder of this user alone.`);
}
