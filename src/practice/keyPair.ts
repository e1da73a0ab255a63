import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { replaceFile } from "../files/atomicFiles.ts";
import { parseVersioned, versioned } from "../files/versioned.ts";
import type { PracticeCredentials } from "./http/signatureCheck.ts";

const pairSchema = z.object({
  apiKey: z.string().check(z.minLength(1)),
  apiSecret: z.string().check(z.minLength(1)),
});

export function newKeyPair(): PracticeCredentials {
  return { apiKey: `practice-${randomBytes(8).toString("hex")}`, apiSecret: randomBytes(32).toString("hex") };
}

/**
 * The directory's key pair, which all windows share. It protects only play money, so it is stored in plain text beside
 * the ledger, readable by its owner only. Undefined if missing or unreadable. Throws NewerFormatError.
 */
export function readKeyPair(directory: string): PracticeCredentials | undefined {
  let text: string;
  try {
    text = readFileSync(pathIn(directory), "utf8");
  } catch {
    return undefined;
  }
  return pairSchema.safeParse(parseVersioned(text)).data;
}

/** Loads the directory's key pair, creating it if missing. Only for the process that serves the directory. */
export function loadOrCreateKeyPair(directory: string): PracticeCredentials {
  const stored = readKeyPair(directory);
  if (stored) return stored;
  const made = newKeyPair();
  replaceFile(pathIn(directory), JSON.stringify(versioned(made)));
  return made;
}

function pathIn(directory: string): string {
  return join(directory, "credentials.json");
}
