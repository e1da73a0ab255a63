import { parseArgs } from "node:util";
import { hasCode } from "../files/hasCode.ts";
import { openAppendLog } from "../storage/appendLog.ts";
import { openPractice } from "./embedded.ts";
import { practiceProfile } from "./http/profile.ts";
import { startPractice } from "./http/server.ts";
import { HEADER_PREFIX, type PracticeCredentials } from "./http/signatureCheck.ts";
import { embeddedSwitches } from "./http/switches.ts";
import { newKeyPair } from "./keyPair.ts";

interface Arguments {
  readonly port: number;
  readonly seed?: string;
  readonly data?: string;
  readonly reset: boolean;
}

const USAGE = "Usage: npm run practice -- --port N [--seed S] [--data DIR [--reset]]";
const HELP = `${USAGE}

  --port N    listens on 127.0.0.1:N; 0 takes any free port
  --seed S    chooses the simulated market; every exchange of one seed has the same one
  --data DIR  keeps account and key pair in DIR; without it they end with the exchange
  --reset     starts the account kept in DIR anew: its balances and orders are lost`;

await run(readArguments(process.argv.slice(2)));

async function run({ port, seed, data, reset }: Arguments): Promise<void> {
  const common = { port, now: Date.now, ...(seed !== undefined && { seed }) };
  const timers = {
    now: () => performance.now(),
    after: (ms: number, task: () => void) => setTimeout(task, ms),
  };
  let credentials: PracticeCredentials;
  let exchange: { readonly baseUrl: string; close(): Promise<void> };
  try {
    if (data === undefined) {
      credentials = newKeyPair();
      exchange = await startPractice({ ...common, credentials, switches: embeddedSwitches });
    } else {
      const kept = await openPractice({ ...common, timers, directory: data, openLog });
      if (kept.servedBy !== undefined)
        fail(1, `Process ${kept.servedBy} already serves ${data}: end it first.`);
      if (kept.skippedLines > 0)
        console.error(`Damaged lines in the practice ledger, not used: ${kept.skippedLines}.`);
      if (reset) await kept.reset();
      ({ credentials } = kept);
      exchange = kept;
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
  const profile = practiceProfile(baseUrl, embeddedSwitches);
  console.log(JSON.stringify({ baseUrl, headerPrefix: HEADER_PREFIX, ...credentials, profile }));
}

/**
 * A finished write survives the end of this process. Play money need not survive a power cut, so the disk is not
 * waited for.
 */
function openLog(path: string): ReturnType<typeof openAppendLog> {
  return openAppendLog({ path, sync: false });
}

function readArguments(args: string[]): Arguments {
  try {
    const { values } = parseArgs({
      args,
      options: {
        port: { type: "string" },
        seed: { type: "string" },
        data: { type: "string" },
        reset: { type: "boolean", default: false },
        help: { type: "boolean" },
      },
    });
    const { port = "", seed, data, reset, help } = values;
    if (help) {
      console.log(HELP);
      process.exit(0);
    }
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
      throw new RangeError("--port needs a number from 0 (any free port) to 65535.");
    }
    if (data === "") throw new RangeError("--data needs the name of a folder.");
    if (reset && data === undefined) {
      throw new RangeError("--reset needs --data: without a folder every account is a new one.");
    }
    return {
      port: Number(port),
      reset,
      ...(seed !== undefined && { seed }),
      ...(data !== undefined && { data }),
    };
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : String(error)).split(/[.\n]/, 1);
    return fail(2, `${sentence}. ${USAGE}`);
  }
}

function fail(code: number, sentence: string): never {
  console.error(sentence);
  process.exit(code);
}
