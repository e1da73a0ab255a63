import { shownAmount } from "../../market/numbers/amountDecimals.ts";
import { Decimal, parseDecimal, plainText } from "../../market/numbers/decimal.ts";
import { Figures } from "../../market/numbers/figures.ts";
import { assetsOf, percentFromLast, type OrderRules, type Side } from "../../market/order.ts";
import type { Pair } from "../../market/pair.ts";
import type { FieldTexts, FormQuote, TicketSetup, ToTicket } from "../../protocol/ticket.ts";
import { element, setText } from "../dom.ts";
import { filled } from "../words.ts";
import { NumberField } from "./numberField.ts";
import { scaleOf, shareOfBalance, type StoredDraft } from "./draft.ts";
import { totals } from "./totals.ts";

type Exchange = Extract<ToTicket, { type: "market" }>["exchange"];

/** Last price, best bid and best ask, as decimal text. */
export type TicketPrices = Pick<FormQuote, "last" | "bestBid" | "bestAsk">;

/** The fields in page order. */
export const FIELDS = ["pair", "rate", "amount", "quantity"] as const;

/** Renders a draft and the market: fields, totals and the button. Contains no logic of the ticket. */
export class TicketView {
  readonly inputs = {
    pair: element("pair", HTMLInputElement),
    rate: element("rate", HTMLInputElement),
    amount: element("amount", HTMLInputElement),
    quantity: element("quantity", HTMLInputElement),
  };
  readonly #fields = {
    rate: new NumberField(this.inputs.rate),
    amount: new NumberField(this.inputs.amount),
    quantity: new NumberField(this.inputs.quantity),
  };
  readonly sides = {
    buy: element("side-buy", HTMLInputElement),
    sell: element("side-sell", HTMLInputElement),
  };
  readonly postOnly = element("post-only", HTMLInputElement);
  readonly shares = [...document.querySelectorAll<HTMLButtonElement>("[data-share]")];
  readonly #strings: TicketSetup["strings"];
  readonly #figures: Figures;
  readonly #usualRules: OrderRules;

  constructor({ strings, locale, rules }: TicketSetup) {
    this.#strings = strings;
    this.#figures = new Figures(locale);
    this.#usualRules = {
      minimumAmount: new Decimal(rules.minimumAmount),
      feeShare: new Decimal(rules.feeShare),
      quantityPlaces: rules.quantityPlaces,
    };
  }

  /** Order rules for the pair of a quote; the defaults without one. */
  rulesOf(quote: FormQuote | undefined): OrderRules {
    if (!quote) return this.#usualRules;
    const { feeShare, quantityPlaces, amountPlaces, rateStep } = quote.limits;
    return {
      ...this.#usualRules,
      feeShare: new Decimal(feeShare),
      quantityPlaces,
      amountPlaces,
      rateStep: parseDecimal(rateStep ?? ""),
    };
  }

  /** Shows the texts of a side. */
  showSide(side: Side, exchange: Exchange): void {
    const { sides, asksNotOffered } = this.#strings;
    const { heading, submit: _, submitFigures: __, ...labels } = sides[side];
    setText("heading", heading);
    element("heading", HTMLElement).title = exchange.key === "" || exchange.offersAsks ? "" : asksNotOffered;
    element("sides", HTMLElement).hidden = !exchange.offersAsks;
    element("post-only-choice", HTMLElement).hidden = !exchange.offersPostOnly;
    for (const [id, text] of Object.entries(labels)) setText(`${id}-label`, text);
    this.sides[side].checked = true;
  }

  /** The prices that can be taken as the limit price; dashes for unknown ones. */
  showPrices(prices: TicketPrices, places: number): void {
    const { last, bestBid, bestAsk } = prices;
    for (const [id, price] of Object.entries({ last, "best-bid": bestBid, "best-ask": bestAsk })) {
      setText(id, price === undefined ? this.#strings.noTotals : this.#figures.price(price, places));
      element(`use-${id}`, HTMLButtonElement).disabled = price === undefined;
    }
  }

  /**
   * Balance and limits of the chosen pair; dashes without a quote. The side decides which balance is shown.
   */
  showQuote(side: Side, pair: Pair, quote: FormQuote | undefined): void {
    const none = this.#strings.noTotals;
    const available = quote && availableOf(quote, side);
    const assets = assetsOf(side, pair);
    for (const button of this.shares) button.disabled = available === undefined;
    const unknown = quote ? this.#strings.unknownBalance : none;
    setMasked(
      "available",
      available === undefined ? unknown : this.#holding(available, assets.amount, quote),
      this.#strings,
    );
    setText("note", quote?.note ?? "");
    setText("limits", quote?.limits.text ?? "");
    element("limits", HTMLElement).title = quote?.limits.tooltip ?? "";
    setText("rate-unit", pair.quote);
    setText("amount-unit", assets.amount);
    setText("quantity-unit", assets.quantity);
  }

  /** Writes the draft into its fields, except the one being typed into. */
  showDraft(draft: StoredDraft, quote: FormQuote | undefined, typed?: keyof FieldTexts): void {
    const { side, amount, rate, quantity, preparedBy } = draft;
    this.postOnly.checked = draft.postOnly;
    setText("prepared", preparedBy ? this.#strings.preparedBy[preparedBy] : "");
    const hidden = isHidden(draft, quote);
    const money = (text: string): string => this.#figures.amount(text, quote?.quote);
    const coins = (text: string): string => this.#figures.quantity(text);
    const [leaves, arrives] = side === "buy" ? [money, coins] : [coins, money];
    const shown = (text: string): string => (hidden ? "" : text);
    for (const [field, text, format] of [
      ["rate", rate, (price: string) => this.#figures.price(price, quote?.places ?? 0)],
      ["amount", shown(amount), leaves],
      ["quantity", shown(quantity), arrives],
    ] as const)
      if (field !== typed) this.#fields[field].show(text, grouped(text, format));
    this.inputs.amount.placeholder = hidden ? this.#shareText(draft, quote) : "";
    this.inputs.quantity.placeholder = hidden ? this.#strings.hiddenAmount : "";
    for (const button of this.shares) {
      button.setAttribute("aria-pressed", String(button.dataset["share"] === draft.share));
    }
    setText("rate-distance", this.#distance(rate, quote?.last));
    this.#showTotals(draft, quote, hidden);
    const submit = element("submit", HTMLElement);
    submit.dataset["side"] = side;
    setText("submit", this.#submitText(draft, hidden ? undefined : quote));
  }

  /** What the button does, with the figures if they are known. */
  #submitText({ side, amount, quantity }: StoredDraft, quote: FormQuote | undefined): string {
    const { submit, submitFigures } = this.#strings.sides[side];
    const [spent, received] = [parseDecimal(amount), parseDecimal(quantity)];
    if (!quote || !spent?.gt("0") || !received?.gt("0")) return submit;
    const [base, money] = side === "buy" ? [received, spent] : [spent, received];
    return filled(
      submitFigures,
      `${this.#figures.quantity(plainText(base))} ${quote.base}`,
      `${this.#figures.amount(plainText(money), quote.quote)} ${quote.quote}`,
    );
  }

  showErrors(texts: FieldTexts): void {
    for (const field of FIELDS) {
      const text = texts[field] ?? "";
      setText(`${field}-error`, text);
      if (text === "") this.inputs[field].removeAttribute("aria-invalid");
      else this.inputs[field].setAttribute("aria-invalid", "true");
    }
  }

  #showTotals(draft: StoredDraft, quote: FormQuote | undefined, hidden: boolean): void {
    const available = quote && availableOf(quote, draft.side);
    const { total, fee, left } = totals(draft, available, this.rulesOf(quote));
    for (const [id, text] of [
      ["fee", fee],
      ["total", total],
    ] as const) {
      // What a bid spends was typed, or already has its asset's decimals.
      const isTyped = id === "total" && draft.side === "buy";
      const money = hidden ? this.#strings.hiddenAmount : text && this.#money(text, isTyped, quote?.quote);
      const shown = text === undefined ? this.#strings.noTotals : `${money} ${quote?.quote ?? ""}`.trimEnd();
      setMasked(id, shown, this.#strings);
    }
    const asset = quote ? assetsOf(draft.side, quote).amount : "";
    const rest = left === undefined ? this.#strings.noTotals : this.#holding(left, asset, quote);
    setMasked("left", rest, this.#strings);
  }

  /** An amount in the quote asset. A computed one is rounded to its asset's decimals and marked if rounded. */
  #money(text: string, isTyped: boolean, asset: string | undefined): string {
    const exact = new Decimal(text);
    const shown = isTyped ? exact : shownAmount(exact, asset);
    const figure = this.#figures.amount(plainText(shown), asset);
    return shown.eq(exact) ? figure : filled(this.#strings.about, figure);
  }

  /** Part of the balance of one of the pair's assets. */
  #holding(held: string, asset: string, quote: FormQuote | undefined): string {
    const figure =
      asset === quote?.base ? this.#figures.quantity(held) : this.#figures.amount(held, quote?.quote);
    return `${quote?.hidden ? this.#strings.hiddenAmount : figure} ${asset}`.trimEnd();
  }

  /** Text shown instead of a hidden amount: its share of the balance, as long as it still equals that share. */
  #shareText({ side, share, amount }: StoredDraft, quote: FormQuote | undefined): string {
    const available = parseDecimal((quote && availableOf(quote, side)) ?? "");
    const { shareOfAvailable, hiddenAmount } = this.#strings;
    const scale = scaleOf(side, this.rulesOf(quote));
    const isThat =
      available !== undefined &&
      shareOfBalance(share, available, quote && assetsOf(side, quote).amount, scale) === amount;
    return isThat ? filled(shareOfAvailable, this.#figures.share(share, 0)) : hiddenAmount;
  }

  /** Distance of a rate from the last price, as text. */
  #distance(typed: string, lastPrice: string | undefined): string {
    const [rate, last] = [parseDecimal(typed), parseDecimal(lastPrice ?? "")];
    if (!rate?.gt("0") || !last) return "";
    const { atLast, aboveLast, belowLast } = this.#strings;
    const percent = percentFromLast(rate, last);
    if (percent.eq("0")) return atLast;
    const text = percent.gt("0") ? aboveLast : belowLast;
    return filled(text, this.#figures.percent(plainText(percent.abs())));
  }
}

/** A number as `format` shows it; other text, as typed. */
function grouped(text: string, format: (plain: string) => string): string {
  const value = parseDecimal(text);
  return value ? format(plainText(value)) : text;
}

/** Available balance of the asset that is spent, as decimal text; undefined if unknown. */
export function availableOf(quote: FormQuote, side: Side): string | undefined {
  return side === "buy" ? quote.available : quote.availableBase;
}

/** Whether the draft's amount would reveal the hidden balance, because it is a share of it. */
export function isHidden({ share }: StoredDraft, quote: FormQuote | undefined): boolean {
  return quote?.hidden === true && share !== "";
}

/** Shows a figure of the account. Screen readers read a word instead of the mask's dots. */
function setMasked(id: string, text: string, strings: TicketSetup["strings"]): void {
  const { hiddenAmount, hiddenSpoken } = strings;
  setText(id, text);
  setText(`${id}-spoken`, text.includes(hiddenAmount) ? text.replace(hiddenAmount, hiddenSpoken) : "");
  element(id, HTMLElement).ariaHidden = text.includes(hiddenAmount) ? "true" : null;
}
