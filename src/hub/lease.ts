import type { Computer } from "../files/computer.ts";
import { NumberedLock } from "../files/numberedLock.ts";

/** The lease decides who leads: the window that holds the highest `lead-` number of the folder. */
export class Lease extends NumberedLock {
  constructor(directory: string, computer?: Computer) {
    super(directory, "lead-", "", computer);
  }
}
