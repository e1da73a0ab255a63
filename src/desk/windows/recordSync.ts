import type { Announcement } from "../../hub/protocol.ts";
import type { WindowGroup } from "./windowGroup.ts";

/** Records on disk that all windows of the computer write and show. */
interface SharedRecords {
  /** Fires when this window wrote a record. */
  readonly onDidWrite: (listener: () => void) => () => void;
  /** Reads the records of other windows. */
  readonly reread: () => void;
}

/** Announces this window's records to the others, and reloads theirs. The returned function stops it. */
export function shareRecords(
  windows: WindowGroup,
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
