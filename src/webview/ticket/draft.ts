import { amountDecimals } from "../../market/numbers/amountDecimals.ts";
import { type Decimal, decimalsOf, parseDecimal, plainText, truncate } from "../../market/numbers/decimal.ts";
import { amountForQuantity, estimateFill, type OrderRules, type Side } from "../../market/order.ts";
import { hasFigures, isUnattended } from "../../protocol/draftFigures.ts";
import type { FormDraft, TicketFill } from "../../protocol/ticket.ts";

/** The fields of a draft that are signed and sent. */
const SENT = ["side", "symbol", "amount", "rate", "postOnly"] as const;
type Sent = Pick<FormDraft, (typeof SENT)[number]>;

/** A draft as stored in the page's state, also while the page is hidden. */
export interface StoredDraft extends FormDraft {
  /** The values with which the draft was submitted, if it was. */
  readonly submitted?: Sent | undefined;
}

interface DraftOptions {
  readonly newId: () => string;
  /** Rules of the chosen pair, as far as they are known. */
  readonly rules: () => OrderRules;
  /** The quote asset of a symbol; undefined while the pair is not listed. */
  readonly quoteOf: (symbol: string) => string | undefined;
}

/**
 * The draft in the ticket, for one pair in one account. Of amount and quantity, the one typed last sizes it and the other is
 * computed, even when the rate changes. Drafts of other pairs and accounts are set aside until these are chosen again.
 */
export class TicketDraft {
  readonly #options: DraftOptions;
  #current: StoredDraft;
  /** By account and symbol. */
  readonly #others: Map<string, StoredDraft>;

  /** `stored` is the readable part of an earlier page's state; `others` are its drafts of other pairs. */
  constructor(
    options: DraftOptions,
    stored: Partial<StoredDraft> | undefined,
    others: readonly StoredDraft[] = [],
  ) {
    this.#options = options;
    // Figures for an unknown account are dropped.
    this.#current = { ...emptyDraft(options.newId()), ...(stored?.account === undefined ? {} : stored) };
    this.#others = new Map(others.map((draft) => [keyOf(draft), draft]));
  }

  get state(): StoredDraft {
    return this.#current;
  }

  get others(): readonly StoredDraft[] {
    return [...this.#others.values()];
  }

  /** The draft as sent to the host. */
  get message(): FormDraft {
    const { submitted: _, ...draft } = this.#current;
    return draft;
  }

  /**
   * Switches the ticket to an account, by id. Each account has its own drafts: those of another one are set aside until
   * it is used again. Returns whether another draft is shown.
   */
  moveTo(account: string): boolean {
    const { account: before, symbol } = this.#current;
    if (account === before) return false;
    if (before === "") {
      this.#current = { ...this.#current, account };
      return false;
    }
    this.#setAside();
    this.#current = this.#takeOther(account, symbol) ?? {
      ...emptyDraft(this.#options.newId()),
      account,
      symbol,
    };
    return true;
  }

  /** Switching sides starts another draft, because the amount is in another asset. The rate stays. */
  chooseSide(side: Side): void {
    if (side === this.#current.side) return;
    this.#set({ side, amount: "", share: "", quantity: "", sizedBy: "amount" });
  }

  /**
   * Each pair has its own draft: the current one is set aside, and the new pair's earlier draft, if any, is restored.
   * Figures typed before any pair was chosen belong to the first pair.
   */
  choosePair(symbol: string): void {
    const { account, side, postOnly, symbol: before } = this.#current;
    if (symbol === before) return;
    const earlier = this.#takeOther(account, symbol);
    if (before === "" && !earlier) return this.#set({ symbol });
    this.#setAside();
    this.#current = earlier ?? { ...emptyDraft(this.#options.newId()), account, side, symbol, postOnly };
  }

  /** Presets the last price as the rate of a new pair. */
  takeLast(last: string | undefined): void {
    const { rate, rateIsTyped } = this.#current;
    if (rate !== "" || rateIsTyped || last === undefined || parseDecimal(last) === undefined) return;
    this.#set({ rate: last });
  }

  /** Recomputes the dependent field. Call when the pair's rules or assets have become known. */
  follow(): void {
    const { amount, quantity } = this.#followed(this.#current);
    if (amount !== this.#current.amount || quantity !== this.#current.quantity) this.#set({});
  }

  setRate(rate: string): void {
    this.#set({ rate, rateIsTyped: true });
  }

  setAmount(amount: string): void {
    this.#set({ amount, sizedBy: "amount", share: "" });
  }

  setQuantity(quantity: string): void {
    this.#set({ quantity, sizedBy: "quantity", share: "" });
  }

  /**
   * Sets the amount to a share of the available balance of `asset`, "0.25" to "1"; "1" is exact to the last valid digit.
   */
  setShare(share: string, available: Decimal, asset: string): void {
    const amount = shareOfBalance(
      share,
      available,
      asset,
      scaleOf(this.#current.side, this.#options.rules()),
    );
    this.#set({ amount, sizedBy: "amount", share });
  }

  setPostOnly(postOnly: boolean): void {
    this.#set({ postOnly });
  }

  /**
   * Fills in figures. With an amount, the draft is marked as prepared by whoever fills it in. A rate alone, as from a
   * chart, does not change that mark.
   */
  fillIn({ side, symbol, amount, rate, postOnly, preparedBy }: TicketFill): void {
    if (symbol !== undefined) this.choosePair(symbol);
    if (side !== undefined) this.chooseSide(side);
    if (amount !== undefined) this.setAmount(amount);
    if (rate !== undefined) this.setRate(rate);
    if (postOnly !== undefined) this.setPostOnly(postOnly);
    if (amount !== undefined) this.#set({ preparedBy });
  }

  /** Removes figures that the user did not type. The pair stays. */
  withdraw(): void {
    const { preparedBy, account, symbol } = this.#current;
    if (!isUnattended(preparedBy)) return;
    this.#current = { ...emptyDraft(this.#options.newId()), account, symbol };
  }

  /** Submits the draft under its id. Editing it afterwards starts a new draft. */
  submit(): FormDraft {
    const { side, symbol, amount, rate, postOnly } = this.#current;
    this.#current = { ...this.#current, submitted: { side, symbol, amount, rate, postOnly } };
    return this.message;
  }

  /** Ends the draft of this id. Its figures become a new draft, or are cleared if it became an order. */
  end(id: string, hasBecomeOrder: boolean): void {
    const ended = [this.#current, ...this.others].find((draft) => draft.id === id);
    if (!ended) return;
    const { account, side, symbol, rate, postOnly } = ended;
    const { submitted: _, ...figures } = ended;
    const left = hasBecomeOrder ? { ...emptyDraft(""), account, side, symbol, rate, postOnly } : figures;
    const next = { ...left, id: this.#options.newId() };
    if (ended === this.#current) this.#current = next;
    else if (hasBecomeOrder) this.#others.delete(keyOf(ended));
    else this.#others.set(keyOf(ended), next);
  }

  /** Figures without a pair, or filled in by someone else, are not set aside. */
  #setAside(): void {
    const { preparedBy, symbol } = this.#current;
    if (hasFigures(this.#current) && !isUnattended(preparedBy) && symbol !== "")
      this.#others.set(keyOf(this.#current), this.#current);
  }

  #takeOther(account: string, symbol: string): StoredDraft | undefined {
    const key = keyOf({ account, symbol });
    const draft = this.#others.get(key);
    this.#others.delete(key);
    return draft;
  }

  #set(changes: Partial<FormDraft>): void {
    const changed = this.#followed({ ...this.#current, ...changes });
    const { submitted } = changed;
    const isOther = submitted !== undefined && SENT.some((part) => submitted[part] !== changed[part]);
    this.#current = isOther ? { ...changed, id: this.#options.newId(), submitted: undefined } : changed;
  }

  /** The draft with its dependent field recomputed; "" if it is undetermined. */
  #followed(draft: StoredDraft): StoredDraft {
    const { quoteOf } = this.#options;
    const [rules, quote] = [this.#options.rules(), quoteOf(draft.symbol)];
    const rate = parseDecimal(draft.rate);
    const price = rate?.gt("0") ? rate : undefined;
    if (draft.sizedBy === "quantity") {
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

function keyOf({ account, symbol }: Pick<StoredDraft, "account" | "symbol">): string {
  return `${account} ${symbol}`;
}

/** Maximum decimals of an amount at the exchange; undefined if unknown. */
export function scaleOf(side: Side, { quantityPlaces, amountPlaces }: OrderRules): number | undefined {
  return side === "sell" ? quantityPlaces : amountPlaces;
}

/**
 * A share of a balance, "0.25" to "1", truncated to `scale` decimals. Without a scale it is truncated to the balance's
 * decimals or, if more, the usual ones of its asset, and "1" is exact.
 */
export function shareOfBalance(
  share: string,
  available: Decimal,
  asset: string | undefined,
  scale: number | undefined,
): string {
  const places = scale ?? Math.max(amountDecimals(asset), decimalsOf(plainText(available)));
  return plainText(truncate(available.times(share), places));
}

function emptyDraft(id: string): StoredDraft {
  return {
    id,
    account: "",
    side: "buy",
    symbol: "",
    amount: "",
    rate: "",
    rateIsTyped: false,
    quantity: "",
    sizedBy: "amount",
    share: "",
    postOnly: false,
  };
}
