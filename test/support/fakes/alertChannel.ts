import type { Channel } from "../../../src/desk/notifications/channel.ts";
import type { Alert } from "../../../src/market/alertRule.ts";

/** A channel that hands on fired alerts. */
export function alertChannel(announce: (alert: Alert) => void): Channel {
  return {
    id: "test",
    isOn: () => true,
    send: async (firing) => {
      if (firing.kind === "alert") announce(firing.alert);
      return { kind: "sent" };
    },
  };
}
