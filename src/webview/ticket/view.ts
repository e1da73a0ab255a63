import { Decimal, parseDecimal, plainText } from "../../market/numbers/decimal.ts";
import { Figures } from "../../market/numbers/figures.ts";
import { percentFromLast, type OrderRules } from "../../market/order.ts";
import type { TicketSetup, FieldTexts, FormQuote } from "../../protocol/ticket.ts";
import { element, setText } from "../dom.ts";
import { filled } from "../words.ts";
import { shareOf, type KeptDraft } from "./draft.ts";
import { totals } from "./totals.ts";

/** The fields in the order of the page. */
export const FIELDS = ["pair", "rate", "amount", "quantity"] as const;

/** Shows a draft and the market in the ticket: fields, grouped figures beside them, totals. It decides nothing. */
export class TicketView {
  readonly inputs = {
    pair: element("pair", HTMLInputElement),
    rate: element("rate", HTMLInputElement),
    amount: element("amount", HTMLInputElement),
    quantity: element("quantity", HTMLInputElement),
  };
  readonly shares = [...document.querySelectorAll<HTMLButtonElement>("[data-share]")];
  readonly #strings: TicketSetup["strings"];
  readonly #figures: Figures;
  readonly rules: OrderRules;

  constructor({ strings, locale, rules }: TicketSetup) {
    this.#strings = strings;
    this.#figures = new Figures(locale);
    this.rules = {
      minimumAmount: new Decimal(rules.minimumAmount),
      feeShare: new Decimal(rules.feeShare),
      quantityPlaces: rules.quantityPlaces,
    };
  }

  /** Prices and balance of the chosen pair; dashes without a quote. `units` belong to a pair without a quote. */
  showQuote(quote: FormQuote | undefined, units: { readonly quote: string; readonly base: string }): void {
    const none = this.#strings.noTotals;
    const prices = { last: quote?.last, "best-bid": quote?.bestBid, "best-ask": quote?.bestAsk };
    for (const [id, price] of Object.entries(prices)) {
      setText(id, price === undefined ? none : this.#figures.price(price, quote?.places ?? 0));
      element(`use-${id}`, HTMLButtonElement).disabled = price === undefined;
    }
    const available = quote?.available;
    for (const button of this.shares) button.disabled = available === undefined;
    const unknown = quote ? this.#strings.unknownBalance : none;
    setMasked(
      "available",
      available === undefined ? unknown : this.#money(available, quote, quote?.hidden),
      this.#strings,
    );
    setText("note", quote?.note ?? "");
    for (const id of ["amount-unit", "rate-unit"]) setText(id, quote?.quote ?? units.quote);
    setText("quantity-unit", quote?.base ?? units.base);
  }

  /** Writes the draft into its fields, except for the field that is being typed into. */
  showDraft(draft: KeptDraft, quote: FormQuote | undefined, typed?: keyof FieldTexts): void {
    const { amount, rate, quantity } = draft;
    const hidden = isHidden(draft, quote);
    const texts = { rate, amount: hidden ? "" : amount, quantity: hidden ? "" : quantity };
    for (const [field, text] of Object.entries(texts) as [keyof typeof texts, string][]) {
      const input = this.inputs[field];
      if (field !== typed && input.value !== text) input.value = text;
    }
    this.inputs.amount.placeholder = hidden ? this.#shareText(draft, quote) : "";
    this.inputs.quantity.placeholder = hidden ? this.#strings.hiddenAmount : "";
    for (const button of this.shares) {
      button.setAttribute("aria-pressed", String(button.dataset["share"] === draft.share));
    }
    const places = quote?.places ?? 0;
    setText(
      "rate-read",
      this.#readBack(rate, (text) => this.#figures.price(text, places)),
    );
    setText("rate-distance", this.#distance(rate, quote?.last));
    const shown = (text: string): string => (hidden ? "" : text);
    setText(
      "amount-read",
      this.#readBack(shown(amount), (text) => this.#figures.amount(text)),
    );
    setText(
      "quantity-read",
      this.#readBack(shown(quantity), (text) => this.#figures.quantity(text)),
    );
    this.#showTotals(amount, quote, hidden);
  }

  /** The text beside each field. */
  showErrors(texts: FieldTexts): void {
    for (const field of FIELDS) {
      const text = texts[field] ?? "";
      setText(`${field}-error`, text);
      if (text === "") this.inputs[field].removeAttribute("aria-invalid");
      else this.inputs[field].setAttribute("aria-invalid", "true");
    }
  }

  #showTotals(amount: string, quote: FormQuote | undefined, hidden: boolean): void {
    const { total, fee, left } = totals(amount, quote?.available, this.rules);
    for (const [id, text, isMasked] of [
      ["fee", fee, hidden],
      ["total", total, hidden],
      ["left", left, quote?.hidden],
    ] as const) {
      const shown = text === undefined ? this.#strings.noTotals : this.#money(text, quote, isMasked);
      setMasked(id, shown, this.#strings);
    }
  }

  #money(amount: string, quote: FormQuote | undefined, isMasked = false): string {
    const shown = isMasked ? this.#strings.hiddenAmount : this.#figures.amount(amount);
    return `${shown} ${quote?.quote ?? ""}`.trimEnd();
  }

  /** The grouped figure of a typed number, if it differs: it makes a missing zero visible. */
  #readBack(typed: string, format: (text: string) => string): string {
    const value = parseDecimal(typed);
    const shown = value ? format(plainText(value)) : "";
    return shown === typed ? "" : shown;
  }

  /** The text in place of a hidden amount: its share of the balance, while it is such a share. */
  #shareText({ share, amount }: KeptDraft, quote: FormQuote | undefined): string {
    const available = parseDecimal(quote?.available ?? "");
    const { shareOfAvailable, hiddenAmount } = this.#strings;
    const isThat = available !== undefined && shareOf(share, available, quote?.quote) === amount;
    return isThat ? filled(shareOfAvailable, this.#figures.share(share, 0)) : hiddenAmount;
  }

  /** The distance of a rate from the last price, in words. */
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

/** Whether the draft's amount would show the hidden balance, because it is a share of it. */
export function isHidden({ share }: KeptDraft, quote: FormQuote | undefined): boolean {
  return quote?.hidden === true && share !== "";
}

/** A figure of the account. A screen reader says a word for its mask, not each dot. */
function setMasked(id: string, text: string, strings: TicketSetup["strings"]): void {
  const { hiddenAmount, hiddenSpoken } = strings;
  setText(`${id}`, text);
  setText(`${id}-said`, text.includes(hiddenAmount) ? text.replace(hiddenAmount, hiddenSpoken) : "");
  element(id, HTMLElement).ariaHidden = text.includes(hiddenAmount) ? "true" : null;
}
