import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { type OperatingSystem, thisSystem } from "../../files/operatingSystem.ts";
import type { AccountRef, NamedOrder, OrderName } from "../../market/order.ts";
import type { OrderReport } from "../../market/orderReport.ts";
import { type AppendLog, openAppendLog } from "../appendLog.ts";
import { AccountKeys } from "./accountKeys.ts";
import { mergePastMonths } from "./compaction.ts";
import { claimDraft, isDraftClaimed, sweepClaims } from "./draftClaims.ts";
import {
  type FileSnapshot,
  type FolderContent,
  monthOf,
  newFileName,
  type OrderFile,
  readOrderFiles,
} from "./files.ts";
import {
  type OrderEvent,
  type OrderIntent,
  type CheckFinding,
  draftIdToClaim,
  type OrderRecord,
  type Outcome,
  recordToWrite,
  sequenceTime,
  type Settlement,
} from "./records.ts";
import {
  type CancelRecord,
  type CostRecord,
  type PlacedOrderRecord,
  recordsOf,
} from "./placedOrderRecords.ts";
import { LastKeys } from "./lastKeys.ts";
import type { Order, OwnOrder } from "./order.ts";
import { FoldedOrders, type JournalLine, type RecordSource } from "./foldedOrders.ts";
import type { SkippedLine } from "./skippedLines.ts";
import type { TradeBook } from "./tradeBook.ts";

/** The record was not written. If it was an intent, the order must not be sent. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

export interface OrderJournalOptions {
  readonly directory: string;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly os?: OperatingSystem;
}

/**
 * Opens the journal in a folder, which need not exist. Merges files of past months and removes old claims. Never
 * throws: an unreadable folder is listed in `skippedLines`, and an unwritable one fails the first record.
 */
export function openOrderJournal(options: OrderJournalOptions): OrderJournal {
  const now = options.now();
  ignoreErrors(() => mergePastMonths({ ...options, now }));
  ignoreErrors(() => sweepClaims(options.directory, now, (options.os ?? thisSystem).files));
  const journal = new OrderJournal(options);
  journal.reread();
  return journal;
}

/** For housekeeping: files that could not be merged are read as they are and retried later. */
function ignoreErrors(task: () => void): void {
  try {
    task();
  } catch {}
}

/** Maximum records per response about orders placed elsewhere: a page of history has a few hundred. */
const MAX_PER_RESPONSE = 2_000;
/** The same per day: about 2.5 MB. */
const MAX_PER_DAY = 10_000;
/** No request takes longer, unless the computer sleeps or its clock is set meanwhile. */
const REQUEST_MS = 60_000;
/** Maximum fills per own order that are recorded regardless of the other limits. */
const MAX_OWN_FILLS = 1_000;

/** The file that this window writes to. */
interface OwnFile {
  readonly file: OrderFile;
  readonly log: AppendLog;
}

/**
 * Every order that was about to be sent and everything known about it, from the files of all windows. Each window
 * writes its own file, created with its first record and again each month, so that no window writes to a past month's
 * file while another merges it.
 */
export class OrderJournal {
  readonly #options: OrderJournalOptions;
  readonly #os: OperatingSystem;
  readonly #written: JournalLine[] = [];
  #snapshots: ReadonlyMap<string, FileSnapshot> = new Map();
  #unreadable: readonly SkippedLine[] = [];
  #own: OwnFile | undefined;
  /** This window's file was deleted or replaced, and its content is not yet in another file. */
  #isLost = false;
  #closed = false;
  #omittedRecords = 0;
  /** The disk did not take what the exchange stated. */
  #hasKept = false;
  /** How far the clock is behind the records, because it was set back, ms. */
  #behindMs = 0;
  /** The newest time in the sequence so far. */
  #lastAt = 0;
  /** The first time in the sequence after the clock was last set back. */
  #sinceSetBack = 0;
  readonly #ownSource: RecordSource;
  /** Orders that this window has shown as unknown. */
  readonly #overdue = new Set<string>();
  #folded: FoldedOrders;
  #skippedLines: readonly SkippedLine[] = [];
  readonly #keys: AccountKeys;
  readonly #lastKeys = new LastKeys();

  constructor(options: OrderJournalOptions) {
    this.#options = options;
    const os = (this.#os = options.os ?? thisSystem);
    const name = (): string | undefined => this.#own?.file.name;
    this.#keys = new AccountKeys({ ...options, os });
    const [pid, records] = [os.pid, this.#written];
    this.#ownSource = {
      get name() {
        return name();
      },
      pid,
      records,
    };
    this.#folded = this.#emptyFold();
  }

  /** The digest of the API key last used with an account, by id; undefined if none was. */
  lastKeyOf(account: string): string | undefined {
    return this.#lastKeys.of(account)?.digest;
  }

  /** How often an account got another key. */
  get replacedKeys(): number {
    return this.#lastKeys.replaced;
  }

  /** The account, by id, whose last key has this digest. */
  accountOfKey(digest: string): string | undefined {
    return this.#lastKeys.accountOf(digest);
  }

  /**
   * The keyed digest of an API key, 16 hex digits. Throws if the folder's salt can be neither read nor created.
   */
  digestOf(apiKey: string): string {
    return this.#keys.of(apiKey);
  }

  /**
   * Orders placed from this computer, newest first, from the last `reread` and this window's records. The array and
   * each order are replaced only on change.
   */
  orders(): readonly OwnOrder[] {
    return this.#folded.own;
  }

  /** Orders placed elsewhere, as reported by the exchange. The array is replaced only on change. */
  elsewhere(): readonly Order[] {
    return this.#folded.elsewhere;
  }

  /** Looks an order up by any of its ids at the exchange. */
  order(name: OrderName): Order | undefined {
    return this.#folded.get(name);
  }

  /** The orders a report is about; several if it reveals that they are one. */
  ordersOf(report: OrderReport, account: AccountRef): readonly Order[] {
    return this.#folded.ordersOf(report, account);
  }

  /** Fills and costs by pair. */
  get trades(): TradeBook {
    return this.#folded.trades;
  }

  /**
   * Damaged lines, lines that are not records or contradict others, and unreadable files. None are ever removed. The
   * array is replaced only on change.
   */
  get skippedLines(): readonly SkippedLine[] {
    const inFiles = [...this.#snapshots.values()].flatMap(({ skippedLines }) => skippedLines);
    const found = [...inFiles, ...this.#unreadable, ...this.#folded.skippedLines];
    if (!isDeepStrictEqual(found, this.#skippedLines)) this.#skippedLines = found;
    return this.#skippedLines;
  }

  /**
   * Reads what other windows have written. Returns whether anything changed. Files with the same size and modification
   * time are not read again.
   */
  reread(): boolean {
    let found = this.#readFiles();
    // A file that vanishes between listing and reading was merged into one that the next listing shows.
    for (let attempt = 0; found.vanished && attempt < 5; attempt++) found = this.#readFiles();
    const { snapshots, unreadable } = found;
    const changed =
      !isDeepStrictEqual(unreadable, this.#unreadable) ||
      snapshots.size !== this.#snapshots.size ||
      [...snapshots].some(([name, snapshot]) => this.#snapshots.get(name) !== snapshot);
    if (!changed) return false;
    this.#sequence();
    const before = this.#snapshots;
    this.#snapshots = snapshots;
    this.#unreadable = unreadable;
    // Records that disappeared from the files, for example in a merge, must disappear from the fold too.
    const isLess = [...before].some(
      ([name, { records }]) => !startsWith(snapshots.get(name)?.records, records),
    );
    const isNew = (name: string, index: number, line: JournalLine): boolean =>
      line !== before.get(name)?.records[index];
    if (isLess) this.#refold();
    else
      for (const [name, snapshot] of snapshots)
        for (const [index, line] of snapshot.records.entries())
          if (isNew(name, index, line)) this.#fold(snapshot, line);
    // Now, not with the next response: what was asked for since belongs after these records, what was before does not.
    this.#catchUp();
    return true;
  }

  /** Rebuilds the fold from all records. */
  #refold(): void {
    this.#folded = this.#emptyFold();
    for (const source of [...this.#snapshots.values(), this.#ownSource])
      for (const line of source.records) this.#fold(source, line);
  }

  #fold(source: RecordSource, line: JournalLine): void {
    this.#lastKeys.add(line.record);
    this.#folded.add(source, line);
  }

  /** Whether any window has claimed this draft (a UUID). A hint only: the claim itself decides. */
  isDraftClaimed(id: string): boolean {
    const name = draftIdToClaim(id);
    return name !== undefined && isDraftClaimed(this.#options.directory, name, this.#os.files);
  }

  /**
   * Claims this draft (a UUID) for sending. Returns true once, in one window, and false ever after. The claim is on
   * disk on return; otherwise it throws JournalError, and the draft must not be sent.
   */
  claimDraft(id: string): boolean {
    const name = draftIdToClaim(id);
    if (name === undefined) {
      throw new JournalError("The order could not be recorded, because its draft has no valid id.");
    }
    return this.#beforeSending(() => claimDraft(this.#options.directory, name, this.#os.files));
  }

  /**
   * Records an order before it is sent. The record is on disk on return; otherwise it throws JournalError, and the
   * order must not be sent.
   */
  recordIntent(intent: OrderIntent): void {
    const sequence = this.#sequence(intent.at);
    const record = recordToWrite({
      ...intent,
      ...(sequence > intent.at && { notBefore: sequence }),
      kind: "intent",
    });
    if (!record) {
      throw new JournalError(
        "The order could not be recorded, because its record would be incomplete. Nothing was sent.",
      );
    }
    if (this.#folded.recordsOf(intent.id).length > 0) {
      throw new JournalError("This order is already in the journal. It is not sent a second time.");
    }
    this.#beforeSending(() => this.#append(record));
  }

  /**
   * Records the outcome of sending an order. Like all methods below, it throws JournalError unless the record is
   * durable on return. Even if it throws, the order is no longer in flight: without a recorded outcome it is unknown.
   */
  recordOutcome(id: string, outcome: Outcome): void {
    this.#overdue.add(id);
    this.#record({ ...outcome, kind: "outcome", id, at: this.#timeOf(id) });
    // Events may have named the order before its id was known.
    ignoreErrors(() => this.#recordNews([]));
  }

  recordCheck(id: string, finding: CheckFinding): void {
    this.#record({ ...finding, kind: "check", id, at: this.#timeOf(id) });
  }

  /** Settles an unknown order. A recorded outcome that is proof takes precedence, even if it is recorded later. */
  settle(id: string, settlement: Settlement): void {
    this.#record({ ...settlement, kind: "settled", id, at: this.#timeOf(id) });
  }

  /** Records that the practice account is about to be reset. `id` is a UUID for this reset. */
  recordAccountReset(id: string): void {
    const venue = "practice";
    const times = [...this.#snapshots.values(), this.#ownSource]
      .flatMap(({ records }) => records.map(({ record }) => record))
      .filter((record) => "venue" in record && record.venue === venue)
      .map((record) => sequenceTime(record) + 1);
    // Later than all earlier orders, even if the clock was set back.
    const at = times.reduce((latest, time) => Math.max(latest, time), Math.trunc(this.#options.now()));
    this.#beforeSending(() => this.#append({ kind: "accountReset", id, venue, at }));
  }

  /**
   * Records what changes the state of an order; all reports of one response are written at once. Returns whether any
   * order changed. What the disk does not take counts in this window, and is recorded with the next change. Own orders
   * are always recorded, with up to MAX_OWN_FILLS fills. Orders placed elsewhere are recorded within the limits, and the
   * rest is dropped.
   */
  recordReports(reports: readonly OrderReport[], account: AccountRef): boolean {
    const listed = reports.filter(({ source }) => source === "list");
    return this.#recordNews(
      reports.flatMap((report) =>
        recordsOf(report, account, this.#sequence(report.askedAt), report.source === "list" ? listed : []),
      ),
    );
  }

  /** Records that a complete response, asked for at `askedAt` (ms), does not have these orders, as above. */
  recordAbsences(orders: readonly NamedOrder[], askedAt: number, account: AccountRef): boolean {
    const { venue, origin } = account;
    const at = this.#sequence(askedAt);
    return this.#recordNews(
      orders.map(({ orderId, symbol, pair, side }) => ({
        kind: "absent",
        at,
        venue,
        origin,
        account: account.account,
        orderId,
        symbol,
        ...pair,
        side,
      })),
    );
  }

  #recordNews(all: readonly PlacedOrderRecord[]): boolean {
    const before = [this.orders(), this.elsewhere()];
    const counted = this.#folded.countOfDay(this.#sequence());
    let room = Math.max(0, Math.min(MAX_PER_RESPONSE, MAX_PER_DAY - counted));
    // What an own order has beyond its guaranteed records comes last.
    const news = this.#folded.news(all).toSorted((one, other) => Number(!!one.own) - Number(!!other.own));
    const records = news.flatMap(({ own, name, records: found }) => {
      const known = own === undefined ? undefined : this.order(name)?.known;
      const fills = (known?.fills.length ?? 0) + (known?.surplus.length ?? 0);
      const guaranteed = own === undefined ? 0 : Math.max(1, 1 + MAX_OWN_FILLS - fills);
      const recorded = found.slice(0, guaranteed + room);
      room -= Math.max(0, recorded.length - guaranteed);
      this.#omittedRecords += found.length - recorded.length;
      return recorded;
    });
    this.#recordAll(records, () => {
      this.#folded.keep(records);
      this.#hasKept = true;
    });
    this.#hasKept = false;
    return records.length > 0 || before[0] !== this.orders() || before[1] !== this.elsewhere();
  }

  /** Records what the exchange stated and the disk did not take. Returns whether there was anything. */
  recordKept(): boolean {
    return this.#hasKept && this.#recordNews([]);
  }

  /** Number of records dropped because the exchange reported more than the limits allow. */
  get omittedRecords(): number {
    return this.#omittedRecords;
  }

  /** Records that an account uses the key of this digest from now on, even if the clock was set back. */
  recordAccountKey(account: string, digest: string): void {
    const before = this.#lastKeys.of(account)?.at ?? 0;
    const at = Math.max(Math.trunc(this.#options.now()), before + 1);
    this.#recordAll([{ kind: "accountKey", at, account, digest }]);
  }

  recordCancel(record: Omit<CancelRecord, "at" | "kind">): void {
    this.#recordAll([{ ...record, kind: "cancel", at: this.#sequence() }]);
  }

  recordCost(record: Omit<CostRecord, "at" | "kind">): void {
    this.#recordAll([{ ...record, kind: "cost", at: this.#sequence() }]);
  }

  close(): void {
    this.#closed = true;
    this.#closeOwn();
  }

  /** Runs a step that must succeed before anything is sent or reset. Throws JournalError if it fails. */
  #beforeSending<T>(step: () => T): T {
    try {
      if (this.#closed) throw new Error("the journal is closed");
      return step();
    } catch (cause) {
      throw new JournalError(
        `The order could not be recorded: ${reasonOf(cause)}. Nothing was sent. ` +
          `Make room for files in ${this.#options.directory}, and place the order again.`,
        { cause },
      );
    }
  }

  #record(event: OrderEvent): void {
    this.#recordAll([event]);
  }

  #recordAll(all: readonly OrderRecord[], onDiskFailure?: () => void): void {
    const records = all.flatMap((each) => recordToWrite(each) ?? []);
    if (records.length < all.length) {
      throw new JournalError(
        "The outcome of the order could not be recorded: the record would be unreadable.",
      );
    }
    if (records.length === 0) return;
    try {
      this.#append(...records);
    } catch (cause) {
      onDiskFailure?.();
      throw new JournalError(
        `The outcome of the order could not be recorded: ${reasonOf(cause)}. ` +
          `The journal still lists the order with its earlier state. Make room for files in ${this.#options.directory}.`,
        { cause },
      );
    }
  }

  /**
   * The place of a local time, up to now, in the sequence of all records: setting the clock must not reorder them. What
   * is recorded after it was set back was asked for after it, too: a request takes less than that.
   */
  #sequence(at = this.#options.now()): number {
    const before = this.#behindMs;
    this.#catchUp();
    if (this.#behindMs > before) this.#sinceSetBack = this.#lastAt;
    const now = Math.trunc(this.#options.now());
    const asked = Math.min(Math.max(Math.trunc(at), now - REQUEST_MS), now);
    return Math.max(this.#sinceSetBack, asked + this.#behindMs);
  }

  /** Moves the current time in the sequence past all known records. */
  #catchUp(): void {
    const now = Math.trunc(this.#options.now());
    const latest = Math.max(this.#folded.latestAt, this.#lastAt);
    if (now >= latest) this.#behindMs = 0;
    else if (now + this.#behindMs < latest) this.#behindMs = latest + 1 - now;
    this.#lastAt = now + this.#behindMs;
  }

  /** The current time, or the time right after the order's latest record if that is later, for the same reason. */
  #timeOf(id: string): number {
    const known = this.#folded.recordsOf(id);
    if (!known.some(({ kind }) => kind === "intent")) {
      throw new JournalError("This order is not in the journal, so nothing can be added to it.");
    }
    return known.reduce((latest, { at }) => Math.max(latest, at + 1), Math.trunc(this.#options.now()));
  }

  #append(...records: readonly OrderRecord[]): void {
    if (this.#closed) throw new Error("the journal is closed");
    const month = monthOf(this.#options.now());
    if (this.#own && this.#own.file.month < month) this.#closeOwn();
    this.#own ??= this.#create(month);
    this.#own.log.appendAll(records);
    this.#isLost ||= !this.#own.log.isAtPath();
    if (this.#isLost) this.#restore(month, records);
    for (const record of records) {
      const line = { line: undefined, record };
      this.#written.push(line);
      this.#fold(this.#ownSource, line);
    }
  }

  /** The file was deleted or replaced while open: writes its whole content to a new file. */
  #restore(month: string, records: readonly OrderRecord[]): void {
    this.#closeOwn();
    this.#own = this.#create(month);
    this.#own.log.appendAll([...this.#written.map(({ record }) => record), ...records]);
    if (!this.#own.log.isAtPath()) throw new Error("its file is deleted while it is written");
    this.#isLost = false;
  }

  #create(month: string): OwnFile {
    const { pid, files } = this.#os;
    const file = { name: newFileName(month, pid, this.#os), month, pid };
    const path = join(this.#options.directory, file.name);
    return { file, log: openAppendLog({ path, sync: true, exclusive: true, files }) };
  }

  #closeOwn(): void {
    this.#own?.log.close();
    this.#own = undefined;
  }

  #readFiles(): FolderContent {
    const { directory } = this.#options;
    return readOrderFiles(directory, this.#os.files, this.#snapshots, this.#own?.file.name);
  }

  #emptyFold(): FoldedOrders {
    const { now } = this.#options;
    const { isRunning } = this.#os;
    return new FoldedOrders({ now, isRunning }, this.#overdue);
  }
}

/** Whether lines were only appended. */
function startsWith(lines: readonly JournalLine[] = [], before: readonly JournalLine[]): boolean {
  return before.every((line, index) => line === lines[index]);
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
