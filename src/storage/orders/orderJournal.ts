import { join } from "node:path";
import { type Computer, thisComputer } from "../../files/computer.ts";
import { hasCode } from "../../files/hasCode.ts";
import { newsIn, type OrderReport } from "../../market/orderReport.ts";
import { type AppendLog, openAppendLog } from "../appendLog.ts";
import { mergePastMonths } from "./compaction.ts";
import { claimDraft, isDraftClaimed, sweepClaims } from "./draftClaims.ts";
import {
  fileStamp,
  type FileSnapshot,
  listOrderFiles,
  monthOf,
  newFileName,
  type OrderFile,
  readOrderFile,
} from "./files.ts";
import {
  type OrderEvent,
  type OrderIntent,
  type CheckFinding,
  draftIdToClaim,
  type OrderRecord,
  type Outcome,
  recordToWrite,
  type Settlement,
  verdictOf,
  wordOf,
} from "./records.ts";
import { type CancelRecord, type CostRecord, type Place, recordsOf } from "./lifeRecords.ts";
import { OrderLives } from "./orderLives.ts";
import {
  belongsToIntents,
  type RecordedOrder,
  foldOrders,
  type JournalLine,
  type RecordSource,
} from "./replay.ts";
import type { SkippedLine } from "./skippedLines.ts";

/** The journal does not have the record. If this was an intent, the order must not be sent. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

export interface OrderJournalOptions {
  readonly directory: string;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly computer?: Computer;
}

/**
 * Opens the journal of a folder, which need not exist. Merges the files of past months and removes old claims. Never
 * throws: an unreadable folder is listed as such, and a folder that cannot be written refuses the first record.
 */
export function openOrderJournal(options: OrderJournalOptions): OrderJournal {
  const now = options.now();
  tryTo(() => mergePastMonths({ ...options, now }));
  tryTo(() => sweepClaims(options.directory, now, (options.computer ?? thisComputer).files));
  return new OrderJournal(options);
}

/** Housekeeping only: files that could not be merged are read as they are, and tried again later. */
function tryTo(tidy: () => void): void {
  try {
    tidy();
  } catch {}
}

/** The file this window writes to. */
interface OwnFile {
  readonly file: OrderFile;
  readonly log: AppendLog;
}

/** The content of the folder when it was read. */
interface Found {
  readonly snapshots: Map<string, FileSnapshot>;
  readonly unreadable: readonly SkippedLine[];
  /** Whether a listed file was missing when it was read. */
  readonly vanished: boolean;
}

/**
 * Every order that was about to be sent, and all that is known about it, from the files of all windows. A window writes
 * to a file of its own, which is made at its first record and again each month, so that no window writes to a file of
 * a past month while another one merges it.
 */
export class OrderJournal {
  readonly #options: OrderJournalOptions;
  readonly #computer: Computer;
  readonly #written: JournalLine[] = [];
  #snapshots = new Map<string, FileSnapshot>();
  #unreadable: readonly SkippedLine[] = [];
  #own: OwnFile | undefined;
  /** The file of this window is gone, and its content is not in another file yet. */
  #isLost = false;
  #closed = false;
  /** Ids of orders that this window showed as unknown. */
  readonly #overdue = new Set<string>();
  #folded: ReturnType<typeof foldOrders> | undefined;
  /** What the records of all windows say of orders by their exchange's ids. */
  readonly lives = new OrderLives();

  constructor(options: OrderJournalOptions) {
    this.#options = options;
    this.#computer = options.computer ?? thisComputer;
    this.reread();
  }

  /** Newest first, from the last `reread` and this window's own records. */
  orders(): readonly RecordedOrder[] {
    return this.#fold().orders;
  }

  /** Damaged lines, lines that are no records or contradict others, and unreadable files. None is ever removed. */
  get skippedLines(): readonly SkippedLine[] {
    const inFiles = [...this.#snapshots.values()].flatMap(({ skippedLines }) => skippedLines);
    return [...inFiles, ...this.#unreadable, ...this.#fold().skippedLines];
  }

  /**
   * Reads what other windows wrote since the last time. True if there was anything. Files with the same size and time
   * of change are not read again.
   */
  reread(): boolean {
    let found = this.#readFiles();
    // A file that disappears between listing and reading was merged into one that the next listing shows.
    for (let attempt = 0; found.vanished && attempt < 5; attempt++) found = this.#readFiles();
    const { snapshots, unreadable } = found;
    const changed =
      namesOf(unreadable) !== namesOf(this.#unreadable) ||
      snapshots.size !== this.#snapshots.size ||
      [...snapshots].some(([name, snapshot]) => this.#snapshots.get(name) !== snapshot);
    for (const [name, { records }] of snapshots) {
      // A file of records is only appended to.
      const known = this.#snapshots.get(name)?.records.length ?? 0;
      for (const { record } of records.slice(known)) this.lives.add(record);
    }
    this.#snapshots = snapshots;
    this.#unreadable = unreadable;
    if (changed) this.#folded = undefined;
    return changed;
  }

  /** Whether the draft of this id (a UUID) was claimed by any window. This only reads; the claim itself decides. */
  isDraftClaimed(id: string): boolean {
    const name = draftIdToClaim(id);
    return name !== undefined && isDraftClaimed(this.#options.directory, name, this.#computer.files);
  }

  /**
   * Claims the draft of this id (a UUID) for sending. True once in its life, in any window; false ever after. On the
   * disk on return. Throws JournalError otherwise: the draft must then not be sent.
   */
  claimDraft(id: string): boolean {
    const name = draftIdToClaim(id);
    if (name === undefined) {
      throw new JournalError("The order could not be recorded, because its draft has no valid id.");
    }
    return this.#beforeSending(() => claimDraft(this.#options.directory, name, this.#computer.files));
  }

  /** On the disk on return. Throws JournalError otherwise: the order must then not be sent. */
  recordIntent(intent: OrderIntent): void {
    const record = recordToWrite({ ...intent, kind: "intent" });
    if (!record) {
      throw new JournalError(
        "The order could not be recorded, because its record would be incomplete. Nothing was sent.",
      );
    }
    if (this.#records(intent.id).length > 0) {
      throw new JournalError("This order is already in the journal. It is not sent a second time.");
    }
    this.#beforeSending(() => this.#append(record));
  }

  /** Like every method below: durable on return, or JournalError. */
  recordOutcome(id: string, outcome: Outcome): void {
    this.#record({ ...outcome, kind: "outcome", id, at: this.#timeOf(id) });
  }

  recordCheck(id: string, finding: CheckFinding): void {
    const { available, text } = finding;
    const at = this.#timeOf(id);
    this.#record({ kind: "check", id, at, available, text, verdict: verdictOf(finding) });
  }

  /** Settles an order without a proof. An earlier or later proof counts more. */
  settle(id: string, settlement: Settlement): void {
    this.#record({ ...settlement, kind: "settled", id, at: this.#timeOf(id), as: wordOf(settlement) });
  }

  /** The practice account is about to be reset. `id` is a UUID of this reset. Durable on return, or JournalError. */
  recordAccountReset(id: string): void {
    const venue = "practice";
    const earlier = this.#sources().flatMap(({ records }) => records.map(({ record }) => record));
    const at = earlier
      .filter((record) => "venue" in record && record.venue === venue)
      // Later than all earlier orders, whatever the clock says.
      .reduce((latest, record) => Math.max(latest, record.at + 1), Math.trunc(this.#options.now()));
    this.#beforeSending(() => this.#append({ kind: "accountReset", id, venue, at }));
  }

  /**
   * Records what each report adds to what is known of its order. Reports of one answer go to the disk together. False
   * if there was nothing to record. Durable on return, or JournalError.
   */
  recordReports(reports: readonly OrderReport[], place: Place): boolean {
    const at = Math.trunc(this.#options.now());
    const records = reports.flatMap((report) => {
      const known = this.lives.get({ ...place, ...report.pair, ...report })?.known;
      const news = newsIn(known, report);
      return news ? recordsOf(news, place, at) : [];
    });
    this.#recordAll(records);
    return records.length > 0;
  }

  /** Records a step of a cancellation, or a cost. Durable on return, or JournalError. */
  recordLife(record: Omit<CancelRecord, "at"> | Omit<CostRecord, "at">): void {
    this.#recordAll([{ ...record, at: Math.trunc(this.#options.now()) } as CancelRecord | CostRecord]);
  }

  close(): void {
    this.#closed = true;
    this.#closeOwn();
  }

  /** Without this step, nothing may be sent or reset. Throws JournalError if the step fails. */
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

  #recordAll(all: readonly OrderRecord[]): void {
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
      throw new JournalError(
        `The outcome of the order could not be recorded: ${reasonOf(cause)}. ` +
          `The journal still lists the order with its earlier state. Make room for files in ${this.#options.directory}.`,
        { cause },
      );
    }
  }

  /** Now, but later than all known records of the order: a clock set back must not change their sequence. */
  #timeOf(id: string): number {
    const known = this.#records(id);
    if (!known.some(({ kind }) => kind === "intent")) {
      throw new JournalError("This order is not in the journal, so nothing can be added to it.");
    }
    return known.reduce((latest, { at }) => Math.max(latest, at + 1), Math.trunc(this.#options.now()));
  }

  #records(id: string): OrderRecord[] {
    const lines = this.#sources().flatMap(({ records }) =>
      records.filter(({ record }) => "id" in record && record.id === id),
    );
    return lines.map(({ record }) => record);
  }

  #append(...records: readonly OrderRecord[]): void {
    if (this.#closed) throw new Error("the journal is closed");
    const month = monthOf(this.#options.now());
    if (this.#own && this.#own.file.month < month) this.#closeOwn();
    this.#own ??= this.#create(month);
    this.#own.log.appendAll(records);
    this.#isLost ||= !this.#computer.files.existsSync(this.#pathOf(this.#own));
    if (this.#isLost) this.#restore(month, records);
    for (const record of records) {
      this.#written.push({ line: undefined, record });
      this.lives.add(record);
      if (belongsToIntents(record)) this.#folded = undefined;
    }
  }

  /** The file was deleted while this window had it open: its whole content is written to a new file. */
  #restore(month: string, records: readonly OrderRecord[]): void {
    this.#closeOwn();
    this.#own = this.#create(month);
    this.#own.log.appendAll([...this.#written.map(({ record }) => record), ...records]);
    if (!this.#computer.files.existsSync(this.#pathOf(this.#own)))
      throw new Error("its file is deleted while it is written");
    this.#isLost = false;
  }

  #create(month: string): OwnFile {
    const { pid, files } = this.#computer;
    const file = { name: newFileName(month, pid, this.#computer), month, pid };
    const path = join(this.#options.directory, file.name);
    return { file, log: openAppendLog({ path, sync: true, exclusive: true, files }) };
  }

  #pathOf({ file }: OwnFile): string {
    return join(this.#options.directory, file.name);
  }

  #closeOwn(): void {
    this.#own?.log.close();
    this.#own = undefined;
  }

  #readFiles(): Found {
    const { directory } = this.#options;
    const { files: onDisk } = this.#computer;
    const snapshots = new Map<string, FileSnapshot>();
    let files: OrderFile[];
    try {
      files = listOrderFiles(directory, onDisk);
    } catch {
      return { snapshots: this.#snapshots, unreadable: [unreadableFile(undefined)], vanished: false };
    }
    const unreadable: SkippedLine[] = [];
    let vanished = false;
    for (const file of files) {
      if (file.name === this.#own?.file.name) continue;
      const known = this.#snapshots.get(file.name);
      try {
        const isSame = known?.stamp === fileStamp(directory, file, onDisk);
        snapshots.set(file.name, isSame ? known : readOrderFile(directory, file, onDisk));
      } catch (error) {
        vanished ||= hasCode(error, "ENOENT");
        unreadable.push(unreadableFile(file.name));
        // The lines read before are still valid.
        if (known) snapshots.set(file.name, known);
      }
    }
    return { snapshots, unreadable, vanished };
  }

  #sources(): RecordSource[] {
    const own = { name: this.#own?.file.name, pid: this.#computer.pid, records: this.#written };
    return [...this.#snapshots.values(), own];
  }

  /** Kept until something changes. An order that is being sent changes with time. */
  #fold(): ReturnType<typeof foldOrders> {
    const folded = this.#folded;
    if (folded?.orders.every(({ state }) => state !== "sending")) return folded;
    this.#folded = foldOrders(this.#sources(), {
      now: this.#options.now(),
      isRunning: this.#computer.isRunning,
      overdue: this.#overdue,
    });
    for (const { state, intent } of this.#folded.orders)
      if (state === "unknown") this.#overdue.add(intent.id);
    return this.#folded;
  }
}

function unreadableFile(file: string | undefined): SkippedLine {
  return { file, line: undefined, reason: "unreadable" };
}

function namesOf(skippedLines: readonly SkippedLine[]): string {
  return JSON.stringify(skippedLines.map(({ file }) => file));
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
