import type { Announcement } from "../hub/messages.ts";
import type { Windows } from "./windows.ts";

/** Records on the disk that all windows of the machine write to and show. */
interface Kept {
  /** Fires when this window wrote one. */
  readonly onDidWrite: (listener: () => void) => () => void;
  /** Reads what others wrote. */
  readonly reread: () => void;
}

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
