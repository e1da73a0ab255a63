import { parseArgs } from "node:util";

/** How to run the practice exchange alone. */
export interface PracticeArguments {
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
export const USAGE =
  "Usage: npm run practice -- --port N [--api spec|current] [--seed S | --replay FILE [--speed N]] [--data DIR [--reset]]";
export const HELP = `${USAGE}

  --port N    listens on 127.0.0.1:N; 0 takes any free port
  --api A     spec, the default, serves the specification and more at its paths; current serves what a
              service of today does, where the oldest paths are gone
  --seed S    chooses the simulated market; every exchange of one seed has the same one
  --replay F  plays the recorded prices in file F again and again, instead of a simulated market; Bidside
              records such files: history/NAME/prices-….log in the extension's storage
  --speed N   plays them N times as fast, ${SLOWEST} to ${FASTEST}; default ${SLOWEST}
  --data DIR  keeps account and key pair in DIR; without it they end with the exchange
  --reset     starts the account kept in DIR anew: its balances and orders are lost`;

/** Reads the arguments of `npm run practice`. `problem`: what is wrong with them, without a full stop. */
export function readPracticeArguments(
  args: readonly string[],
): PracticeArguments | "help" | { readonly problem: string } {
  try {
    const { values } = parseArgs({
      args: [...args],
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
    if (help) return "help";
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
    const [problem = ""] = (error instanceof Error ? error.message : String(error)).split(/[.\n]/, 1);
    return { problem };
  }
}

function isSpeed(text: string): boolean {
  return /^\d{1,2}(?:\.\d{1,3})?$/.test(text) && Number(text) >= SLOWEST && Number(text) <= FASTEST;
}
