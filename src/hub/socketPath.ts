import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync, rmdirSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { hasCode } from "../files/hasCode.ts";
import type { Token } from "./token.ts";

/**
 * Where the leader of a number listens: on Windows a named pipe, elsewhere a socket in the user's own folder (0700)
 * under /tmp, because a path into the storage folder is often longer than the 104 bytes allowed for a socket. The
 * address cannot be guessed without the token.
 */
export function addressOf(token: Token, number: number): string {
  return process.platform === "win32"
    ? `\\\\.\\pipe\\bidside-${token.sign("pipe", String(number)).slice(0, 32)}`
    : join(socketFolder(token), `${number}.sock`);
}

/**
 * Listens at the address of a number, for this user only (0600). Undefined if somebody listens there already, or did
 * and was killed: then that number cannot be used. Rejects if listening is impossible, or if the folder does not
 * belong to the user alone.
 */
export async function listenAt(token: Token, number: number): Promise<Server | undefined> {
  const address = addressOf(token, number);
  if (process.platform !== "win32") makeFolder(socketFolder(token));
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(address, resolve);
    });
  } catch (error) {
    if (hasCode(error, "EADDRINUSE")) return undefined;
    throw error;
  }
  if (process.platform !== "win32") chmodSync(address, 0o600);
  return server;
}

/** Removes what killed leaders left: the sockets of lower numbers. */
export function clearBelow(token: Token, number: number): void {
  if (process.platform === "win32") return;
  const folder = socketFolder(token);
  for (const name of readdirSync(folder)) {
    if (Number.parseInt(name, 10) < number) rmSync(join(folder, name), { force: true });
  }
}

/** Removes the folder of the sockets if it is empty. */
export function clearFolder(token: Token): void {
  if (process.platform === "win32") return;
  try {
    rmdirSync(socketFolder(token));
  } catch {
    // Another window listens there, or the folder is gone already.
  }
}

function socketFolder(token: Token): string {
  return join("/tmp", `bidside-${token.sign("folder").slice(0, 16)}`);
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  const isOurs = uid === process.getuid?.() && (mode & 0o170777) === 0o040700;
  if (!isOurs) throw new Error(`${folder} is not a folder of this user alone.`);
}
