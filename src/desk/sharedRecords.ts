import type { Announcement } from "../hub/messages.ts";
import type { BidRecord } from "../journal/foldBids.ts";
import type { Orders } from "./orders.ts";
import type { Timers } from "./timers.ts";
import type { Windows } from "./windows.ts";

/** Records on the disk that all windows of the machine write to and show. */
interface Kept {
  /** Fires when this window wrote one. */
  readonly onDidWrite: (listener: () => void) => () => void;
  /** Reads what others wrote. */
  readonly reread: () => void;
}

/** How often a bid under way in any window is looked at again. */
const UNDER_WAY_MS = 2000;

/** Tells the others of what this window wrote, and reads what they wrote; the returned function ends it. */
export function shareRecords(windows: Windows, type: Announcement["type"], kept: Kept): () => void {
  const stop = [
    kept.onDidWrite(() => windows.publish({ type })),
    windows.onDidHear((message) => {
      if (message.type === type) kept.reread();
    }),
    // What was announced while nobody led was heard by nobody.
    windows.onDidChangeRole(() => kept.reread()),
  ];
  return () => {
    for (const each of stop) each();
  };
}

/** Reads the orders again and again while a bid is under way: a window that was killed with one tells nobody. */
export function followSending(
  orders: { readonly bids: readonly Pick<BidRecord, "state">[]; readonly onDidChange: Orders["onDidChange"] },
  timers: Timers,
  reread: () => void,
): () => void {
  let cancel: (() => void) | undefined;
  const stop = orders.onDidChange(() => {
    if (cancel || !orders.bids.some(({ state }) => state === "sending")) return;
    cancel = timers.after(UNDER_WAY_MS, () => {
      cancel = undefined;
      reread();
    });
  });
  return () => {
    stop();
    cancel?.();
  };
}
