import type { OwnOrder } from "../../storage/orders/order.ts";
import type { SkippedLine } from "../../storage/orders/skippedLines.ts";
import type { Timers } from "../../time/timers.ts";
import type { Orders } from "./orders.ts";

/** Interval of reloading the orders while any window is sending one. */
const SENDING_MS = 2000;
/** Interval of reloading the orders while a journal file cannot be read. */
const UNREADABLE_MS = 30_000;

/**
 * Reloads the orders at an interval while an order is being sent, because a killed window sends no message, and while a
 * file is unreadable, because nothing announces when it is readable again.
 */
export function followSending(
  orders: {
    readonly own: readonly Pick<OwnOrder, "state">[];
    readonly skippedLines: readonly Pick<SkippedLine, "reason">[];
    readonly onDidChange: Orders["onDidChange"];
  },
  timers: Timers,
  reread: () => void,
): () => void {
  let cancel: (() => void) | undefined;
  const stop = orders.onDidChange(() => {
    const isSending = orders.own.some(({ state }) => state === "sending");
    const isUnreadable = orders.skippedLines.some(({ reason }) => reason === "unreadable");
    if (cancel || !(isSending || isUnreadable)) return;
    cancel = timers.after(isSending ? SENDING_MS : UNREADABLE_MS, () => {
      cancel = undefined;
      reread();
    });
  });
  return () => {
    stop();
    cancel?.();
  };
}
