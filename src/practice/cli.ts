import { readFileSync } from "node:fs";
import { hasCode } from "../files/hasCode.ts";
import { openAppendLog } from "../storage/appendLog.ts";
import { monotonicTimers } from "../time/timers.ts";
import { readRecording } from "../storage/prices/recording.ts";
import { Exchange } from "./account/exchange.ts";
import { HELP, type PracticeArguments, readPracticeArguments, USAGE } from "./cliArguments.ts";
import { openPractice } from "./embedded.ts";
import { practiceProfile } from "./http/profile.ts";
import { startPractice } from "./http/server.ts";
import { HEADER_PREFIX, type PracticeCredentials } from "./http/signatureCheck.ts";
import { newKeyPair } from "./keyPair.ts";
import { createMarket, DEFAULT_SEED, type Market } from "./market/market.ts";
import { createReplay } from "./market/replay.ts";

const read = readPracticeArguments(process.argv.slice(2));
if (read === "help") console.log(HELP);
else if ("problem" in read) fail(2, `${read.problem}. ${USAGE}`);
else await run(read);

async function run({ port, api, seed, data, reset, replay, speed }: PracticeArguments): Promise<void> {
  const market = replay === undefined ? createMarket(seed ?? DEFAULT_SEED) : openReplay(replay, speed);
  const common = { port, now: Date.now, api };
  let credentials: PracticeCredentials;
  let exchange: { readonly baseUrl: string; close(): Promise<void> };
  try {
    if (data === undefined) {
      credentials = newKeyPair();
      exchange = await startPractice({ ...common, credentials, account: new Exchange(market) });
    } else {
      const embedded = await openPractice({
        ...common,
        market,
        timers: monotonicTimers,
        directory: data,
        openLog,
      });
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

function fail(code: number, sentence: string): never {
  console.error(sentence);
  process.exit(code);
}
