import type { Account } from "../../market/account.ts";
import { RefusedError, retryTime } from "../../exchange/errors.ts";
import { LONGEST_RATE_LIMIT_MS } from "../../exchange/rateLimits.ts";
import { type Decimal, plainText } from "../../market/numbers/decimal.ts";
import {
  assetsOf,
  isSameAccount,
  type NamedOrder,
  type OrderName,
  type OrderReceipt,
  type LimitOrder,
} from "../../market/order.ts";
import type { OrderReport } from "../../market/orderReport.ts";
import type { OrderJournal } from "../../storage/orders/orderJournal.ts";
import type { CheckFinding, OrderEvent, Outcome, Settlement } from "../../storage/orders/records.ts";
import type { Order, OwnOrder, SentOrder } from "../../storage/orders/order.ts";
import type { SkippedLine } from "../../storage/orders/skippedLines.ts";
import { Event } from "../event.ts";
import type { Secret } from "../../exchange/signing/credentials.ts";
import type { SignedIn, Watching } from "../venue.ts";
import { clientIdFor } from "./clientId.ts";
import { outcomeReason } from "./outcomeReason.ts";

/** Records of one order get increasing times, so the newest may be ahead of the clock by a few ms. */
const AHEAD_MS = 1000;

/** Outcomes of an order that was passed to the exchange client. */
export type SentOutcome =
  | {
      readonly kind: "accepted";
      readonly venue: SignedIn;
      readonly order: LimitOrder;
      readonly receipt: OrderReceipt;
    }
  | {
      readonly kind: "rejected" | "notSent" | "unknown";
      readonly venue: SignedIn;
      readonly order: LimitOrder;
      readonly error: unknown;
    };

/** Whether the outcome of an order is unknown. Such orders are listed first. */
export function needsAttention({ state }: SentOrder): boolean {
  return state === "unknown" || state === "unresolved";
}

/** Whether an order was sent from the account that is signed in. */
export function isOfAccount({ intent }: SentOrder, venue: SignedIn): boolean {
  return isSameAccount(intent, venue.ref);
}

interface OrdersOptions {
  readonly open: () => Promise<OrderJournal>;
  readonly newId: () => string;
  readonly now: () => number;
  /** Reserved balance of an asset; undefined if unknown. */
  readonly reserved?: (asset: string) => Decimal | undefined;
  /** Called once for each exchange that returns a different client id than the one sent. */
  readonly onClientIdIgnored?: ((venue: SignedIn) => void) | undefined;
  /** Called once if an exchange reports more orders than the journal stores. */
  readonly onReportsOmitted?: ((venue: SignedIn) => void) | undefined;
  /** Called if a record could not be written. The order is then listed with its earlier state. */
  readonly onError: (error: unknown) => void;
}

/** All orders sent from this computer, as recorded in the journal, and those placed elsewhere. */
export class Orders {
  readonly #options: OrdersOptions;
  readonly #changed = new Event<void>();
  readonly #written = new Event<void>();
  readonly #moved = new Event<void>();
  readonly #keyReplaced = new Event<void>();
  #journal: Promise<OrderJournal> | undefined;
  #own: readonly OwnOrder[] = [];
  /** The journal's orders that `#own` was built from. */
  #listed: readonly OwnOrder[] | undefined;
  #attention = 0;
  /** Rate limits by event, with the origins that set them. */
  #rateLimits: readonly RateLimit[] = [];
  #skippedLines: readonly SkippedLine[] = [];
  /** The journal once it is open. */
  #shown: OrderJournal | undefined;
  /** Outcomes that could not be recorded, by the ids of their orders. */
  readonly #pendingOutcomes = new Map<string, Outcome>();
  /** Origins of exchanges that returned a different client id. */
  readonly #withoutClientIds = new Set<string>();
  #hasOmitted = false;
  #replacedKeys = 0;
  /**
   * Events from before the clock was set back. Their rate limits stay expired when the clock reaches those times again.
   */
  readonly #expired = new Set<string>();

  readonly onDidChange = this.#changed.add;
  /** Fires when this window wrote a record, which the other windows must reload. */
  readonly onDidWrite = this.#written.add;
  /**
   * Fires when this window recorded a change of an order after it was sent: a report, a cancellation, or the end of an
   * unknown order. The balance may have changed.
   */
  readonly onDidMoveMoney = this.#moved.add;
  /** Fires when an account got another key, in any window. */
  readonly onDidReplaceKey = this.#keyReplaced.add;

  constructor(options: OrdersOptions) {
    this.#options = options;
  }

  /**
   * Orders that need attention first, then by age, newest first. The same array until one of them changes; an order
   * that did not change stays the same object.
   */
  get own(): readonly OwnOrder[] {
    return this.#own;
  }

  /** Journal lines that belong to no listed order. */
  get skippedLines(): readonly SkippedLine[] {
    return this.#skippedLines;
  }

  /** The orders placed elsewhere, which an exchange reported. The same array until one of them changes. */
  get elsewhere(): readonly Order[] {
    return this.#shown?.elsewhere() ?? NONE;
  }

  /** By any id of the order at its exchange. */
  get(name: OrderName): Order | undefined {
    return this.#shown?.order(name);
  }

  /** The orders that a report is about; several if it reveals that they are one. */
  ordersOf(report: OrderReport, venue: SignedIn): readonly Order[] {
    return this.#shown?.ordersOf(report, venue.ref) ?? NONE;
  }

  /** Fills and costs by pair; undefined until the journal is open. */
  get trades(): OrderJournal["trades"] | undefined {
    return this.#shown?.trades;
  }

  get attention(): number {
    return this.#attention;
  }

  /** Reads the records of all windows. True if there is anything new. Rejects if the journal cannot be opened. */
  async reread(): Promise<boolean> {
    const journal = await this.#ready();
    const isChanged = journal.reread();
    const isWritten = this.#writePending(journal);
    this.#show(journal);
    if (isWritten) this.#written.fire();
    return isChanged || isWritten;
  }

  /** Retries what could not be recorded. True if anything was recorded now. */
  #writePending(journal: OrderJournal): boolean {
    let isWritten = attempt(() => journal.recordKept());
    for (const [id, outcome] of this.#pendingOutcomes) {
      const isNowWritten = attempt(() => {
        journal.recordOutcome(id, outcome);
        return this.#pendingOutcomes.delete(id);
      });
      isWritten ||= isNowWritten;
    }
    return isWritten;
  }

  /**
   * Remaining rate limit for orders at `venue`, in ms; 0 if there is none. Includes limits set by responses to other
   * windows, and to this one before a reload, and a limit of the whole host.
   */
  waitMs({ profile, client }: Watching): number {
    const now = this.#options.now();
    const ofHost = client.rateLimitedUntil("placeBid") ?? now;
    const ends = this.#rateLimits.flatMap(({ origin, event, retryAt }) =>
      origin === profile.baseUrl.origin && !this.#expired.has(keyOf(event)) ? [retryAt] : [],
    );
    return Math.max(
      0,
      ofHost - now,
      ...ends.map((end) => end - now).filter((ms) => ms <= LONGEST_RATE_LIMIT_MS),
    );
  }

  /** Expires rate limits recorded at times that are now in the future, because the clock was set back. */
  expireFutureRateLimits(): void {
    const latest = this.#options.now() + AHEAD_MS;
    for (const { event } of this.#rateLimits) if (event.at > latest) this.#expired.add(keyOf(event));
  }

  /**
   * Orders of the same venue, pair and side that may have been placed without proof, from all windows, sorted as in
   * `own`. Rejects if the journal cannot be opened.
   */
  async openLike({ side, pair }: LimitOrder, venue: SignedIn): Promise<readonly OwnOrder[]> {
    await this.reread();
    return this.#own.filter(
      (order) =>
        (needsAttention(order) || order.state === "sending") &&
        isOfAccount(order, venue) &&
        order.intent.side === side &&
        order.intent.quote === pair.quote &&
        order.intent.base === pair.base,
    );
  }

  /** Whether the draft of this key (a UUID) was claimed, in this window or another one. Rejects if the disk fails. */
  async isClaimed(key: string): Promise<boolean> {
    return (await this.#ready()).isDraftClaimed(key);
  }

  /**
   * Claims a draft by its key (a UUID) for sending. True for the first caller; false if the draft was submitted
   * before, in this window or another one. If this rejects, nothing may be sent.
   */
  async claim(key: string): Promise<boolean> {
    return (await this.#ready()).claimDraft(key);
  }

  /**
   * Records that an order is about to be sent. When this resolves, the record is on the disk. If this rejects, nothing
   * may be sent.
   */
  async recordIntent(
    order: LimitOrder,
    venue: SignedIn,
    availableBefore: Decimal | undefined,
  ): Promise<string> {
    const journal = await this.#ready();
    const id = this.#options.newId();
    const clientId = this.#takesClientIds(venue) ? clientIdFor(id) : undefined;
    const reservedBefore = this.#options.reserved?.(assetsOf(order.side, order.pair).amount);
    const at = this.#options.now();
    const { clock } = venue.client;
    journal.recordIntent({
      id,
      ...venue.ref,
      symbol: order.symbol,
      quote: order.pair.quote,
      base: order.pair.base,
      side: order.side,
      amount: plainText(order.amount),
      rate: plainText(order.rate),
      quantity: plainText(order.quantity),
      fee: plainText(order.fee),
      ...(order.postOnly && { postOnly: order.postOnly }),
      at,
      ...(availableBefore && { availableBefore: plainText(availableBefore) }),
      ...(clientId !== undefined && { clientId }),
      ...(clock && { exchangeAt: Math.round(at + clock.offset) }),
      ...(clientId !== undefined && reservedBefore && { reservedBefore: plainText(reservedBefore) }),
    });
    this.#show(journal);
    this.#written.fire();
    return id;
  }

  /** The client id of a recorded order; undefined if it has none. */
  clientIdOf(id: string): string | undefined {
    return this.#own.find(({ intent }) => intent.id === id)?.intent.clientId;
  }

  /** Records the outcome of an order. If that fails, the order stays unknown, as on disk, and each `reread` retries. */
  async recordOutcome(id: string, outcome: SentOutcome): Promise<void> {
    if (outcome.kind === "accepted") this.#checkEcho(outcome.venue, this.clientIdOf(id), outcome.receipt);
    const record = recordOf(outcome);
    if (!(await this.#write((journal) => journal.recordOutcome(id, record))))
      this.#pendingOutcomes.set(id, record);
  }

  async recordCheck(id: string, finding: CheckFinding): Promise<void> {
    await this.#write((journal) => journal.recordCheck(id, finding));
  }

  /** Settles an unknown order, by a check or by the user's decision. False if that could not be recorded. */
  async settle(id: string, settlement: Settlement): Promise<boolean> {
    return await this.#write((journal) => journal.settle(id, settlement), true);
  }

  /**
   * Records the new parts of an exchange's reports, within the limits of the journal. If the disk fails, they count in
   * this window and are recorded later.
   */
  async recordReports(reports: readonly OrderReport[], venue: SignedIn): Promise<void> {
    let omittedRecords = 0;
    await this.#write((journal) => {
      const isRecorded = journal.recordReports(reports, venue.ref);
      ({ omittedRecords } = journal);
      return isRecorded;
    }, true);
    if (omittedRecords > 0 && !this.#hasOmitted) {
      this.#hasOmitted = true;
      this.#options.onReportsOmitted?.(venue);
    }
  }

  /** Records that a complete response, asked for at `askedAt` (ms), does not have these orders. */
  async recordAbsences(missing: readonly NamedOrder[], askedAt: number, venue: SignedIn): Promise<void> {
    await this.#write((journal) => journal.recordAbsences(missing, askedAt, venue.ref), true);
  }

  /** The keyed digest of an API key, 16 hex digits. Rejects if the disk fails. */
  async digestOf(apiKey: Secret): Promise<string> {
    return (await this.#ready()).digestOf(apiKey.reveal());
  }

  /**
   * Whether an account may use the key of this digest: it used it last, or has used none yet, which is recorded. A file
   * that cannot be read may name another key. Rejects if the journal cannot be opened.
   */
  async admitsKey({ id }: Account, digest: string): Promise<boolean> {
    const journal = await this.#ready();
    // Another window may have recorded it a moment ago.
    const last = journal.lastKeyOf(id) === digest ? digest : await this.lastKeyOf({ id });
    if (last !== undefined) return last === digest;
    if (journal.skippedLines.some(({ line }) => line === undefined)) return false;
    await this.recordAccountKey({ id }, digest);
    return true;
  }

  /** The digest of the key that an account used last, in any window. Rejects if the journal cannot be opened. */
  async lastKeyOf({ id }: Pick<Account, "id">): Promise<string | undefined> {
    await this.reread();
    return (await this.#ready()).lastKeyOf(id);
  }

  /** The id of the account, also a removed one, whose last key has this digest. Rejects like `lastKeyOf`. */
  async accountOfKey(digest: string): Promise<string | undefined> {
    await this.reread();
    return (await this.#ready()).accountOfKey(digest);
  }

  /** Records that an account uses the key of this digest from now on. False if it could not be recorded. */
  async recordAccountKey({ id }: Pick<Account, "id">, digest: string): Promise<boolean> {
    return await this.#write((journal) => journal.recordAccountKey(id, digest));
  }

  /** Records a step of a cancellation. Rejects with the cause if that could not be recorded. */
  async recordCancel(record: Parameters<OrderJournal["recordCancel"]>[0]): Promise<void> {
    const mayMoveMoney = record.step !== "requested";
    await this.#writeOrThrow((journal) => journal.recordCancel(record), mayMoveMoney);
  }

  /** Records a cost entered by hand. Rejects with the cause if that could not be recorded. */
  async recordCost(record: Parameters<OrderJournal["recordCost"]>[0]): Promise<void> {
    await this.#writeOrThrow((journal) => journal.recordCost(record));
  }

  /**
   * Records that the exchange lists an own order whose response was lost, which proves that it was accepted. False if
   * it could not be recorded.
   */
  async recordFound(id: string, orderId: string): Promise<boolean> {
    return await this.#write((journal) => journal.recordOutcome(id, { state: "accepted", orderId }), true);
  }

  /**
   * Records that the practice account is about to be reset. From then on, balances are no evidence of its unknown
   * orders. If this rejects, nothing may be reset.
   */
  async recordAccountReset(): Promise<void> {
    const journal = await this.#ready();
    journal.recordAccountReset(this.#options.newId());
    this.#show(journal);
    this.#written.fire();
  }

  async close(): Promise<void> {
    const journal = this.#journal;
    this.#journal = undefined;
    (await journal?.catch(() => undefined))?.close();
  }

  /** False if the record could not be written. */
  async #write(record: (journal: OrderJournal) => unknown, mayMoveMoney?: boolean): Promise<boolean> {
    return await this.#writeOrThrow(record, mayMoveMoney).then(
      () => true,
      () => false,
    );
  }

  async #writeOrThrow(record: (journal: OrderJournal) => unknown, mayMoveMoney = false): Promise<void> {
    try {
      const journal = await this.#ready();
      if (record(journal) === false) return;
      this.#show(journal);
      this.#written.fire();
      if (mayMoveMoney) this.#moved.fire();
    } catch (error) {
      const journal = await this.#journal?.catch(() => undefined);
      if (journal) this.#show(journal);
      this.#options.onError(error);
      throw error;
    }
  }

  #takesClientIds({ profile }: SignedIn): boolean {
    return (
      profile.features.clientOrderId !== undefined && !this.#withoutClientIds.has(profile.baseUrl.origin)
    );
  }

  /** Stops sending client ids to an exchange that returns a different one than it was sent. */
  #checkEcho(venue: SignedIn, sent: string | undefined, { clientId }: OrderReceipt): void {
    if (sent === undefined || clientId === undefined || clientId === sent) return;
    const { origin } = venue.profile.baseUrl;
    if (this.#withoutClientIds.has(origin)) return;
    this.#withoutClientIds.add(origin);
    this.#options.onClientIdIgnored?.(venue);
  }

  /** If the journal could not be opened, the next call retries. */
  async #ready(): Promise<OrderJournal> {
    const opening = (this.#journal ??= this.#options.open());
    try {
      return await opening;
    } catch (error) {
      if (this.#journal === opening) this.#journal = undefined;
      throw error;
    }
  }

  #show(journal: OrderJournal): void {
    const orders = journal.orders();
    if (orders !== this.#listed) this.#list(orders);
    this.#skippedLines = journal.skippedLines;
    this.#shown = journal;
    this.expireFutureRateLimits();
    this.#changed.fire();
    if (journal.replacedKeys === this.#replacedKeys) return;
    this.#replacedKeys = journal.replacedKeys;
    this.#keyReplaced.fire();
  }

  #list(orders: readonly OwnOrder[]): void {
    const attention = orders.filter(needsAttention);
    this.#listed = orders;
    this.#attention = attention.length;
    this.#own =
      attention.length === 0 ? orders : [...attention, ...orders.filter((order) => !needsAttention(order))];
    this.#rateLimits = orders.flatMap(rateLimitsOf);
  }
}

const NONE: readonly Order[] = [];

interface RateLimit {
  readonly origin: string;
  readonly event: OrderEvent;
  readonly retryAt: number;
}

function rateLimitsOf({ intent: { origin }, evidence }: OwnOrder): RateLimit[] {
  return evidence.flatMap((event) =>
    "retryAt" in event && event.retryAt !== undefined ? [{ origin, event, retryAt: event.retryAt }] : [],
  );
}

function keyOf({ id, at }: OrderEvent): string {
  return `${id} ${at}`;
}

function recordOf(outcome: SentOutcome): Outcome {
  if (outcome.kind === "accepted") {
    const { orderId, differences } = outcome.receipt;
    return { state: "accepted", orderId, ...(differences && { differences }) };
  }
  const { kind, error } = outcome;
  const retryAt = retryTime(error);
  if (kind === "rejected" && error instanceof RefusedError) {
    return { state: kind, code: error.code, message: error.serviceMessage, retryAt };
  }
  return { state: kind === "notSent" ? kind : "unknown", reason: outcomeReason(error), retryAt };
}

/** Retries a record whose failure was reported. False if it fails again. */
function attempt(write: () => boolean): boolean {
  try {
    return write();
  } catch {
    return false;
  }
}
