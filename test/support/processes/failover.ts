import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testAlert } from "../builders/testAlert.ts";
import { AlertFiles } from "../../../src/storage/alertFiles.ts";
import { serveCounted, type CountedExchange } from "../servers/countingExchange.ts";
import { waitFor } from "../waitFor.ts";
import { killAll } from "./children.ts";
import { HubProcesses } from "./hubProcesses.ts";
import { TEST_ACCOUNT } from "../fakes/venue.ts";

/** Windows of one computer as processes, their exchange and their alerts. Ends by itself after a minute. */
export interface Machine {
  readonly exchange: CountedExchange;
  readonly windows: HubProcesses;
  readonly alerts: AlertFiles;
}

/** Runs a task on a separate group of windows that need a poll every `intervalMs`. */
export async function onMachine<T>(intervalMs: number, task: (machine: Machine) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "bidside-machine-"));
  const exchange = await serveCounted();
  const windows = new HubProcesses(intervalMs, exchange.url, folder);
  try {
    return await task({ exchange, windows, alerts: new AlertFiles(join(folder, "alerts")) });
  } finally {
    windows.close();
    await killAll();
    await exchange.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The result of repeated takeovers. Times in ms. */
export interface Takeovers {
  readonly longestMs: number;
  readonly longestGapMs: number;
  /** Requests too soon after another request, or without an announcement; each with its pids and gap. */
  readonly doubles: readonly string[];
  /** Alerts that were never announced. */
  readonly lost: number;
  /** Alerts that were announced again although the first window had recorded the announcement, or was not killed. */
  readonly repeated: number;
  /** Requests of a woken window that did not lead again yet. */
  readonly late: number;
  /** Readings that a window showed after newer ones. */
  readonly older: number;
}

/** A window that was stopped and woken. */
interface Woken {
  readonly pid: number;
  /** ms since the epoch. */
  readonly at: number;
}

/** Kills the asking window `rounds` times; each time an alert's price is reached just before. */
export function killLeaders(rounds: number, intervalMs: number): Promise<Takeovers> {
  return takeLeadersAway(rounds, intervalMs, async (windows, leader) => {
    const since = await windows.kill(leader);
    const tookMs = await windows.takeoverMs(leader, since);
    await windows.start(1);
    return tookMs;
  });
}

/**
 * The same, but the window is frozen, and woken when another window leads: then one of them leads. `random` says how
 * long after a request it is frozen: up to an interval, while the next request may be on its way.
 */
export function freezeLeaders(rounds: number, intervalMs: number, random: () => number): Promise<Takeovers> {
  return takeLeadersAway(rounds, intervalMs, async (windows, leader, woken) => {
    await new Promise((resolve) => setTimeout(resolve, random() * intervalMs));
    const since = Date.now();
    windows.signal(leader, "SIGSTOP");
    const tookMs = await windows.takeoverMs(leader, since);
    await windows.settled(leader);
    const at = Date.now();
    windows.signal(leader, "SIGCONT");
    woken.push({ pid: leader, at });
    // The woken window follows, or leads again if the other one gets no CPU and falls silent.
    await windows.settled();
    return tookMs;
  });
}

async function takeLeadersAway(
  rounds: number,
  intervalMs: number,
  takeAway: (windows: HubProcesses, leader: number, woken: Woken[]) => Promise<number>,
): Promise<Takeovers> {
  return await onMachine(intervalMs, async ({ exchange, windows, alerts }) => {
    const ids = Array.from({ length: rounds }, (_, round) => {
      const id = randomUUID();
      const rule = { kind: "above", price: String(exchange.price + round + 1) } as const;
      alerts.put(
        testAlert({ id, venue: "live", account: TEST_ACCOUNT, origin: new URL(exchange.url).origin, rule }),
      );
      return id;
    });
    await windows.start(3);
    await windows.settled();
    // While windows open, a window may lead before it knows the last request.
    const settledAt = Date.now();
    const woken: Woken[] = [];
    let longestMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      const leader = await windows.settled();
      const before = exchange.asked.length;
      await waitFor("a request", () => exchange.asked.length > before);
      exchange.price += 1;
      longestMs = Math.max(longestMs, await takeAway(windows, leader, woken));
    }
    const announced = (): Set<string> => new Set(windows.events.flatMap(({ fired }) => fired ?? []));
    await waitFor("the alerts", () => announced().size >= rounds).catch(() => undefined);
    return {
      longestMs,
      longestGapMs: windows.longestGap,
      // In the order of sending: on a busy computer a request may take longer to arrive than the next one.
      doubles: [
        ...windows.doublesSince(settledAt),
        ...exchange.asked
          .slice(windows.asked)
          .map((at) => `one of ${exchange.asked.length}, by ${at}, not announced`),
      ],
      lost: ids.filter((id) => !announced().has(id)).length,
      repeated: ids.filter((id) => isRepeated(windows, id)).length,
      late: woken.reduce((sum, each) => sum + lateRequests(each, windows, exchange), 0),
      older: olderPolls(windows),
    };
  });
}

/** Whether an alert was announced again although an announcing window had recorded it, or was not killed. */
function isRepeated({ events, windows }: HubProcesses, id: string): boolean {
  const announcers = events.flatMap(({ pid, fired }) => (fired === id ? [pid] : []));
  const recorded = new Set(events.flatMap((event) => (event.recorded === id ? [event.pid] : [])));
  return announcers.slice(0, -1).some((pid) => recorded.has(pid) || windows.has(pid));
}

function lateRequests(
  { pid, at: wokenAt }: Woken,
  { events }: HubProcesses,
  exchange: CountedExchange,
): number {
  const led = events.find((event) => event.pid === pid && event.at >= wokenAt && event.role === "leader");
  const until = led?.at ?? Number.POSITIVE_INFINITY;
  return exchange.asked.filter((at, nth) => exchange.askers[nth] === pid && at >= wokenAt && at < until)
    .length;
}

function olderPolls({ events, windows }: HubProcesses): number {
  const times = [...windows.keys()].map((window) =>
    events.flatMap(({ pid, readAt }) => (pid === window && readAt !== undefined ? [readAt] : [])),
  );
  return times.flatMap((own) => own.filter((at, nth) => at < (own[nth - 1] ?? at))).length;
}
