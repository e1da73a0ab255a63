import type { Announcement } from "../../hub/protocol.ts";
import type { OwnOrder } from "../../storage/orders/order.ts";
import type { SkippedLine } from "../../storage/orders/skippedLines.ts";
import type { Orders } from "../orders/orders.ts";
import type { Timers } from "../time/timers.ts";
import type { Windows } from "./windows.ts";

/** Records on disk that all windows of the computer write and show. */
interface SharedRecords {
  /** Fires when this window wrote a record. */
  readonly onDidWrite: (listener: () => void) => () => void;
  /** Reads the records of other windows. */
  readonly reread: () => void;
}

/** Interval of reloading the orders while any window is sending one. */
const SENDING_MS = 2000;
/** Interval of reloading the orders while a journal file cannot be read. */
const UNREADABLE_MS = 30_000;

/** Announces this window's records to the others, and reloads theirs. The returned function stops it. */
export function shareRecords(
  windows: Windows,
  type: Announcement["type"],
  records: SharedRecords,
): () => void {
  const stop = [
    records.onDidWrite(() => windows.publish({ type })),
    windows.onDidReceive((message) => {
      if (message.type === type) records.reread();
    }),
    // Messages are lost while windows are not connected, so each side may have missed records of the other.
    windows.onDidChangeRole((role) => {
      records.reread();
      if (role === "follower") windows.publish({ type });
    }),
    // A killed window may have written a record without announcing it.
    windows.onDidLoseFollower(() => {
      records.reread();
      windows.publish({ type });
    }),
  ];
  return () => {
    for (const each of stop) each();
  };
}

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
