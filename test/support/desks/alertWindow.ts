import type { Alerts } from "../../../src/desk/alerts/alerts.ts";
import type { Timers } from "../../../src/time/timers.ts";
import type { Alert } from "../../../src/market/alertRule.ts";
import { alertChannel } from "../fakes/alertChannel.ts";
import { FakeClient, snapshotOf, tickerOf } from "../fakes/venue.ts";
import { unattended } from "./testDesk.ts";
import { openDesk } from "./windows.ts";

/** The parts of a window that alerts need. */
export interface AlertWindow {
  readonly alerts: Alerts;
  /** Polls the market: THB_BTC is at this price. */
  show(last: number): Promise<void>;
  close(): void;
}

/**
 * Opens the shipped desk on a folder's alerts, in a window disconnected from others. By default the window is in front, and
 * an error in its log fails the test.
 */
export async function openAlertWindow(
  storage: string,
  timers: Timers,
  announce: (alert: Alert) => void,
  more: { readonly isInFront?: boolean; readonly trouble?: (what: string) => void } = {},
): Promise<AlertWindow> {
  const client = new FakeClient();
  client.tickersAnswer = () => Promise.resolve(snapshotOf());
  const desk = openDesk(storage, {
    client,
    timers,
    isVisible: false,
    // The window polls only when the test sets a price.
    intervalMs: 3_600_000,
    window: unattended,
    openWindows: () => Promise.reject(new Error("There is no other window.")),
    isInFront: () => more.isInFront ?? true,
    channels: [alertChannel(announce)],
    ...(more.trouble && { log: { error: more.trouble } }),
  });
  await desk.windows.settled();
  const alerts = await desk.alerts();
  return {
    alerts,
    async show(last) {
      client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last })));
      await desk.tickers.refresh();
    },
    close: () => desk.dispose(),
  };
}
