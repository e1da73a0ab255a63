import type { Channel } from "../../../src/desk/notifications/notifications.ts";
import type { Alert } from "../../../src/market/alertRule.ts";

/** A channel that hands on fired alerts. */
export function alertChannel(announce: (alert: Alert) => void): Channel {
  return { name: "test", deliver: (firing) => void (firing.kind === "alert" && announce(firing.alert)) };
}
