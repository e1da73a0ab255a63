import type { Account } from "../../src/market/account.ts";
import { noStreamFaults, type StreamFaults } from "../support/servers/streamFaults.ts";
import type { WorldExchange } from "./exchange.ts";
import type { StreamFault } from "./plan.ts";
import type { Scheduler } from "./scheduler.ts";

/** The parts of the world in which streams go wrong. */
interface Surroundings {
  readonly scheduler: Scheduler;
  readonly exchanges: Readonly<Record<Account["kind"], WorldExchange>>;
  note(text: string): void;
  /** Runs `strike` as often as the plan has the fault, at random. */
  atTimes(fault: StreamFault, strike: () => void): void;
  dropStream(): void;
}

/** The faults of the relay of streams, and how long each lasts at most, in ms. */
const switched: Readonly<
  Partial<Record<StreamFault, readonly [faults: Partial<StreamFaults>, longestMs: number]>>
> = {
  silentStream: [{ flow: "silent" }, 40_000],
  stalledStream: [{ flow: "stalled" }, 40_000],
  doubledFrames: [{ copies: 2 }, 40_000],
  // More than any market has, so each connection ends within its first second.
  floodedStream: [{ copies: 1100 }, 3000],
  oldFrames: [{ oldEvery: 4 }, 40_000],
  garbageFrames: [{ garbageEvery: 2 }, 40_000],
  slowStream: [{ delayMs: 3000 }, 40_000],
  noisyStream: [{ noise: 20 }, 20_000],
};
const REFUSALS = [
  { status: 302, location: "wss://elsewhere.example/" },
  { status: 403 },
  { status: 414 },
  { status: 429 },
  { status: 503 },
] as const;
const SHORTEST_MS = 1000;
/** A price that was sent before may still be compared with a poll. */
const COMPARED_MS = 60_000;

/** Streams go wrong at random, and are right again after a while. */
export function beginStreamTrouble(world: Surroundings): void {
  const { scheduler } = world;
  const any = (): WorldExchange => world.exchanges[scheduler.chance(0.75) ? "practice" : "live"];
  const forAWhile = (exchange: WorldExchange, longestMs: number, task: () => void): void => {
    const ms = scheduler.between(SHORTEST_MS, longestMs);
    exchange.wrongUntil = Math.max(exchange.wrongUntil, scheduler.now + ms + COMPARED_MS);
    scheduler.after(ms, task);
  };
  const misbehave = (name: string, faults: Partial<StreamFaults>, longestMs: number): void => {
    const exchange = any();
    world.note(`the streams of ${exchange.name}: ${name}`);
    Object.assign(exchange.streamRelay.faults, faults);
    const usual = noStreamFaults();
    const end = Object.fromEntries(
      Object.keys(faults).map((key) => [key, usual[key as keyof StreamFaults]]),
    ) as Partial<StreamFaults>;
    forAWhile(exchange, longestMs, () => Object.assign(exchange.streamRelay.faults, end));
  };
  for (const [fault, [faults, longestMs]] of Object.entries(switched))
    world.atTimes(fault as StreamFault, () => misbehave(fault, faults, longestMs));
  world.atTimes("refusedStream", () => {
    const refusal = scheduler.pick(REFUSALS);
    misbehave(`refused with ${refusal?.status}`, { refusal }, 20_000);
    world.dropStream();
  });
  world.atTimes("droppedStream", () => world.dropStream());
  world.atTimes("lyingStream", () => {
    const exchange = any();
    exchange.lie = scheduler.pick([0.9, 0.98, 1.02, 1.1]) ?? 1;
    world.note(`the prices that ${exchange.name} streams are ${exchange.lie} of the true ones`);
    forAWhile(exchange, 90_000, () => (exchange.lie = 1));
  });
}

/** Streams are right again, all at once. */
export function endStreamTrouble(exchanges: Surroundings["exchanges"]): void {
  for (const exchange of Object.values(exchanges)) {
    Object.assign(exchange.streamRelay.faults, noStreamFaults());
    exchange.lie = 1;
  }
}
