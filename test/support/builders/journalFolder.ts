import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { thisSystem } from "../../../src/files/operatingSystem.ts";
import { openAppendLog } from "../../../src/storage/appendLog.ts";
import { openOrderJournal, type OrderJournal } from "../../../src/storage/orders/orderJournal.ts";
import type { OwnOrder } from "../../../src/storage/orders/order.ts";
import { afterTest } from "../afterTest.ts";
import { temporaryFolder } from "../temporaryFolder.ts";
import { NOON } from "./bidIntent.ts";

/** A pid that no system assigns. */
export const ENDED = 4_100_000_000;

/** A log with a header of version 2. */
export const NEWER_LOG = `0 ${crc32('0 {"version":2}').toString(16).padStart(8, "0")} {"version":2}\n`;

/** A folder for one test's order journals, with a shared clock: noon of 1 November 2026 until the test sets it. */
export class JournalFolder {
  clock = NOON;
  readonly #folder = temporaryFolder();
  /** Does not exist before the first record. */
  readonly directory = join(this.#folder, "journal");

  /** Opens a journal as a window does. */
  open(os = thisSystem): OrderJournal {
    const { directory } = this;
    const journal = openOrderJournal({ directory, now: () => this.clock, os });
    afterTest(() => journal.close());
    return journal;
  }

  /** Writes a file of November 2026 as another window's process would; returns its path. */
  write(pid: number, ...records: unknown[]): string {
    const count = String(readdirSync(this.#folder, { recursive: true }).length).padStart(16, "0");
    const path = join(this.directory, `orders-2026-11-${pid}-${count}.log`);
    const log = openAppendLog({ path, sync: false });
    for (const record of records) log.append(record);
    log.close();
    return path;
  }

  /** The names of the journal's files. */
  files(): string[] {
    return readdirSync(this.directory).filter((name) => name.startsWith("orders-"));
  }

  /** The lines of all files, without their headers. */
  lines(): string[] {
    const texts = this.files().map((name) => readFileSync(join(this.directory, name), "utf8"));
    return texts.flatMap((text) => text.split("\n").filter((line) => line !== "" && !line.startsWith("0 ")));
  }
}

/** The single bid in a journal. */
export function onlyBid(journal: OrderJournal): OwnOrder {
  const [bid, ...others] = journal.orders();
  assert.ok(bid && others.length === 0, `${journal.orders().length} bids`);
  return bid;
}
