import { settingKeys } from "../../../src/contributions.ts";
import { startProxiedPractice, type ProxiedPractice } from "../../support/servers/proxiedPractice.ts";
import { defaultSwitches, offeredFeatures } from "../../support/servers/switches.ts";
import type { Theme } from "./themes.ts";
import { Workbench, type WorkbenchOptions } from "./workbench.ts";

export interface LiveTrader {
  readonly workbench: Workbench;
  readonly exchange: ProxiedPractice;
  /** The name of the venue: its host. */
  readonly name: string;
}

/** The key pair of the exchanges that journeys start. */
export const livePair = { apiKey: "journey-key", apiSecret: "journey-secret" };

/** The setting of a test exchange with a price history. */
export const withHistory = { [settingKeys.historyPath]: "/tradingview/history" };

/**
 * The setting of a test exchange that reports orders from placing to their end. Without the time after which it refuses requests, the
 * absence of an order proves nothing.
 */
export const withOrderTracking = {
  [settingKeys.features]: {
    ...offeredFeatures("spec", defaultSwitches),
    clientOrderId: { duplicates: "accepted" },
  },
};

/** The setting of a test exchange that streams prices and order updates. */
export const withStreams = {
  [settingKeys.features]: offeredFeatures("spec", { ...defaultSwitches, streams: ["ticker", "private"] }),
};

/** The settings of an exchange that was set up earlier. */
export function setUpAt(baseUrl: string): Readonly<Record<string, unknown>> {
  return {
    [settingKeys.venue]: "live",
    [settingKeys.baseUrl]: baseUrl,
    [settingKeys.headerPrefix]: "X-SVC-",
  };
}

/**
 * A test exchange with a million THB, and an editor that trades there: set up earlier, so only the key is prompted for. The caller
 * closes both.
 */
export async function openLive(theme: Theme = "dark", options: WorkbenchOptions = {}): Promise<LiveTrader> {
  const exchange = await startProxiedPractice({ credentials: livePair, now: Date.now });
  const name = new URL(exchange.baseUrl).host;
  const workbench = await Workbench.open(theme, {
    ...options,
    settings: { ...setUpAt(exchange.baseUrl), ...options.settings },
  });
  await workbench.enterKey(exchange.baseUrl, livePair);
  await workbench.balance.filter({ hasText: `${name} 1,000,000.00 THB` }).waitFor();
  return { workbench, exchange, name };
}
