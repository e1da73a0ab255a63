import type { OperatingSystem } from "../files/operatingSystem.ts";
import { NumberedLock } from "../files/numberedLock.ts";

/** The leader is the window that holds the highest `lead-` number in the folder. */
export class Lease extends NumberedLock {
  constructor(directory: string, os?: OperatingSystem) {
    super(directory, "lead-", "", os);
  }
}
