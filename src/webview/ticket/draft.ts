import { amountDecimals } from "../../market/numbers/amountDecimals.ts";
import { Decimal, decimalsOf, parseDecimal, plainText, truncate } from "../../market/numbers/decimal.ts";
import { amountForQuantity, estimateFill, type OrderRules, type Side } from "../../market/order.ts";
import { type FormDraft, isUnattended, type TicketFill } from "../../protocol/ticket.ts";

/** The part of a draft that is signed and sent. */
const SENT = ["side", "symbol", "amount", "rate", "postOnly"] as const;
type Sent = Pick<FormDraft, (typeof SENT)[number]>;

/** The part of a draft that the page keeps, also while the page is hidden. */
export interface KeptDraft extends FormDraft {
  /** The figures with which the draft was submitted, if it was. */
  readonly submitted?: Sent | undefined;
}

/** The data that a draft is made with. */
interface DraftOptions {
  readonly newId: () => string;
  /** The rules of the chosen pair, as far as they are known now. */
  readonly rules: () => OrderRules;
  /** The quote asset of a symbol; undefined while the pair is not listed. */
  readonly quoteOf: (symbol: string) => string | undefined;
}

/**
 * The draft in the ticket: one pair on one exchange. Amount and quantity are two sides of one figure: the one typed
 * last leads, and the other follows, also when the rate changes.
 */
export class TicketDraft {
  readonly #options: DraftOptions;
  #kept: KeptDraft;
  /** The rate will become the last price, because no rate was given since the pair was chosen. */
  #awaitsLast: boolean;

  /** `kept` is the state of an earlier page, as far as it is readable. */
  constructor(options: DraftOptions, kept: Partial<KeptDraft> | undefined) {
    this.#options = options;
    // Figures without a known exchange are dropped.
    this.#kept = { ...emptyDraft(options.newId()), ...(kept?.exchange === undefined ? {} : kept) };
    this.#awaitsLast = this.#kept.rate === "";
  }

  get state(): KeptDraft {
    return this.#kept;
  }

  /** The draft in the form of a message. */
  get message(): FormDraft {
    const { submitted: _, ...draft } = this.#kept;
    return draft;
  }

  /** Takes the draft of a closed ticket, unless it belongs to another exchange. */
  restore(draft: FormDraft): void {
    const { exchange } = this.#kept;
    if (exchange !== "" && draft.exchange !== exchange) return;
    this.#kept = draft;
    this.#awaitsLast = draft.rate === "";
  }

  /** The ticket is on this exchange now: a draft for another one ends, and only its pair stays. */
  moveTo(exchange: string): void {
    if (exchange === "" || exchange === this.#kept.exchange) return;
    if (this.#kept.exchange === "") {
      this.#kept = { ...this.#kept, exchange };
      return;
    }
    this.#kept = { ...emptyDraft(this.#options.newId()), exchange, symbol: this.#kept.symbol };
    this.#awaitsLast = true;
  }

  /** The other side is another draft: its amount is of another asset. The rate stays. */
  chooseSide(side: Side): void {
    if (side === this.#kept.side) return;
    this.#set({ side, amount: "", share: "", quantity: "", leads: "amount" });
  }

  /** Another pair takes its own last price. The amount of a bid stays only in the same quote asset: `sameQuote`. */
  choosePair(symbol: string, sameQuote: boolean): void {
    if (symbol === this.#kept.symbol) return;
    const { side, leads } = this.#kept;
    const staysTyped = side === "buy" && leads === "amount" && sameQuote;
    const { amount, share } = staysTyped ? this.#kept : { amount: "", share: "" };
    this.#awaitsLast = true;
    this.#set({ symbol, rate: "", amount, share, quantity: "", leads: "amount" });
  }

  /** The last price, which is the first rate of a new pair. */
  takeLast(last: string | undefined): void {
    if (!this.#awaitsLast || last === undefined || parseDecimal(last) === undefined) return;
    this.setRate(last);
  }

  /** Computes the following side again, because the rules of the pair, or its assets, have become known. */
  follow(): void {
    const { amount, quantity } = this.#followed(this.#kept);
    if (amount !== this.#kept.amount || quantity !== this.#kept.quantity) this.#set({});
  }

  setRate(rate: string): void {
    this.#awaitsLast = false;
    this.#set({ rate });
  }

  setAmount(amount: string): void {
    this.#set({ amount, leads: "amount", share: "" });
  }

  setQuantity(quantity: string): void {
    this.#set({ quantity, leads: "quantity", share: "" });
  }

  /** A share of the available balance of `asset`, "0.25" to "1"; "1" is exact to the last digit it can have. */
  setShare(share: string, available: Decimal, asset: string): void {
    const amount = shareOf(share, available, asset);
    const { side } = this.#kept;
    const places = this.#options.rules().quantityPlaces;
    // An ask has the decimals of the base asset at most. A balance may have more.
    const cut = side === "sell" ? plainText(truncate(new Decimal(amount), places)) : amount;
    this.#set({ amount: cut, leads: "amount", share });
  }

  /** Whether the order may only wait in the book. */
  setPostOnly(postOnly: boolean): void {
    this.#set({ postOnly });
  }

  /** Figures with an amount are of the one who fills them in. A rate alone, from a chart, changes no author. */
  fillIn({ side, symbol, amount, rate, postOnly, preparedBy }: TicketFill, sameQuote: boolean): void {
    if (side !== undefined) this.chooseSide(side);
    if (symbol !== undefined) this.choosePair(symbol, sameQuote);
    if (amount !== undefined) this.setAmount(amount);
    if (rate !== undefined) this.setRate(rate);
    if (postOnly !== undefined) this.setPostOnly(postOnly);
    if (amount !== undefined) this.#set({ preparedBy });
  }

  /** Removes figures that the person did not type. The pair stays. */
  withdraw(): void {
    const { preparedBy, exchange, symbol } = this.#kept;
    if (!isUnattended(preparedBy)) return;
    this.#kept = { ...emptyDraft(this.#options.newId()), exchange, symbol };
    this.#awaitsLast = true;
  }

  /** The draft is submitted under its id. After an edit it is another draft. */
  submit(): FormDraft {
    const { side, symbol, amount, rate, postOnly } = this.#kept;
    this.#kept = { ...this.#kept, submitted: { side, symbol, amount, rate, postOnly } };
    return this.message;
  }

  /**
   * The draft of this id is used up. The typed figures are a new draft; if it became an order, the fields are
   * emptied.
   */
  end(id: string, hasBecomeOrder: boolean): void {
    if (id !== this.#kept.id) return;
    const { exchange, side, symbol, rate, postOnly } = this.#kept;
    const left = hasBecomeOrder
      ? { ...emptyDraft(""), exchange, side, symbol, rate, postOnly }
      : this.message;
    this.#kept = { ...left, id: this.#options.newId() };
  }

  #set(changes: Partial<FormDraft>): void {
    const changed = this.#followed({ ...this.#kept, ...changes });
    const { submitted } = changed;
    const isOther = submitted !== undefined && SENT.some((part) => submitted[part] !== changed[part]);
    this.#kept = isOther ? { ...changed, id: this.#options.newId(), submitted: undefined } : changed;
  }

  /** The draft with the following side computed again; "" if the draft does not determine it. */
  #followed(draft: KeptDraft): KeptDraft {
    const { quoteOf } = this.#options;
    const [rules, quote] = [this.#options.rules(), quoteOf(draft.symbol)];
    const rate = parseDecimal(draft.rate);
    const price = rate?.gt("0") ? rate : undefined;
    if (draft.leads === "quantity") {
      const quantity = parseDecimal(draft.quantity);
      if (!quantity || !price) return { ...draft, amount: "" };
      const amount = amountForQuantity({ side: draft.side, quantity, rate: price }, rules, quote);
      return { ...draft, amount: plainText(amount) };
    }
    const amount = parseDecimal(draft.amount);
    const fill = amount && price && estimateFill({ side: draft.side, amount, rate: price }, rules, quote);
    return { ...draft, quantity: fill ? plainText(fill.quantity) : "" };
  }
}

/**
 * A share of an amount, "0.25" to "1", cut to the decimals of its asset, or to its own if it is below one and has
 * more. "1" is exact to the last digit.
 */
export function shareOf(share: string, available: Decimal, asset: string | undefined): string {
  const own = available.lt("1") ? decimalsOf(plainText(available)) : 0;
  const places = Math.max(amountDecimals(asset), own);
  return plainText(share === "1" ? available : truncate(available.times(share), places));
}

function emptyDraft(id: string): KeptDraft {
  return {
    id,
    exchange: "",
    side: "buy",
    symbol: "",
    amount: "",
    rate: "",
    quantity: "",
    leads: "amount",
    share: "",
    postOnly: false,
  };
}
