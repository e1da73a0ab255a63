import { DeskWindows } from "../support/desks/windows.ts";
import { FakeTimers } from "../support/fakes/timers.ts";
import { FakeClient } from "../support/fakes/venue.ts";
import { freezeLeaders, killLeaders, onMachine } from "../support/processes/failover.ts";
import { doubles, gaps } from "../support/servers/countingExchange.ts";
import { waitFor } from "../support/waitFor.ts";
import { durationFigure, median, type Figure } from "./measure.ts";

const INTERVAL_MS = 1000;
const INTERVALS = 10;
const TAKEOVER_INTERVAL_MS = 400;
const TAKEOVERS = 200;
const FREEZES = 10;
/** Groups of windows end by themselves after a minute, so the rounds are spread over several groups. */
const TAKEOVERS_A_MACHINE = 20;
const MOST_TAKEOVER_MS = 2000;
const HIDDEN_HOURS = 8;

/** The requests of several windows to an exchange, and the takeover by another window. */
export async function windowFigures(): Promise<Figure[]> {
  return [
    await requestFigure(1),
    await requestFigure(4),
    await requestFigure(16),
    await hiddenFigure(),
    ...(await takeoverFigures()),
  ];
}

/** The most requests that reach the exchange within one interval, over ten intervals. */
async function requestFigure(count: number): Promise<Figure> {
  return await onMachine(INTERVAL_MS, async ({ exchange, windows }) => {
    await windows.start(count);
    await windows.settled();
    const from = exchange.asked.length;
    await waitFor("the rounds", () => exchange.asked.length > from + INTERVALS, 30_000);
    const asked = exchange.asked.slice(from);
    const most = 1 + doubles(asked, INTERVAL_MS).length;
    return {
      name: `requests ${count}`,
      what: `requests per interval of ${INTERVAL_MS / 1000} s, ${count} ${count === 1 ? "window" : "windows"} (processes), at most`,
      measured: `${asked.length - 1} in ${INTERVALS}`,
      floor: `${median(gaps(asked)).toFixed(0)} ms`,
      result: String(most),
      value: most,
      target: "1",
      met: most === 1,
    };
  });
}

/** Requests of two hidden windows without a waiting alert, over hours of a simulated clock. */
async function hiddenFigure(): Promise<Figure> {
  const machine = new DeskWindows();
  const [timers, client] = [new FakeTimers(), new FakeClient()];
  try {
    const hidden = { client, timers, isVisible: false, window: { focused: false, active: false } };
    await machine.open(hidden);
    await machine.open(hidden);
    await timers.advance(HIDDEN_HOURS * 3_600_000);
    const requests = Object.values(client.calls).reduce((sum, calls) => sum + calls);
    return {
      name: "requests hidden",
      what: `requests in ${HIDDEN_HOURS} h, windows hidden, no alert (simulated clock)`,
      measured: String(requests),
      floor: "–",
      result: String(requests),
      value: requests,
      target: "0",
      met: requests === 0,
    };
  } finally {
    machine.close();
  }
}

async function takeoverFigures(): Promise<Figure[]> {
  let [longestMs, longestGapMs, doubled, lost, repeated] = [0, 0, 0, 0, 0];
  for (let done = 0; done < TAKEOVERS; done += TAKEOVERS_A_MACHINE) {
    const found = await killLeaders(TAKEOVERS_A_MACHINE, TAKEOVER_INTERVAL_MS);
    longestMs = Math.max(longestMs, found.longestMs);
    longestGapMs = Math.max(longestGapMs, found.longestGapMs);
    doubled += found.doubles.length;
    lost += found.lost;
    repeated += found.repeated;
  }
  const frozen = await freezeLeaders(FREEZES, TAKEOVER_INTERVAL_MS);
  return [
    durationFigure(
      "takeover",
      `takeover after kill -9 of the window that asks, ${TAKEOVERS} rounds, longest`,
      { ms: longestMs, most: MOST_TAKEOVER_MS },
    ),
    {
      name: "takeover gap",
      what: `the same: longest gap between two requests (floor: the interval)`,
      measured: `${longestGapMs} ms`,
      floor: `${TAKEOVER_INTERVAL_MS} ms`,
      result: `+ ${longestGapMs - TAKEOVER_INTERVAL_MS} ms`,
      value: longestGapMs - TAKEOVER_INTERVAL_MS,
      target: `≤ + ${TAKEOVER_INTERVAL_MS} ms`,
      met: longestGapMs <= 2 * TAKEOVER_INTERVAL_MS,
    },
    ...[
      {
        name: "takeover doubles",
        what: "the same: requests for an interval that was asked for already",
        count: doubled,
      },
      { name: "alerts lost", what: "the same: alerts lost", count: lost },
      {
        name: "alerts repeated",
        what: "the same: alerts told twice, but for windows killed while telling",
        count: repeated,
      },
    ].map(({ name, what, count }) => ({
      name,
      what,
      measured: String(count),
      floor: "–",
      result: String(count),
      value: count,
      target: "0",
      met: count === 0,
    })),
    durationFigure(
      "frozen takeover",
      `takeover after the window that asks froze, ${FREEZES} rounds, longest`,
      { ms: frozen.longestMs, most: MOST_TAKEOVER_MS },
    ),
  ];
}
