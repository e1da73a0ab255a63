import * as vscode from "vscode";
import type { BookState } from "../../desk/feeds/bookFeed.ts";
import { Throttle } from "../../desk/time/throttle.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { openOrdersOf } from "../../desk/tracking/openOrders.ts";
import type { BookLevel } from "../../market/book/book.ts";
import { Decimal, plainText } from "../../market/numbers/decimal.ts";
import type { Side } from "../../market/order.ts";
import { type FormBook, type FormLevel, SHOWN_LEVELS } from "../../protocol/ticketBook.ts";
import { shownAmounts } from "../text/amountText.ts";
import { hourCycle } from "../text/hourCycle.ts";
import { bookProblemText } from "./bookText.ts";

/** A page draws at most once in this time, ms. */
const FRAME_MS = 16;

/** Sends the order book to the ticket page: a snapshot to a new page, then at most one message per frame. */
export class TicketBook extends Disposable {
  readonly #desk: Desk;
  readonly #send: (book: FormBook) => void;
  #isPageReady = false;

  constructor(desk: Desk, send: (book: FormBook) => void) {
    super();
    this.#desk = desk;
    this.#send = send;
    const changes = this.register(
      new Throttle<"book" | "orders">({
        timers: desk.timers,
        everyMs: () => FRAME_MS,
        deliver: () => this.#sendBook(),
      }),
    );
    this.register(
      desk.book.onDidChange(() => changes.add(["book"])),
      desk.orders.onDidChange(() => changes.add(["orders"])),
      () => desk.book.show(undefined),
    );
  }

  setPage(isReady: boolean): void {
    this.#isPageReady = isReady;
    if (isReady) this.#sendBook();
  }

  #sendBook(): void {
    const { state } = this.#desk.book;
    if (this.#isPageReady && state) this.#send(this.#formBook(state));
  }

  #formBook({ symbol, book, problem, trades }: BookState): FormBook {
    const venue = this.#desk.venue.venue?.name ?? "";
    const own = this.#ownRates(symbol);
    const [ask] = book?.asks ?? [];
    return {
      symbol,
      asks: formLevels(book?.asks, own.sell),
      bids: formLevels(book?.bids, own.buy),
      spread:
        book?.spread && ask
          ? { quote: plainText(book.spread), percent: percentOf(book.spread, ask.price) }
          : undefined,
      trades: trades?.slice(0, SHOWN_LEVELS).map(({ at, rate, size, side }) => ({
        at,
        rate: plainText(rate),
        size: plainText(size),
        side,
      })),
      note: problem
        ? bookProblemText(problem, shownAmounts(), venue)
        : book
          ? ""
          : vscode.l10n.t("Loading the order book…"),
      isOld: problem !== undefined,
      hourCycle: hourCycle(),
    };
  }

  /** Rates of the user's open orders of a pair, as far as the exchange reports them. */
  #ownRates(symbol: string): Readonly<Record<Side, ReadonlySet<string>>> {
    const { venue, tickers, orders } = this.#desk;
    const pair = tickers.ticker(symbol)?.pair;
    // A stop order is not in the book until it is triggered.
    const open = (pair && venue.signedIn ? openOrdersOf(pair, venue.signedIn, orders) : []).filter(
      ({ trigger }) => trigger === undefined,
    );
    const ratesOf = (side: Side): ReadonlySet<string> =>
      new Set(open.flatMap((order) => (order.side === side && order.rate ? [plainText(order.rate)] : [])));
    return { buy: ratesOf("buy"), sell: ratesOf("sell") };
  }
}

function formLevels(levels: readonly BookLevel[] = [], own: ReadonlySet<string>): FormLevel[] {
  return levels.slice(0, SHOWN_LEVELS).map(({ price, size }) => {
    const text = plainText(price);
    return { price: text, size: plainText(size), isOwn: own.has(text) };
  });
}

function percentOf(part: Decimal, whole: Decimal): string {
  return plainText(part.times("100").div(whole).round(2, Decimal.roundHalfUp));
}
