import { randomUUID } from "node:crypto";
import { Alerts } from "../../../src/desk/alerts/alerts.ts";
import { TickerFeed } from "../../../src/desk/feeds/tickerFeed.ts";
import type { Timers } from "../../../src/desk/time/timers.ts";
import type { Alert } from "../../../src/market/alertRule.ts";
import type { AlertFiles } from "../../../src/storage/alertFiles.ts";
import { FakeClient, openVenue, readingOf, tickerOf } from "../fakes/venue.ts";

/** A window, as far as alerts are concerned. */
export interface AlertWindow {
  readonly alerts: Alerts;
  /** It reads the market: THB_BTC is at this price. */
  show(last: number): Promise<void>;
}

/** Opens a window on the alerts of a folder. Unless said otherwise, it is in front, and throws what goes wrong. */
export async function openAlertWindow(
  store: AlertFiles,
  timers: Timers,
  tell: (alert: Alert) => void,
  more: { readonly isInFront?: boolean; readonly trouble?: (error: unknown) => void } = {},
): Promise<AlertWindow> {
  const client = new FakeClient();
  const venue = await openVenue(client);
  const tickers = new TickerFeed({ venue, timers, random: Math.random, intervalMs: 5000 });
  const alerts = new Alerts({
    store,
    tickers,
    venue,
    timers,
    newId: randomUUID,
    isInFront: () => more.isInFront ?? true,
    tell,
    trouble:
      more.trouble ??
      ((error) => {
        throw error;
      }),
  });
  return {
    alerts,
    async show(last) {
      client.tickersAnswer = () => Promise.resolve(readingOf(tickerOf("THB_BTC", { last })));
      await tickers.poll.refresh();
    },
  };
}
