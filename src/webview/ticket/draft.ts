import { amountDecimals } from "../../market/numbers/amountDecimals.ts";
import { type Decimal, decimalsOf, parseDecimal, plainText, truncate } from "../../market/numbers/decimal.ts";
import { amountForQuantity, estimateFill, type OrderRules, type Side } from "../../market/order.ts";
import { hasFigures, isUnattended } from "../../protocol/draftFigures.ts";
import type { FormDraft, TicketFill } from "../../protocol/ticket.ts";

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
 * last leads, and the other follows, also when the rate changes. Drafts of other pairs are kept aside until their pair
 * is chosen again.
 */
export class TicketDraft {
  readonly #options: DraftOptions;
  #kept: KeptDraft;
  /** By symbol. */
  readonly #others: Map<string, KeptDraft>;

  /** `kept` is the state of an earlier page, as far as it is readable; `others` are its drafts of other pairs. */
  constructor(
    options: DraftOptions,
    kept: Partial<KeptDraft> | undefined,
    others: readonly KeptDraft[] = [],
  ) {
    this.#options = options;
    // Figures without a known exchange are dropped.
    this.#kept = { ...emptyDraft(options.newId()), ...(kept?.exchange === undefined ? {} : kept) };
    this.#others = new Map(others.map((draft) => [draft.symbol, draft]));
  }

  get state(): KeptDraft {
    return this.#kept;
  }

  /** The drafts of other pairs. */
  get others(): readonly KeptDraft[] {
    return [...this.#others.values()];
  }

  /** The draft in the form of a message. */
  get message(): FormDraft {
    const { submitted: _, ...draft } = this.#kept;
    return draft;
  }

  /** The ticket is on this exchange now: drafts for another one end, and only the pair stays. */
  moveTo(exchange: string): void {
    if (exchange === "" || exchange === this.#kept.exchange) return;
    if (this.#kept.exchange === "") {
      this.#kept = { ...this.#kept, exchange };
      return;
    }
    this.#others.clear();
    this.#kept = { ...emptyDraft(this.#options.newId()), exchange, symbol: this.#kept.symbol };
  }

  /** The other side is another draft: its amount is of another asset. The rate stays. */
  chooseSide(side: Side): void {
    if (side === this.#kept.side) return;
    this.#set({ side, amount: "", share: "", quantity: "", leads: "amount" });
  }

  /**
   * Each pair has a draft of its own: another pair's figures are kept aside, and the new pair has what was typed for it
   * before, else nothing. Figures that were typed before any pair was chosen are the first pair's.
   */
  choosePair(symbol: string): void {
    const { exchange, side, postOnly, preparedBy, symbol: before } = this.#kept;
    if (symbol === before) return;
    const earlier = this.#others.get(symbol);
    this.#others.delete(symbol);
    if (before === "" && !earlier) return this.#set({ symbol });
    // Somebody else's figures do not wait for the person.
    if (hasFigures(this.#kept) && !isUnattended(preparedBy) && before !== "")
      this.#others.set(before, this.#kept);
    this.#kept = earlier ?? { ...emptyDraft(this.#options.newId()), exchange, side, symbol, postOnly };
  }

  /** The last price, which is the first rate of a new pair. */
  takeLast(last: string | undefined): void {
    const { rate, rateIsTyped } = this.#kept;
    if (rate !== "" || rateIsTyped || last === undefined || parseDecimal(last) === undefined) return;
    this.#set({ rate: last });
  }

  /** Computes the following side again, because the rules of the pair, or its assets, have become known. */
  follow(): void {
    const { amount, quantity } = this.#followed(this.#kept);
    if (amount !== this.#kept.amount || quantity !== this.#kept.quantity) this.#set({});
  }

  setRate(rate: string): void {
    this.#set({ rate, rateIsTyped: true });
  }

  setAmount(amount: string): void {
    this.#set({ amount, leads: "amount", share: "" });
  }

  setQuantity(quantity: string): void {
    this.#set({ quantity, leads: "quantity", share: "" });
  }

  /** A share of the available balance of `asset`, "0.25" to "1"; "1" is exact to the last digit it can have. */
  setShare(share: string, available: Decimal, asset: string): void {
    const amount = shareOf(share, available, asset, scaleOf(this.#kept.side, this.#options.rules()));
    this.#set({ amount, leads: "amount", share });
  }

  /** Whether the order may only wait in the book. */
  setPostOnly(postOnly: boolean): void {
    this.#set({ postOnly });
  }

  /** Figures with an amount are of the one who fills them in. A rate alone, from a chart, changes no author. */
  fillIn({ side, symbol, amount, rate, postOnly, preparedBy }: TicketFill): void {
    if (symbol !== undefined) this.choosePair(symbol);
    if (side !== undefined) this.chooseSide(side);
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
    const ended = [this.#kept, ...this.others].find((draft) => draft.id === id);
    if (!ended) return;
    const { exchange, side, symbol, rate, postOnly } = ended;
    const { submitted: _, ...figures } = ended;
    const left = hasBecomeOrder ? { ...emptyDraft(""), exchange, side, symbol, rate, postOnly } : figures;
    const next = { ...left, id: this.#options.newId() };
    if (ended === this.#kept) this.#kept = next;
    else if (hasBecomeOrder) this.#others.delete(symbol);
    else this.#others.set(symbol, next);
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

/** The most decimals that an exchange takes of an amount; undefined if it is not known. */
export function scaleOf(side: Side, { quantityPlaces, amountPlaces }: OrderRules): number | undefined {
  return side === "sell" ? quantityPlaces : amountPlaces;
}

/**
 * A share of a balance, "0.25" to "1", cut to `scale` decimals. Without a scale it is cut to the decimals of the balance, or
 * to those that are usual for its asset if the balance has fewer, and "1" is exact to the last digit.
 */
export function shareOf(
  share: string,
  available: Decimal,
  asset: string | undefined,
  scale: number | undefined,
): string {
  const places = scale ?? Math.max(amountDecimals(asset), decimalsOf(plainText(available)));
  return plainText(truncate(available.times(share), places));
}

function emptyDraft(id: string): KeptDraft {
  return {
    id,
    exchange: "",
    side: "buy",
    symbol: "",
    amount: "",
    rate: "",
    rateIsTyped: false,
    quantity: "",
    leads: "amount",
    share: "",
    postOnly: false,
  };
}
