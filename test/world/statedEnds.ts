import type { HttpRequest } from "../../src/http/transport.ts";
import type { PracticeOrder } from "../../src/practice/account/order.ts";
import { bookId } from "./listTrouble.ts";
import { cancelledIdOf, symbolOf } from "./wire.ts";

/** The parts of an account that these rules need. */
interface Books {
  readonly id: string;
  readonly open: readonly string[];
  book(orderId: string): PracticeOrder | undefined;
}

/** A time by the computer's clock, ms, and by the same clock if it were never set back. */
export interface Moment {
  readonly at: number;
  readonly steadyAt: number;
}

/** What the windows were answered about one order. Times of the computer's clock, ms. */
interface Answers {
  /** A cancellation was accepted, by the clock that is never set back: records continue from the newest one. */
  acceptedAt?: number;
  /** Its end was stated: by its info, or by a response that lacks it long after its cancellation was accepted. */
  endedAt?: number;
  /** Lists of one window that show it since: their number, and when the last of them was requested. */
  readonly shown: Map<number, { readonly count: number; readonly at: number }>;
}

/** As in docs/orders.md, ms: an exchange may take this long to cancel, and two lists this far apart contradict an end. */
const CANCELLING_MS = 30_000;
const SETTLING_MS = 2_000;
/** Two lists take an end back. A list may have been planned before the end, and the four checks of each unknown order record none. */
const SURELY_CONTRADICTED = 12;

/**
 * Which open orders may be shown as ended, because their exchange stated an end that is not true. That holds until lists
 * show them, by the table in docs/orders.md.
 */
export class StatedEnds {
  readonly #orders = new Map<string, Answers>();

  /** A window received an undamaged response in time. `asked`: when its request began. */
  answered(
    pid: number,
    books: Books,
    request: HttpRequest,
    { text, asked, now }: { readonly text: string; readonly asked: Moment; readonly now: Moment },
  ): void {
    const cancelled = cancelledIdOf(request);
    if (cancelled !== undefined && /^\{"error":(?:0|21)\b/.test(text))
      this.#answersOf(books.id, cancelled).acceptedAt = now.steadyAt;
    if (request.label === "orderInfo") {
      const id = request.url.searchParams.get("id") ?? /"id":"?(\d+)/.exec(String(request.body))?.[1] ?? "";
      if (/"status":"cancelled"/.test(text)) this.#ended(books.id, id, now.at);
      if (text.startsWith('{"error":24')) this.#lacked(books.id, id, asked, now);
    }
    if (request.label !== "openOrders" || !text.startsWith('{"error":0,')) return;
    const rows: readonly { readonly id: string | number }[] = JSON.parse(text).result;
    const listed = new Set(rows.map(({ id }) => bookId(String(id))));
    for (const id of listed) this.#shown(pid, books.id, id, asked.at);
    const symbol = symbolOf(request);
    for (const id of books.open)
      if (!listed.has(id) && books.book(id)?.placed.symbol === symbol) this.#lacked(books.id, id, asked, now);
  }

  /** Whether a window may show an open order as ended. */
  mayBeShown(pid: number, account: string, orderId: string): boolean {
    const { endedAt, shown } = this.#answersOf(account, orderId);
    return endedAt !== undefined && (shown.get(pid)?.count ?? 0) < SURELY_CONTRADICTED;
  }

  #ended(account: string, orderId: string, at: number): void {
    const answers = this.#answersOf(account, orderId);
    answers.endedAt = at;
    answers.shown.clear();
  }

  #lacked(account: string, orderId: string, asked: Moment, now: Moment): void {
    const { acceptedAt } = this.#answersOf(account, orderId);
    if (acceptedAt !== undefined && asked.steadyAt >= acceptedAt + CANCELLING_MS)
      this.#ended(account, orderId, now.at);
  }

  #shown(pid: number, account: string, orderId: string, askedAt: number): void {
    const { endedAt, shown } = this.#answersOf(account, orderId);
    const { count, at } = shown.get(pid) ?? { count: 0, at: Number.NEGATIVE_INFINITY };
    // If the clock was set back, a list counts once it is newer again.
    if (endedAt !== undefined && askedAt > endedAt && askedAt - at > SETTLING_MS)
      shown.set(pid, { count: count + 1, at: askedAt });
  }

  #answersOf(account: string, orderId: string): Answers {
    const key = `${account} ${bookId(orderId)}`;
    const answers = this.#orders.get(key) ?? { shown: new Map() };
    this.#orders.set(key, answers);
    return answers;
  }
}
