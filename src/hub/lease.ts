import type { Computer } from "../files/computer.ts";
import { NumberedLock } from "../files/numberedLock.ts";

/** The leader is the window that holds the highest `lead-` number in the folder. */
export class Lease extends NumberedLock {
  constructor(directory: string, computer?: Computer) {
    super(directory, "lead-", "", computer);
  }
}
