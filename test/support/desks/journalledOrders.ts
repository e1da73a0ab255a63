import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { Orders } from "../../../src/desk/orders/orders.ts";
import { openOrderJournal } from "../../../src/storage/orders/orderJournal.ts";

/** The orders of a folder, in real files that no fsync waits for: for tests that kill nothing. */
export function journalledOrders(directory: string, now: () => number): Orders {
  const disk = {
    writeSync: (fd: number, bytes: Uint8Array, offset: number) => writeSync(fd, bytes, offset),
    fsyncSync: () => undefined,
  };
  return new Orders({
    open: () => Promise.resolve(openOrderJournal({ directory, now, disk })),
    newId: randomUUID,
    now,
    onError: (error) => assert.fail(String(error)),
  });
}
