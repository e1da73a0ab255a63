import { join } from "node:path";
import * as z from "zod/mini";
import { namesIn } from "../files/atomicFiles.ts";
import { thisSystem } from "../files/operatingSystem.ts";
import type { ValueSnapshot } from "../market/holdings/valueSnapshot.ts";
import { Decimal, plainText } from "../market/numbers/decimal.ts";
import { eachLine, isNewerLog, openAppendLog } from "./appendLog.ts";
import { account, asset, at, decimal } from "./orders/fields.ts";

/** Asset, quantity and price. */
const amounts = z.array(z.tuple([asset, decimal, decimal]));
const schema = z.strictObject({
  at,
  account: z.union([z.literal("practice"), account]),
  quote: asset,
  balances: amounts,
  elsewhere: amounts,
});
type Stored = z.infer<typeof schema>;

/**
 * A month of an account with 10 assets takes 0.4 MB. A larger file is not one that was written here, and reading it would
 * block every extension of the window.
 */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Records that are parsed at once. */
const PART = 200;

/** A month (UTC), so that a day's values are read without those of years. */
const FILE = /^values-\d{4}-\d{2}\.log$/;

/**
 * The recorded values of all accounts, in one log a month. Each record is appended by a log that is opened for it, because
 * another window may write the next one.
 */
export class ValueHistory {
  readonly #directory: string;
  readonly #os: typeof thisSystem;

  constructor(directory: string, os = thisSystem) {
    this.#directory = directory;
    this.#os = os;
  }

  /** Appends a snapshot. Throws if the disk fails, the file is too large, or a newer version wrote this month's file. */
  add(snapshot: ValueSnapshot): void {
    const { files } = this.#os;
    const path = join(this.#directory, nameFor(snapshot.at));
    this.#checkSize(path);
    const log = openAppendLog({ path, sync: false, files });
    try {
      log.append(schema.parse(storedOf(snapshot)));
    } finally {
      log.close();
    }
  }

  /**
   * The snapshots of an account from `from` (ms) on, by time. Damaged lines and files of a newer version are left out.
   * Throws if a file cannot be read, or is too large.
   */
  read(id: string, from = 0): readonly ValueSnapshot[] {
    return [...this.parts(id, from)].flat().sort((one, other) => one.at - other.at);
  }

  /** The same in parts, each of which is read in a few ms, and not quite by time: a clock may have been set back. */
  *parts(id: string, from = 0): Generator<readonly ValueSnapshot[]> {
    for (const records of this.#months(from)) {
      const own = records.filter((record) => accountOf(record) === id);
      for (let at = 0; at < own.length; at += PART) {
        const part = own.slice(at, at + PART).flatMap((record) => snapshotOf(record) ?? []);
        yield part.filter((each) => each.at >= from);
      }
    }
  }

  /** The last snapshot of each account from `from` (ms) on, by id. Throws if a file cannot be read. */
  latest(from: number): ReadonlyMap<string, ValueSnapshot> {
    const latest = new Map<string, ValueSnapshot>();
    for (const records of this.#months(from)) {
      for (const record of new Map(records.map((each) => [accountOf(each), each])).values()) {
        const snapshot = snapshotOf(record);
        if (snapshot && snapshot.at >= from) latest.set(snapshot.account, snapshot);
      }
    }
    return latest;
  }

  /** The records of all accounts, one month at a time. */
  *#months(from: number): Generator<readonly unknown[]> {
    const { files } = this.#os;
    const names = namesIn(this.#directory, files).filter((name) => FILE.test(name) && name >= nameFor(from));
    for (const name of names.sort()) {
      const path = join(this.#directory, name);
      this.#checkSize(path);
      const content = files.readFileSync(path);
      if (isNewerLog(content)) continue;
      yield [...eachLine(content)].flatMap(({ record }) => (record === undefined ? [] : [record]));
    }
  }

  #checkSize(path: string): void {
    const { size } = this.#os.files.statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
    if (size > MAX_FILE_BYTES) throw new Error(`${path} is larger than ${MAX_FILE_BYTES} bytes`);
  }
}

function nameFor(time: number): string {
  return `values-${new Date(time).toISOString().slice(0, 7)}.log`;
}

function storedOf({ balances, elsewhere, ...rest }: ValueSnapshot): Stored {
  return { ...rest, balances: rowsOf(balances), elsewhere: rowsOf(elsewhere) };
}

function rowsOf(all: ValueSnapshot["balances"]): Stored["balances"] {
  return all.map(({ asset: name, quantity, price }) => [name, plainText(quantity), plainText(price)]);
}

function accountOf(record: unknown): unknown {
  return (record as Partial<Record<string, unknown>> | null)?.["account"];
}

function snapshotOf(record: unknown): ValueSnapshot | undefined {
  const { data } = schema.safeParse(record);
  return data && { ...data, balances: pricedOf(data.balances), elsewhere: pricedOf(data.elsewhere) };
}

function pricedOf(rows: Stored["balances"]): ValueSnapshot["balances"] {
  return rows.map(([name, quantity, price]) => ({
    asset: name,
    quantity: new Decimal(quantity),
    price: new Decimal(price),
  }));
}
