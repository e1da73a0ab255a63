import fs from "node:fs";
import { type Computer, type Files, thisComputer } from "../../../src/files/computer.ts";

/** This computer with other calls of the file system. A call that is not given stays the one of this process. */
export function computerWith(calls: Partial<Files>): Computer {
  const files: Files = Object.assign(Object.create(fs), calls);
  return { ...thisComputer, files };
}

/** Real files that no fsync waits for: for tests in which no power is cut. */
export const unsyncedComputer = computerWith({ fsyncSync: () => undefined });
