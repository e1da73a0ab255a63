import { streamKinds } from "../../src/practice/stream/address.ts";
import type { Behaviour } from "./exchange.ts";
import { type Random, seededRandom } from "../support/random.ts";
import { type ListFault, listFaults, type ListQuirk, listQuirks } from "./listTrouble.ts";
import { type WireFault, wireFaults } from "./wire.ts";

/** The named places at which a process may be killed. */
const deathPoints = [
  "afterIntent",
  "beforeRequest",
  "afterRequest",
  "beforeRecord",
  "afterLease",
  "beforeAnnouncing",
  "whileAnnouncing",
] as const;
type DeathPoint = (typeof deathPoints)[number];

/** Faults of the disk: a call that fails, or a write that takes fewer bytes. */
const diskFaults = ["diskFull", "shortWrite", "tornWrite", "failedSync", "unreadableFile"] as const;
type DiskFault = (typeof diskFaults)[number];

/** Faults that occur at random, a number of times per minute. */
const timedFaults = [
  "kill",
  "powerCut",
  "freeze",
  "sleep",
  "clockForward",
  "clockBack",
  "lockedKeyring",
  "restart",
  "clog",
  "droppedLink",
] as const;
export type TimedFault = (typeof timedFaults | typeof ownFaults)[number];

/** Faults whose chance is their own, so that a seed without them has its old history. */
const ownFaults = ["anotherKey", "replacedJournal"] as const;

/** Also with a chance of its own: the person switches the account in the middle of something, per moment at which they could. */
const switchFaults = ["switchMidway"] as const;
type SwitchFault = (typeof switchFaults)[number];

/** What the person leaves in the middle by switching the account. */
export type SwitchMoment =
  | "ADraftTyped"
  | "AQuestionOpen"
  | "AnOrderSent"
  | "ACancelQuestionOpen"
  | "ACancellationSent";

/** The same, at every exchange and at exchanges that report orders, with their usual rates per place or request. */
const laterFaults = { sleepInOrder: 0.02, otherOrderElsewhere: 0.2 };
const laterOrderFaults = { slowReport: 0.1, slowCancel: 0.3 };
type LaterFault = keyof typeof laterFaults | keyof typeof laterOrderFaults;

/** Changes of orders that no window makes or that come late, at exchanges that report orders. */
const orderFaults = [
  "fill",
  "cancelElsewhere",
  "fillBeforeCancel",
  "sameOrderElsewhere",
  "lateRequest",
] as const;
type OrderFault = (typeof orderFaults)[number];

/** Faults of streams, at exchanges that stream. */
export const streamFaults = [
  "silentStream",
  "stalledStream",
  "doubledFrames",
  "floodedStream",
  "oldFrames",
  "garbageFrames",
  "slowStream",
  "noisyStream",
  "refusedStream",
  "droppedStream",
  "lyingStream",
] as const;
export type StreamFault = (typeof streamFaults)[number];

export type Fault =
  | WireFault
  | DeathPoint
  | DiskFault
  | TimedFault
  | SwitchFault
  | LaterFault
  | OrderFault
  | ListFault
  | StreamFault;
const usualFaults: readonly Fault[] = [...wireFaults, ...deathPoints, ...diskFaults, ...timedFaults];
export const faults: readonly Fault[] = [
  ...usualFaults,
  ...ownFaults,
  ...switchFaults,
  ...(Object.keys(laterFaults) as LaterFault[]),
  ...orderFaults,
  ...(Object.keys(laterOrderFaults) as LaterFault[]),
  ...listFaults,
  ...streamFaults,
];

/** The usual rate of a fault: per request, per place to die, per call of the disk, or per minute. */
const usual = (fault: Fault): number => {
  if (includes(wireFaults, fault)) return 0.03;
  if (includes(deathPoints, fault)) return 0.1;
  if (includes(diskFaults, fault)) return 0.01;
  if (fault === "fill") return 3;
  if (fault === "sameOrderElsewhere") return 0.8;
  if (fault === "lateRequest") return 0.1;
  return fault === "powerCut" ? 0.1 : 0.4;
};

/** What the person does at the computer. */
export type Action =
  | "order"
  | "orderAgain"
  | "submitPrepared"
  | "openWindow"
  | "closeWindow"
  | "focus"
  | "switchExchange"
  | "refresh"
  | "editAlerts"
  | "decide"
  | "resetPractice"
  | "cancel"
  | "showBook"
  | "showPrices";

/** Everything that a seed decides before the world begins. Shorter plans are made from longer plans. */
export interface Plan {
  readonly seed: number;
  /** The largest number of windows at the same time. */
  readonly windows: number;
  /** The simulated time with faults. */
  readonly minutes: number;
  /** The faults that occur, and no others. */
  readonly rates: Readonly<Partial<Record<Fault, number>>>;
  /** How long the computer may sleep, each as likely. Default: 10 s, a minute, an hour. */
  readonly sleepsMs?: readonly number[] | undefined;
  /** How often the person does each thing, relative to the others, where it is not the usual. */
  readonly actions?: Readonly<Partial<Record<Action, number>>> | undefined;
  /** The share of orders whose figures are beyond a guard, or close to it. Default: none. */
  readonly strays?: number | undefined;
  /** An assistant calls tools, and prepares orders. */
  readonly hasAssistant?: boolean | undefined;
  /** The behaviour of the two exchanges beyond the four endpoints; undefined: they offer the four endpoints only. */
  readonly switches?: Behaviour | undefined;
  /** The exchanges give an order a new id with each match that leaves a rest of it. */
  readonly continuesOrders?: boolean | undefined;
  /** What the exchanges always answer about orders, unlike others. */
  readonly listQuirks?: readonly ListQuirk[] | undefined;
}

/**
 * Of ten seeds, two have no faults, five have some of them, and three have a storm. At even seeds, the exchanges offer
 * the whole lifecycle of an order, and at every second one of these they stream. One seed of three has an assistant.
 */
export function planOf(seed: number): Plan {
  const random = seededRandom(seed ^ 0x5eed);
  random();
  const weather = random();
  const share = weather < 0.2 ? 0 : weather < 0.7 ? 0.35 : 0.8;
  const strength = weather < 0.7 ? 1 : 3;
  const rates: Partial<Record<Fault, number>> = {};
  for (const fault of usualFaults) {
    if (random() < share) rates[fault] = Math.min(0.5, usual(fault) * strength * (0.5 + random()));
  }
  const laterRandom = seededRandom(seed ^ 0x1a7e);
  const strays = laterRandom() < 0.5 ? 0.3 : undefined;
  const later = { ...laterFaults, ...(seed % 2 === 0 && laterOrderFaults) };
  if (share > 0)
    for (const [fault, rate] of Object.entries(later))
      if (laterRandom() < 0.3) rates[fault as LaterFault] = rate * (0.5 + laterRandom());
  // At one seed of three, the two accounts of the live exchange have each other's key for a while.
  if (share > 0 && seededRandom(seed ^ 0xacc0)() < 0.5) rates.anotherKey = 0.5;
  if (share > 0 && seededRandom(seed ^ 0x4e71)() < 0.3) rates.replacedJournal = 0.4;
  if (share > 0 && seededRandom(seed ^ 0x5317)() < 0.4) rates.switchMidway = 0.15;
  const windows = 1 + Math.floor(random() ** 2 * 5);
  const hasAssistant = seed % 3 === 0;
  if (seed % 2 === 1) return { seed, windows, minutes: 8, rates, strays, hasAssistant };
  if (share > 0) for (const fault of orderFaults) rates[fault] = usual(fault) * (0.5 + random());
  const switches = switchesOf(random);
  // A chance of its own, so that everything else of a seed stays as it was.
  const listRandom = seededRandom(seed ^ 0x1157);
  if (share > 0)
    for (const fault of listFaults) if (listRandom() < 0.4) rates[fault] = 0.2 + 0.4 * listRandom();
  const quirkRandom = seededRandom(seed ^ 0x0dd5);
  const quirks = listQuirks.filter(() => share > 0 && quirkRandom() < 0.25);
  if (seed % 4 !== 0) {
    const continuesOrders = listRandom() < 0.4;
    const common = { seed, windows, minutes: 8, rates, strays, hasAssistant, switches, continuesOrders };
    return { ...common, listQuirks: continuesOrders ? quirks.filter(isOfInfos) : quirks };
  }
  if (share > 0) for (const fault of streamFaults) if (random() < 0.5) rates[fault] = 0.3 + 0.6 * random();
  const streamed = { ...switches, streams: streamsOf(random) };
  return {
    seed,
    windows,
    minutes: 8,
    rates,
    strays,
    hasAssistant,
    switches: streamed,
    listQuirks: quirks,
  };
}

/** Where orders get new ids, their lists have remainders and parents of their own. */
function isOfInfos(quirk: ListQuirk): boolean {
  return quirk === "brokenInfos";
}

/** The streams that an exchange offers: often all of them. */
function streamsOf(random: Random): NonNullable<Behaviour["streams"]> {
  return random() < 0.7 ? streamKinds : (["ticker", "book", "private"] as const).filter(() => random() < 0.5);
}

const DAY_MS = 86_400_000;

/** Differences between services of this family that report orders. */
export function switchesOf(random: Random): Behaviour {
  const among = <T>(...values: readonly [T, ...T[]]): T =>
    values[Math.floor(random() * values.length)] ?? values[0];
  return {
    generations: among<Behaviour["generations"]>(["A"], ["B"], ["A", "C"], ["B", "C"]),
    clientIds: among<NonNullable<Behaviour["clientIds"]>>("echoed", "echoed", "dropped", "blankInOpenOrders"),
    duplicates: among<NonNullable<Behaviour["duplicates"]>>("accepted", "refused", "replayed"),
    historyLagMs: among(0, 0, 20_000),
    unsupportedPairs: among<readonly string[]>([], [], [], ["THB_ETH"]),
    cancelledKeptMs: among(3 * DAY_MS, 3 * DAY_MS, 20_000),
  };
}

function includes(list: readonly Fault[], fault: Fault): boolean {
  return list.includes(fault);
}
