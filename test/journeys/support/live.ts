import { accountSecretKey } from "../../../src/contributions.ts";
import { accountIdAt } from "../../support/builders/account.ts";
import {
  startProxiedPractice,
  type ProxiedOptions,
  type ProxiedPractice,
} from "../../support/servers/proxiedPractice.ts";
import { defaultSwitches, offeredFeatures } from "../../support/servers/switches.ts";
import type { ResetOptions } from "./workbench.ts";

/** The key pair of the exchanges that journeys start. */
export const livePair = { apiKey: "journey-key", apiSecret: "journey-secret" };

/**
 * The profile of a test exchange that reports orders from placing to their end. Without the time after which it refuses requests, the
 * absence of an order proves nothing.
 */
export const withOrderTracking = {
  features: {
    ...offeredFeatures("spec", defaultSwitches),
    clientOrderId: { duplicates: "accepted" },
  },
};

/** The profile of a test exchange that streams prices and order updates. */
export const withStreams = {
  features: offeredFeatures("spec", { ...defaultSwitches, streams: ["ticker", "private"] }),
};

/** A test exchange with a million THB. The caller closes it. */
export function startLive(options: Partial<ProxiedOptions> = {}): Promise<ProxiedPractice> {
  return startProxiedPractice({ credentials: livePair, now: Date.now, ...options });
}

/** What the editor stores for the key pair of an exchange. */
export function keyAt(baseUrl: string): NonNullable<ResetOptions["secrets"]> {
  const { origin } = new URL(baseUrl);
  return { [accountSecretKey(accountIdAt(baseUrl))]: JSON.stringify({ origin, ...livePair }) };
}
