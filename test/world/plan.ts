import { seededRandom } from "../support/random.ts";
import { type WireFault, wireFaults } from "./wire.ts";

/** Where a process may be killed by name. */
const deathPoints = [
  "afterIntent",
  "beforeRequest",
  "afterRequest",
  "beforeRecord",
  "afterLease",
  "beforeTelling",
  "whileTelling",
] as const;
type DeathPoint = (typeof deathPoints)[number];

/** Faults of the disk: a call that fails, or a write of fewer bytes. */
const diskFaults = ["diskFull", "shortWrite", "tornWrite", "failedSync", "unreadableFile"] as const;
type DiskFault = (typeof diskFaults)[number];

/** Faults that come by themselves, some times a minute. */
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
export type TimedFault = (typeof timedFaults)[number];

export type Fault = WireFault | DeathPoint | DiskFault | TimedFault;
export const faults: readonly Fault[] = [...wireFaults, ...deathPoints, ...diskFaults, ...timedFaults];

/** The usual rate of a fault: for each request, for each chance to die there, for each call of the disk, or per minute. */
const usual = (fault: Fault): number => {
  if (includes(wireFaults, fault)) return 0.03;
  if (includes(deathPoints, fault)) return 0.1;
  if (includes(diskFaults, fault)) return 0.01;
  return fault === "powerCut" ? 0.1 : 0.4;
};

/** Everything that a seed decides before the world begins. A shorter plan is made from a longer one. */
export interface Plan {
  readonly seed: number;
  /** The most windows at the same time. */
  readonly windows: number;
  /** Simulated time with faults. */
  readonly minutes: number;
  /** Only the faults that occur. */
  readonly rates: Readonly<Partial<Record<Fault, number>>>;
}

/** Of ten seeds, two have no faults, five some of them, and three a storm. */
export function planOf(seed: number): Plan {
  const random = seededRandom(seed ^ 0x5eed);
  random();
  const weather = random();
  const share = weather < 0.2 ? 0 : weather < 0.7 ? 0.35 : 0.8;
  const strength = weather < 0.7 ? 1 : 3;
  const rates: Partial<Record<Fault, number>> = {};
  for (const fault of faults) {
    if (random() < share) rates[fault] = Math.min(0.5, usual(fault) * strength * (0.5 + random()));
  }
  return { seed, windows: 1 + Math.floor(random() ** 2 * 5), minutes: 8, rates };
}

function includes(list: readonly Fault[], fault: Fault): boolean {
  return list.includes(fault);
}
