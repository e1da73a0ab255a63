import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod/mini";
import { openAppendLog } from "../journal/appendLog.ts";
import { HEADER_PREFIX, type PracticeCredentials } from "./auth.ts";
import { openPractice } from "./embedded.ts";
import { startPractice } from "./server.ts";

interface Arguments {
  readonly port: number;
  readonly seed?: string;
  readonly data?: string;
}

const USAGE = "Usage: npm run practice -- --port N [--seed S] [--data DIR]";

await run(readArguments(process.argv.slice(2)));

async function run({ port, seed, data }: Arguments): Promise<void> {
  const common = { port, now: Date.now, ...(seed !== undefined && { seed }) };
  let credentials: PracticeCredentials;
  let exchange: { readonly baseUrl: string; close(): Promise<void> };
  try {
    if (data === undefined) {
      credentials = newCredentials();
      exchange = await startPractice({ ...common, credentials });
    } else {
      credentials = keptCredentials(data);
      const kept = await openPractice({ ...common, credentials, directory: data, openLog });
      if (kept.servedBy !== undefined)
        fail(1, `Process ${kept.servedBy} already serves ${data}: end it first.`);
      if (kept.setAside > 0) console.error(`${kept.setAside} damaged lines of the ledger were set aside.`);
      exchange = kept;
    }
  } catch (error) {
    fail(
      1,
      `The practice exchange could not start: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const end = (): void => void exchange.close();
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  console.log(JSON.stringify({ baseUrl: exchange.baseUrl, headerPrefix: HEADER_PREFIX, ...credentials }));
}

/** A finished write survives the end of this process; play money need not survive a power cut, so no waiting for the disk. */
function openLog(path: string): ReturnType<typeof openAppendLog> {
  return openAppendLog({ path, sync: false });
}

function readArguments(args: string[]): Arguments {
  try {
    const { values } = parseArgs({
      args,
      options: { port: { type: "string" }, seed: { type: "string" }, data: { type: "string" } },
    });
    const { port = "", seed, data } = values;
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
      throw new RangeError("--port needs a number from 0 (any free port) to 65535.");
    }
    if (data === "") throw new RangeError("--data needs the name of a folder.");
    return { port: Number(port), ...(seed !== undefined && { seed }), ...(data !== undefined && { data }) };
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/[.\n]/, 1);
    return fail(2, `${sentence}. ${USAGE}`);
  }
}

/** The directory's key pair, made on first use and readable by its owner alone. */
function keptCredentials(directory: string): PracticeCredentials {
  const path = join(directory, "credentials.json");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, JSON.stringify(newCredentials()), { mode: 0o600, flag: "wx" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const pair = z.object({
    apiKey: z.string().check(z.minLength(1)),
    apiSecret: z.string().check(z.minLength(1)),
  });
  try {
    return pair.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    throw new Error(`${path} holds no key pair; delete it to get a new one.`, { cause: error });
  }
}

function newCredentials(): PracticeCredentials {
  return { apiKey: `practice-${randomBytes(8).toString("hex")}`, apiSecret: randomBytes(32).toString("hex") };
}

function fail(code: number, sentence: string): never {
  console.error(sentence);
  process.exit(code);
}
