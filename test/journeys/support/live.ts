import { createHash } from "node:crypto";
import { accountSecretKey, settingKeys } from "../../../src/contributions.ts";
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

/** A test exchange with a million THB. The caller closes it. */
export function startLive(options: Partial<ProxiedOptions> = {}): Promise<ProxiedPractice> {
  return startProxiedPractice({ credentials: livePair, now: Date.now, ...options });
}

/** The settings of an exchange that was set up earlier. */
export function setUpAt(baseUrl: string): Readonly<Record<string, unknown>> {
  return {
    [settingKeys.venue]: "live",
    [settingKeys.baseUrl]: baseUrl,
    [settingKeys.headerPrefix]: "X-SVC-",
  };
}

/** What the editor stores for the key pair of an exchange. */
export function keyAt(baseUrl: string): NonNullable<ResetOptions["secrets"]> {
  const { origin } = new URL(baseUrl);
  const account = createHash("sha256").update(origin).digest("hex").slice(0, 16);
  return { [accountSecretKey(account)]: JSON.stringify({ origin, ...livePair }) };
}
