import { compareOrderIds, keyOf, type OrderName } from "../../market/order.ts";
import {
  applyReport,
  hasAllFills,
  isEndKnown,
  isUnlisted,
  type KnownOrder,
  newPartOf,
  type OrderReport,
  fullAmount,
  orderedAs,
} from "../../market/orderReport.ts";
import {
  type CancelRecord,
  type FillRecord,
  type PlacedOrderRecord,
  type ReportRecord,
  reportOf,
} from "./placedOrderRecords.ts";
import type { Order } from "./order.ts";
import type { OrderChain } from "./orderChains.ts";

/** The part of an order that comes from reports and cancellations. */
export type Reported = Omit<Order, "id" | "account" | "name" | "at" | "lastAt"> & {
  /** Times of the first and last record, ms. */
  readonly firstAt: number;
  readonly lastAt: number;
};

/**
 * Merges the reports, fills and cancellations of one order: of one exchange id, or of all ids of a continued order.
 */
export class ReportedOrder {
  readonly name: OrderName;
  readonly key: string;
  readonly records: PlacedOrderRecord[] = [];
  readonly otherIds = new Set<string>();
  /** Ids that the exchange continued under another one. */
  readonly #continued = new Set<string>();
  /** When the responses were asked for that show it as open, ms. */
  readonly openAt = new Set<number>();
  /** When the last such report of each id was recorded, ms. */
  readonly #lastOpenAt = new Map<string, number>();
  /** All ids of a continued order. */
  readonly #ids: readonly string[] | undefined;
  /** Our order as sent. Some exchanges report only the remaining amount. */
  #sent: KnownOrder | undefined;
  /** What was sent, merged with the records read so far. */
  #merged: KnownOrder | undefined;
  #read = 0;
  #reported: Reported | undefined;
  #cancel: CancelRecord | undefined;
  /** No list has had the order since its cancellation was taken. */
  #isGoneSinceCancel = false;
  #firstAt = Number.POSITIVE_INFINITY;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** `chain`: the members of a continued order. */
  constructor(name: OrderName, chain?: OrderChain) {
    const { venue, origin, account, quote, base, side, orderId } = name;
    this.name = { venue, origin, account, quote, base, side, orderId };
    this.key = keyOf(this.name);
    if (!chain) return;
    this.#ids = chain.ids;
    for (const { records } of chain.members) for (const record of records) this.add(record);
  }

  add(record: PlacedOrderRecord): void {
    this.records.push(record);
    this.#reported = undefined;
    if (record.kind === "report") this.#addIds(record);
    this.#firstAt = Math.min(this.#firstAt, record.at);
    this.#lastAt = Math.max(this.#lastAt, record.at);
  }

  #addIds({ orderId, otherIds = [], laterId, status, askedAt, at }: ReportRecord): void {
    const before = this.#lastId;
    if (laterId !== undefined) this.#continued.add(orderId);
    for (const id of otherIds) {
      this.otherIds.add(id);
      if (id !== laterId) this.#continued.add(id);
    }
    if (status === "open") {
      this.openAt.add(askedAt);
      this.#lastOpenAt.set(orderId, Math.max(at, this.#lastOpenAt.get(orderId) ?? at));
    }
    if (before === this.#lastId) return;
    this.#read = 0;
    this.#merged = undefined;
  }

  /** The id that the order has now: not continued under another one, and seen open last. */
  get #lastId(): string {
    const ids = this.#ids ?? [this.name.orderId];
    const rest = ids.filter((id) => !this.#continued.has(id));
    const candidates = rest.length > 0 ? rest : ids;
    const at = (id: string): number => this.#lastOpenAt.get(id) ?? Number.NEGATIVE_INFINITY;
    return candidates.reduce(
      (last, id) => (at(id) >= at(last) ? id : last),
      candidates[0] ?? this.name.orderId,
    );
  }

  /** Whether this was built from the same chain. */
  isOf({ ids, members }: OrderChain): boolean {
    const count = members.reduce((sum, { records }) => sum + records.length, 0);
    return count === this.records.length && String(ids) === String(this.#ids);
  }

  /** Sets our order as sent; undefined for an order placed elsewhere. */
  setSent(sent: KnownOrder | undefined): void {
    if (sent === this.#sent) return;
    this.#sent = sent;
    this.#read = 0;
    this.#merged = this.#reported = undefined;
  }

  /** Replaced only when a record is added. */
  get reported(): Reported {
    return (this.#reported ??= this.#report());
  }

  /** The part of a report that is new; undefined if nothing is. */
  newPartOf(report: OrderReport): OrderReport | undefined {
    // Also merges the records that were added since.
    const { isReported } = this.reported;
    const merged = this.#merged;
    if (!merged || !isReported) return report;
    const inOrder = inSequence(report, merged);
    if (report.goneAt !== undefined && this.#isCancelTaken && !this.#isGoneSinceCancel) return inOrder;
    const newPart = newPartOf(merged, this.#normalized(inOrder));
    return newPart && { ...inOrder, fills: newPart.fills };
  }

  get #isCancelTaken(): boolean {
    return this.#cancel?.step === "taken" || this.#cancel?.step === "notOpen";
  }

  #report(): Reported {
    this.#readRecords();
    const [merged, cancel] = [this.#merged, this.#cancel];
    // An order that is no longer listed after its cancellation has ended.
    const isEnded = merged && cancel && this.#isGoneSinceCancel && isUnlisted(merged);
    const known = isEnded ? { ...merged, closedAt: cancel.at } : merged;
    const ids = this.#ids ?? [this.name.orderId];
    return {
      ids,
      currentId: this.#lastId,
      known,
      isReported: this.records.some(({ kind }) => kind !== "cancel"),
      isComplete: known !== undefined && isEndKnown(known) && hasAllFills(known),
      cancel,
      firstAt: this.#firstAt,
      lastAt: this.#lastAt,
    };
  }

  /**
   * Rewrites a report under any id of this order as one under its name. If that id was continued, its end is not the
   * end of the order.
   */
  #normalized(report: OrderReport): OrderReport & Partial<Pick<KnownOrder, "leastOpen">> {
    const { orderId, side } = this.name;
    const ids = this.#ids;
    const reportedAmount = fullAmount(report);
    // A later id may cover only the remainder.
    const ordered =
      (this.#sent && fullAmount(this.#sent)) ??
      (ids && report.orderId !== ids[0] ? undefined : reportedAmount);
    const amounts = {
      ...orderedAs(side, ordered),
      ...(report.status === "open" && reportedAmount && { leastOpen: reportedAmount }),
    };
    if (!ids) return ordered === reportedAmount ? report : { ...report, ...amounts };
    const otherIds = new Set([...ids, report.orderId, ...(report.otherIds ?? [])]);
    otherIds.delete(orderId);
    const named = { ...report, orderId, otherIds: [...otherIds].toSorted(compareOrderIds), ...amounts };
    if (report.orderId === this.#lastId) return named;
    const status = report.status === "open" ? report.status : undefined;
    return { ...named, status, remaining: undefined, closedAt: undefined, goneAt: undefined };
  }

  #readRecords(): void {
    if (this.#read === 0) {
      this.#merged = this.#sent;
      this.#cancel = undefined;
      this.#isGoneSinceCancel = false;
    }
    const fills: FillRecord[] = [];
    const reportIn = (record: Parameters<typeof reportOf>[0]): OrderReport =>
      this.#normalized(reportOf(record));
    const count = (): void => void (this.#merged = applyFills(this.#merged, fills.splice(0).map(reportIn)));
    const added = this.records.slice(this.#read);
    this.#read = this.records.length;
    for (const record of added.toSorted((one, other) => one.at - other.at)) {
      if (record.kind === "fill") fills.push(record);
      else if (record.kind === "report") {
        count();
        this.#merged = applyReport(this.#merged, reportIn(record));
        if (record.goneAt !== undefined && this.#isCancelTaken) this.#isGoneSinceCancel = true;
      } else if (!this.#cancel || this.#cancel.at <= record.at) {
        this.#cancel = record;
        this.#isGoneSinceCancel = false;
      }
    }
    count();
  }
}

/** Adjusts the report's times to follow those it may revoke: setting the clock back must not reorder them. */
function inSequence(report: OrderReport, { openAt, goneAt }: KnownOrder): OrderReport {
  if (report.goneAt !== undefined) return { ...report, goneAt: Math.max(report.goneAt, (openAt ?? 0) + 1) };
  return { ...report, askedAt: Math.max(report.askedAt, (goneAt ?? 0) + 1) };
}

/**
 * Equivalent to applying the fills one by one, but faster for thousands of fills, because each single step compares
 * with all earlier fills. They are applied in one step if their order does not matter: every fill is distinct and none
 * exceeds the order.
 */
function applyFills(known: KnownOrder | undefined, reports: readonly OrderReport[]): KnownOrder | undefined {
  const [first] = reports;
  if (!first) return known;
  const fills = reports.flatMap((report) => report.fills);
  const isAlike = reports.every(
    ({ symbol, clientId }) => symbol === first.symbol && clientId === first.clientId,
  );
  if (isAlike && new Set(fills.map(({ id }) => id)).size === fills.length) {
    const after = applyReport(known, { ...first, fills });
    const contradictions = known?.contradictions.length ?? 0;
    if (after.surplus.length === 0 && after.contradictions.length === contradictions) return after;
  }
  return reports.reduce<KnownOrder | undefined>(applyReport, known);
}
