import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AlertBook } from "../../src/journal/alertBook.ts";
import { killAll } from "./children.ts";
import { doubles, gaps, serveCounted, type CountedExchange } from "./countedExchange.ts";
import { HubProcesses } from "./hubProcesses.ts";
import { waitFor } from "./waitFor.ts";

/** Windows of one machine as processes, the exchange they ask, and the folder of their alerts. Ends by itself after a minute. */
export interface Machine {
  readonly exchange: CountedExchange;
  readonly windows: HubProcesses;
  readonly alerts: AlertBook;
}

/** Runs a task on a machine of its own, whose windows want a reading every `intervalMs`. */
export async function onMachine<T>(intervalMs: number, task: (machine: Machine) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "bidside-alerts-"));
  const exchange = await serveCounted();
  const windows = new HubProcesses(intervalMs, "deskProcess.ts", exchange.url, folder);
  try {
    return await task({ exchange, windows, alerts: new AlertBook(folder) });
  } finally {
    windows.close();
    await killAll();
    await exchange.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What came of killing the leader again and again. Times in ms. */
export interface Takeovers {
  readonly longestMs: number;
  readonly longestGapMs: number;
  readonly doubles: number;
  /** Alerts that were announced never, or more than once. */
  readonly lost: number;
}

/** Kills the window that asks, `rounds` times; each time an alert's price is reached right before. */
export async function killLeaders(rounds: number, intervalMs: number): Promise<Takeovers> {
  return await onMachine(intervalMs, async ({ exchange, windows, alerts }) => {
    const ids = Array.from({ length: rounds }, (_, round) => {
      const id = randomUUID();
      alerts.put({
        id,
        venue: "live",
        origin: new URL(exchange.url).origin,
        symbol: "THB_BTC",
        rule: { kind: "above", price: String(exchange.price + round + 1) },
        repeats: false,
        isOn: true,
        phase: "armed",
        armedAt: 0,
        round: 0,
      });
      return id;
    });
    await windows.start(3);
    let longestMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      const leader = await windows.settled();
      const before = exchange.asked.length;
      await waitFor("a request", () => exchange.asked.length > before);
      exchange.price += 1;
      const killed = await windows.kill(leader);
      longestMs = Math.max(longestMs, (await windows.takenOver(leader, killed)) - killed);
      await windows.start(1);
    }
    const fired = (): string[] => windows.events.flatMap(({ fired: id }) => id ?? []);
    await waitFor("the alerts", () => fired().length >= rounds).catch(() => undefined);
    return {
      longestMs,
      longestGapMs: Math.max(...gaps(exchange.asked)),
      doubles: doubles(exchange.asked, intervalMs).length,
      lost: ids.filter((id) => fired().filter((each) => each === id).length !== 1).length,
    };
  });
}
