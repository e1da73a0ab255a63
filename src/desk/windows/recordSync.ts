import type { Announcement } from "../../hub/protocol.ts";
import type { OwnOrder } from "../../storage/orders/order.ts";
import type { SkippedLine } from "../../storage/orders/skippedLines.ts";
import type { Orders } from "../orders/orders.ts";
import type { Timers } from "../time/timers.ts";
import type { Windows } from "./windows.ts";

/** Records on the disk that all windows of the computer write and show. */
interface SharedRecords {
  /** Fires when this window wrote a record. */
  readonly onDidWrite: (listener: () => void) => () => void;
  /** Reads the records of other windows. */
  readonly reread: () => void;
}

/** How often the orders are read while an order is being sent in any window. */
const SENDING_MS = 2000;
/** How often the orders are read while a file of the journal cannot be read. */
const UNREADABLE_MS = 30_000;

/** Tells the other windows about this window's records, and reads theirs. The returned function stops it. */
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
    // Messages are lost while windows do not know each other: each side may have written what the other has not read.
    windows.onDidChangeRole((role) => {
      records.reread();
      if (role === "follower") windows.publish({ type });
    }),
    // A killed window may have written a record without telling.
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
 * Reads the orders repeatedly while an order is being sent, because a killed window sends no message, and while a file
 * cannot be read, because no message tells when it can be read again.
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
