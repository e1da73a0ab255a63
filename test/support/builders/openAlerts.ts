import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Alerts } from "../../../src/desk/alerts/alerts.ts";
import type { TickerFeed } from "../../../src/desk/feeds/tickerFeed.ts";
import { Notifications } from "../../../src/desk/notifications/notifications.ts";
import type { CurrentVenue } from "../../../src/desk/venue.ts";
import type { Alert } from "../../../src/market/alertRule.ts";
import { AlertFiles } from "../../../src/storage/alertFiles.ts";
import { NotificationClaims } from "../../../src/storage/notificationClaims.ts";
import type { Timers } from "../../../src/time/timers.ts";
import { alertChannel } from "../fakes/alertChannel.ts";

interface AlertParts {
  readonly tickers: TickerFeed;
  readonly venue: CurrentVenue;
  readonly timers: Timers;
  readonly onError: (error: unknown) => void;
  readonly store?: AlertFiles;
  readonly isInFront?: boolean;
}

/** The alerts of a folder, without the rest of a desk, and those that were announced. */
export function openAlerts(
  folder: string,
  { store = new AlertFiles(folder), isInFront = true, ...parts }: AlertParts,
): { alerts: Alerts; announced: readonly Alert[] } {
  const announced: Alert[] = [];
  const notifications = new Notifications({
    ...parts,
    channels: [alertChannel((alert) => announced.push(alert))],
    folder: join(folder, "notifications"),
    claims: new NotificationClaims(join(folder, "notifications")),
    random: () => 0,
    isInFront: () => isInFront,
  });
  return { alerts: new Alerts({ ...parts, store, notifications, newId: randomUUID }), announced };
}
