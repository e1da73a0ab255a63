import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { hasCode } from "../files/hasCode.ts";
import { openAppendLog } from "../storage/appendLog.ts";
import { readRecording } from "../storage/prices/recording.ts";
import { Exchange } from "./account/exchange.ts";
import { openPractice } from "./embedded.ts";
import { practiceProfile } from "./http/profile.ts";
import { startPractice } from "./http/server.ts";
import { HEADER_PREFIX, type PracticeCredentials } from "./http/signatureCheck.ts";
import { newKeyPair } from "./keyPair.ts";
import { createMarket, DEFAULT_SEED, type Market } from "./market/market.ts";
import { createReplay } from "./market/replay.ts";

interface Arguments {
  readonly port: number;
  readonly api: "spec" | "current";
  readonly seed?: string;
  readonly data?: string;
  readonly reset: boolean;
  /** A file of recorded prices. */
  readonly replay?: string;
  readonly speed: number;
}

const SLOWEST = 1;
const FASTEST = 60;
const USAGE =
  "Usage: npm run practice -- --port N [--api spec|current] [--seed S | --replay FILE [--speed N]] [--data DIR [--reset]]";
const HELP = `${USAGE}

  --port N    listens on 127.0.0.1:N; 0 takes any free port
  --api A     spec, the default, serves the specification and more at its paths; current serves what a
              service of today does, where the oldest paths are gone
  --seed S    chooses the simulated market; every exchange of one seed has the same one
  --replay F  plays the recorded prices in file F again and again, instead of a simulated market; Bidside
              records such files: history/NAME/prices-….log in the extension's storage
  --speed N   plays them N times as fast, ${SLOWEST} to ${FASTEST}; default ${SLOWEST}
  --data DIR  keeps account and key pair in DIR; without it they end with the exchange
  --reset     starts the account kept in DIR anew: its balances and orders are lost`;

await run(readArguments(process.argv.slice(2)));

async function run({ port, api, seed, data, reset, replay, speed }: Arguments): Promise<void> {
  const market = replay === undefined ? createMarket(seed ?? DEFAULT_SEED) : openReplay(replay, speed);
  const common = { port, now: Date.now, api };
  const timers = {
    now: () => performance.now(),
    after: (ms: number, task: () => void) => setTimeout(task, ms),
  };
  let credentials: PracticeCredentials;
  let exchange: { readonly baseUrl: string; close(): Promise<void> };
  try {
    if (data === undefined) {
      credentials = newKeyPair();
      exchange = await startPractice({ ...common, credentials, account: new Exchange(market) });
    } else {
      const embedded = await openPractice({ ...common, market, timers, directory: data, openLog });
      if (embedded.servedBy !== undefined)
        fail(1, `Process ${embedded.servedBy} already serves ${data}: end it first.`);
      if (embedded.skippedLines > 0)
        console.error(`Damaged lines in the practice ledger, not used: ${embedded.skippedLines}.`);
      if (reset) await embedded.reset();
      ({ credentials } = embedded);
      exchange = embedded;
    }
  } catch (error) {
    if (hasCode(error, "EADDRINUSE")) fail(1, `Port ${port} is in use. Choose another with --port.`);
    fail(
      1,
      `The practice exchange could not start: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const end = (): void => void exchange.close();
  process.once("SIGINT", end);
  process.once("SIGTERM", end);
  const { baseUrl } = exchange;
  const profile = practiceProfile(baseUrl, api);
  console.log(JSON.stringify({ baseUrl, headerPrefix: HEADER_PREFIX, ...credentials, profile }));
}

/** Writes survive the end of this process. Play money need not survive a power loss, so the disk is not flushed. */
function openLog(path: string): ReturnType<typeof openAppendLog> {
  return openAppendLog({ path, sync: false });
}

function openReplay(file: string, speed: number): Market {
  try {
    return createReplay(readRecording(readFileSync(file)), { startedAt: Date.now(), speed });
  } catch (error) {
    return fail(1, `${file} cannot be replayed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readArguments(args: string[]): Arguments {
  try {
    const { values } = parseArgs({
      args,
      options: {
        port: { type: "string" },
        api: { type: "string", default: "spec" },
        seed: { type: "string" },
        data: { type: "string" },
        reset: { type: "boolean", default: false },
        replay: { type: "string" },
        speed: { type: "string" },
        help: { type: "boolean" },
      },
    });
    const { port = "", api, seed, data, reset, replay, speed, help } = values;
    if (help) {
      console.log(HELP);
      process.exit(0);
    }
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
      throw new RangeError("--port needs a number from 0 (any free port) to 65535.");
    }
    if (api !== "spec" && api !== "current") throw new RangeError("--api needs spec or current.");
    if (data === "") throw new RangeError("--data needs the name of a folder.");
    if (reset && data === undefined) {
      throw new RangeError("--reset needs --data: without a folder every account is a new one.");
    }
    if (replay !== undefined && seed !== undefined) {
      throw new RangeError("--replay has a market of its own: leave --seed out.");
    }
    if (speed !== undefined && replay === undefined) throw new RangeError("--speed needs --replay.");
    if (speed !== undefined && !isSpeed(speed)) {
      throw new RangeError(`--speed needs a number from ${SLOWEST} to ${FASTEST}.`);
    }
    return {
      port: Number(port),
      api,
      reset,
      speed: Number(speed ?? SLOWEST),
      ...(replay !== undefined && { replay }),
      ...(seed !== undefined && { seed }),
      ...(data !== undefined && { data }),
    };
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/[.\n]/, 1);
    return fail(2, `${sentence}. ${USAGE}`);
  }
}

function isSpeed(text: string): boolean {
  return /^\d{1,2}(?:\.\d{1,3})?$/.test(text) && Number(text) >= SLOWEST && Number(text) <= FASTEST;
}

function fail(code: number, sentence: string): never {
  console.error(sentence);
  process.exit(code);
}
