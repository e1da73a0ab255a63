import type { Files } from "../../src/files/operatingSystem.ts";
import { readOrderRecord, type OrderRecord } from "../../src/storage/orders/records.ts";
import type { OwnOrder } from "../../src/storage/orders/order.ts";
import type { CancelQuestion } from "../../src/desk/tracking/canceller.ts";
import type { SubmittedDraft } from "../../src/desk/orders/orderPlacer.ts";
import { accountId } from "../../src/market/order.ts";
import { slashed } from "./disk.ts";
import type { WorldExchange } from "./exchange.ts";
import type { Process } from "./process.ts";

/** The parts of the world that the checks need. */
interface AccountWitness {
  /** World time in ms. */
  now(): number;
  /** All accounts at the live exchange. */
  readonly accounts: readonly WorldExchange[];
  /** Orders are also reported by a stream, which sends no answer. */
  readonly hasPrivateStream: boolean;
  violated(text: string): void;
  reached(situation: string): void;
}

/** A record is written this long after its answer, at the latest. */
const LATEST_MS = 5_000;

/** The rules for the accounts of one exchange: what a record says came with an answer to the key of its own account. */
export class AccountChecks {
  readonly #witness: AccountWitness;
  /** When each process was answered last, by key. */
  readonly #answeredAt = new WeakMap<Process, Map<string, number>>();
  /** The accounts of live orders by the ids of their intents. */
  readonly #accounts = new Map<string, string | undefined>();
  /** What each process has written. */
  readonly #records = new WeakMap<Process, Set<string>>();
  /** The accounts for which drafts were typed, and were asked about, by the amounts of the drafts. */
  readonly #drafts = new Map<string, string>();
  readonly #asked = new Map<string, string>();
  readonly #shown = new WeakSet<OwnOrder>();

  constructor(witness: AccountWitness) {
    this.#witness = witness;
  }

  /** The live account of an id; undefined for the practice account. */
  accountOf(id: string | undefined): WorldExchange | undefined {
    return this.#witness.accounts.find((each) => each.id === id);
  }

  /** The person typed a draft for an account. */
  typed({ amount, account }: SubmittedDraft): void {
    this.#drafts.set(amount, account);
  }

  /** A question about a draft names an account. */
  asked(amount: string, account: string): void {
    const typed = this.#drafts.get(amount);
    this.#asked.set(amount, account);
    if (typed !== account)
      this.#witness.violated(`${amount} was typed for account ${typed}, and asked about for ${account}`);
  }

  /** An order leaves, signed with the key of an account. */
  orderLeaves(amount: string, account: string): void {
    const asked = this.#asked.get(amount);
    if (asked !== account)
      this.#witness.violated(`${amount} was confirmed for account ${asked}, and signed for ${account}`);
  }

  /** A question about cancellations names an account, and orders, which must be that account's. */
  cancellationAsked({ venue, targets }: CancelQuestion): void {
    for (const { name } of targets)
      if (accountId(name) !== venue.account.id)
        this.#witness.violated(
          `order ${name.orderId} is of account ${accountId(name)}, and its cancellation was asked about for ${venue.account.id}`,
        );
  }

  /** An answer reached a process, whose request carried this key. */
  answered(process: Process, key: string | undefined): void {
    if (key === undefined) return;
    const times = this.#answeredAt.get(process) ?? new Map<string, number>();
    this.#answeredAt.set(process, times.set(key, this.#witness.now()));
  }

  /** The files of a process, whose records are checked as they are written. */
  watching(process: Process, files: Files): Files {
    const paths = new Map<number, string>();
    return {
      ...files,
      openSync: (path, flags, mode) => {
        const fd = files.openSync(path, flags, mode);
        paths.set(fd, slashed(path));
        return fd;
      },
      writeSync: (fd, bytes, offset) => {
        // Merged files repeat records under a name that is not final yet.
        const isJournal = /\/orders-[^/]*\.log$/.test(paths.get(fd) ?? "");
        if (isJournal && offset === 0) this.#written(process, String(bytes));
        return files.writeSync(fd, bytes, offset);
      },
    };
  }

  #written(process: Process, text: string): void {
    for (const line of text.split("\n")) {
      const json = line.slice(line.indexOf("{"));
      const record = line.includes("{") ? readOrderRecord(JSON.parse(json)) : undefined;
      const earlier = this.#records.get(process) ?? new Set<string>();
      this.#records.set(process, earlier);
      // A process whose file is replaced writes all its records again.
      if (record && !earlier.has(json)) this.#recordWritten(process, record);
      earlier.add(json);
    }
  }

  #recordWritten(process: Process, record: OrderRecord): void {
    if (record.kind === "intent" && record.venue === "live") this.#accounts.set(record.id, record.account);
    if ("orderId" in record && "venue" in record && record.venue === "live") this.#isInBooks(record);
    const account = this.#judges(record);
    if (account === "nobody") return;
    const owner = this.accountOf(account);
    const at = owner && this.#answeredAt.get(process)?.get(owner.credentials.apiKey);
    // An outcome that could not be recorded is recorded later, and an absence once it matters.
    const isLater = record.kind === "outcome" || record.kind === "absent";
    const latestMs = isLater ? Number.POSITIVE_INFINITY : LATEST_MS;
    const isAnswered = at !== undefined && this.#witness.now() - at <= latestMs;
    if (!isAnswered)
      this.#witness.violated(
        `${process.pid} writes without an answer to ${owner?.credentials.apiKey}: ${JSON.stringify(record)}`,
      );
  }

  /** What is recorded of an order by its exchange's id is recorded for the account that has the order. */
  #isInBooks({
    account,
    orderId,
  }: {
    readonly account?: string | undefined;
    readonly orderId: string;
  }): void {
    const owner = this.accountOf(account);
    if (owner?.book(orderId) === undefined)
      this.#witness.violated(
        `order ${orderId} is recorded for ${owner?.credentials.apiKey}, who has no such order`,
      );
  }

  /** The live account whose order a record judges by an answer. */
  #judges(record: OrderRecord): string | undefined | "nobody" {
    switch (record.kind) {
      case "report":
      case "fill":
        return record.venue === "live" && !this.#witness.hasPrivateStream ? record.account : "nobody";
      case "absent":
        return record.venue === "live" ? record.account : "nobody";
      case "cancel":
        return record.venue === "live" && (record.step === "accepted" || record.step === "notOpen")
          ? record.account
          : "nobody";
      case "outcome":
        return isOfAnswer(record) && !this.#witness.hasPrivateStream && this.#accounts.has(record.id)
          ? this.#accounts.get(record.id)
          : "nobody";
      case "check":
        return record.available !== undefined && this.#accounts.has(record.id)
          ? this.#accounts.get(record.id)
          : "nobody";
      case "settled":
        return record.by === "check" && this.#accounts.has(record.id)
          ? this.#accounts.get(record.id)
          : "nobody";
      default:
        return "nobody";
    }
  }

  /** The orders that a window shows: each is in the books of the account that its record names, or in none. */
  ordersShown(orders: readonly OwnOrder[]): void {
    for (const order of orders) {
      const { venue, amount, account } = order.intent;
      if (venue !== "live" || this.#shown.has(order)) continue;
      this.#shown.add(order);
      const holder = this.#witness.accounts.find(({ accepted }) => accepted.has(amount));
      const owner = this.accountOf(account);
      if (holder && owner !== holder)
        this.#witness.violated(
          `${amount} is in the books of ${holder.credentials.apiKey}, and recorded for ${owner?.credentials.apiKey}`,
        );
      if (owner !== this.#witness.accounts[0]) this.#witness.reached("anOrderOfAnotherAccountWasShown");
    }
  }
}

/** Whether the exchange's answer proves an outcome. */
function isOfAnswer({ state }: Extract<OrderRecord, { kind: "outcome" }>): boolean {
  return state === "accepted" || state === "rejected";
}
