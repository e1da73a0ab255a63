import { parseDecimal } from "../market/decimal.ts";
import { amountForQuantity, type BidRules } from "../market/order.ts";
import { Decimal, plainText, truncate } from "../market/decimal.ts";
import type { BidFormSetup, FormDraft, FormQuote, FromBidForm, ToBidForm } from "../panels/bidForm.ts";
import { grouped, rateStep, totals } from "./bidTotals.ts";
import { Countdown } from "./countdown.ts";
import { tellOfInput } from "./inputNotice.ts";
import { element, setText } from "./page.ts";

/** The page of the bid form. It shows, computes the live totals and asks; the host decides and confirms. */

interface VsCodeApi {
  postMessage(message: FromBidForm): void;
  getState(): { draft?: Partial<FormDraft> } | undefined;
  setState(state: { draft: FormDraft }): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

const vscode = acquireVsCodeApi();
const setup = JSON.parse(element("setup", HTMLScriptElement).text) as BidFormSetup;
const rules: BidRules = {
  minimumAmount: new Decimal(setup.rules.minimumAmount),
  feeShare: new Decimal(setup.rules.feeShare),
  quantityPlaces: setup.rules.quantityPlaces,
};

const pair = element("pair", HTMLSelectElement);
const amount = element("amount", HTMLInputElement);
const rate = element("rate", HTMLInputElement);
const buyQuantity = element("buy-quantity", HTMLInputElement);
const submit = element("submit", HTMLButtonElement);
const status = element("status", HTMLElement);
const statusAction = element("status-action", HTMLButtonElement);
const statusActionLine = element("status-action-line", HTMLElement);

let quote: FormQuote | undefined;
let action: Extract<FromBidForm, { type: "action" }>["action"] | undefined;
/** The status tells why there are no pairs: to be taken back when there are. */
let marketNoteShown = false;
/** A rate the page put in itself may be replaced when another pair is chosen; one the person typed may not. */
let rateIsTyped = false;
/** A bid is on its way. */
let isBusy = false;
let isWaiting = false;
/** Where Enter was pressed and not yet let go. */
let enterDownOn: EventTarget | null = null;
const countdown = new Countdown(
  {
    // Not the time of day: that may be set back, and would stretch the wait.
    now: () => performance.now(),
    after: (ms, task) => {
      const timer = setTimeout(task, ms);
      return () => clearTimeout(timer);
    },
  },
  showWait,
);

function draft(): FormDraft {
  return { id: draftId, symbol: pair.value, amount: amount.value.trim(), rate: rate.value.trim() };
}

function remember(): void {
  vscode.setState({ draft: draft() });
  vscode.postMessage({ type: "edited", draft: draft() });
}

function showFieldError(field: "pair" | "amount" | "rate", text: string): void {
  setText(`${field}-error`, text);
  const input = element(field, HTMLElement);
  if (text === "") input.removeAttribute("aria-invalid");
  else input.setAttribute("aria-invalid", "true");
}

function showTotals(): void {
  const { quantity, fee, left } = totals(draft(), quote?.available, rules);
  const base = quote?.base ?? "";
  const unit = quote?.quote ?? "";
  const none = setup.strings.noTotals;
  const { locale } = setup;
  setText("quantity", quantity === undefined ? none : `${grouped(quantity, locale)} ${base}`);
  setText("fee", fee === undefined ? none : `${grouped(fee, locale, 2)} ${unit}`);
  setText("left", left === undefined ? none : `${ofAccount(left)} ${unit}`);
}

/** An amount that tells what the account holds. */
function ofAccount(amount: string): string {
  return quote?.hidden === true ? setup.strings.hiddenAmount : grouped(amount, setup.locale, 2);
}

function showQuote(next: FormQuote): void {
  if (next.symbol !== pair.value) return;
  quote = next;
  const none = setup.strings.noTotals;
  const prices = { last: next.last, "best-bid": next.bestBid, "best-ask": next.bestAsk };
  const { places } = next;
  for (const [id, price] of Object.entries(prices)) {
    setText(id, price === undefined ? none : grouped(price, setup.locale, places));
  }
  setText(
    "available",
    next.available === undefined
      ? setup.strings.unknownBalance
      : `${ofAccount(next.available)} ${next.quote}`,
  );
  setText("note", next.note);
  setText("amount-unit", next.quote);
  setText("rate-unit", `${next.quote} / ${next.base}`);
  setText("buy-quantity-unit", next.base);
  if (rate.value === "" && !rateIsTyped && next.last !== undefined) rate.value = next.last;
  showTotals();
}

function clearQuote(): void {
  quote = undefined;
  const none = setup.strings.noTotals;
  for (const id of ["last", "best-bid", "best-ask", "available"]) setText(id, none);
  for (const id of ["note", "amount-unit", "rate-unit", "buy-quantity-unit"]) setText(id, "");
  showTotals();
}

function showPairs({ pairs, venue, note }: Extract<ToBidForm, { type: "market" }>): void {
  const chosen = pair.value || wanted.symbol;
  const first = new Option(setup.strings.choosePair, "");
  const options = pairs.map(
    ({ symbol, frozen }) => new Option(frozen ? `${symbol} (${setup.strings.frozen})` : symbol, symbol),
  );
  pair.replaceChildren(first, ...options);
  pair.value = pairs.some(({ symbol }) => symbol === chosen) ? chosen : "";
  if (pair.value === "") clearQuote();
  const badge = element("venue", HTMLElement);
  badge.textContent = venue.name;
  badge.classList.toggle("live", venue.live);
  if (pairs.length === 0) showNotice(note);
  else if (marketNoteShown) showNotice(undefined);
  marketNoteShown = pairs.length === 0;
  vscode.postMessage({ type: "select", symbol: pair.value });
}

function showNotice(notice: Extract<ToBidForm, { type: "outcome" }>["notice"]): void {
  status.className = `status ${notice?.tone ?? ""}`;
  setText("status", notice?.text ?? "");
  action = notice?.action?.id;
  statusActionLine.hidden = action === undefined;
  statusAction.textContent = notice?.action?.title ?? "";
}

function showOutcome({ notice, fields, busy, done, ended }: Extract<ToBidForm, { type: "outcome" }>): void {
  showNotice(notice);
  for (const field of ["pair", "amount", "rate"] as const) showFieldError(field, fields[field] ?? "");
  isBusy = busy;
  showSubmit();
  if (ended === draftId) {
    draftId = crypto.randomUUID();
    if (done) {
      amount.value = "";
      buyQuantity.value = "";
    }
    remember();
    showTotals();
  }
  const firstWrong = (["pair", "amount", "rate"] as const).find((field) => fields[field]);
  if (firstWrong) element(firstWrong, HTMLElement).focus();
}

function showSubmit(): void {
  submit.disabled = isBusy || isWaiting;
}

/** Seen every second; said by a screen reader when it begins and when it ends. */
function showWait(seconds: number): void {
  const { wait, waitBegins, waitEnds } = setup.strings;
  const filledIn = (text: string): string => text.replace("{0}", String(seconds));
  setText("wait", seconds > 0 ? filledIn(wait) : "");
  if (isWaiting !== seconds > 0) setText("wait-said", seconds > 0 ? filledIn(waitBegins) : waitEnds);
  isWaiting = seconds > 0;
  showSubmit();
}

function prefill(given: Partial<FormDraft>): void {
  if (given.id !== undefined) draftId = given.id;
  if (given.symbol !== undefined) wanted.symbol = given.symbol;
  if (given.symbol !== undefined && [...pair.options].some(({ value }) => value === given.symbol))
    choose(given.symbol);
  if (given.amount !== undefined) amount.value = given.amount;
  if (given.rate !== undefined) {
    rate.value = given.rate;
    rateIsTyped = false;
  }
  remember();
  showTotals();
  (amount.value === "" ? amount : rate).focus();
}

function choose(symbol: string): void {
  if (pair.value !== symbol) pair.value = symbol;
  if (!rateIsTyped) rate.value = "";
  clearQuote();
  vscode.postMessage({ type: "select", symbol });
}

function setRate(text: string): void {
  rate.value = text;
  rateIsTyped = true;
  edited("rate");
}

function edited(field: "pair" | "amount" | "rate"): void {
  showFieldError(field, "");
  remember();
  showTotals();
}

pair.addEventListener("change", () => {
  wanted.symbol = pair.value;
  choose(pair.value);
  edited("pair");
});
amount.addEventListener("input", () => {
  buyQuantity.value = "";
  edited("amount");
});
rate.addEventListener("input", () => {
  rateIsTyped = rate.value !== "";
  edited("rate");
});
buyQuantity.addEventListener("input", () => {
  const [quantity, price] = [parseDecimal(buyQuantity.value.trim()), parseDecimal(rate.value.trim())];
  if (!quantity || !price) return;
  amount.value = plainText(amountForQuantity(quantity, price, rules));
  edited("amount");
});
for (const button of document.querySelectorAll<HTMLButtonElement>("[data-share]")) {
  button.addEventListener("click", () => {
    const available = parseDecimal(quote?.available ?? "");
    if (!available) return;
    amount.value = plainText(truncate(available.times(button.dataset["share"] ?? "0"), 2));
    buyQuantity.value = "";
    edited("amount");
  });
}
element("use-last", HTMLButtonElement).addEventListener(
  "click",
  () => quote?.last !== undefined && setRate(quote.last),
);
element("use-ask", HTMLButtonElement).addEventListener(
  "click",
  () => quote?.bestAsk !== undefined && setRate(quote.bestAsk),
);
element("rate-down", HTMLButtonElement).addEventListener("click", () =>
  setRate(rateStep(rate.value, quote?.last, quote?.places ?? 0, -1)),
);
element("rate-up", HTMLButtonElement).addEventListener("click", () =>
  setRate(rateStep(rate.value, quote?.last, quote?.places ?? 0, 1)),
);
const form = element("form", HTMLFormElement);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (submit.disabled) return;
  submit.disabled = true;
  remember();
  vscode.postMessage({ type: "submit", draft: draft() });
});
// Enter counts when it is let go: held down, it would go on to press the button of the confirmation it called up.
form.addEventListener("keydown", (event) => {
  const submits = event.target instanceof HTMLInputElement || event.target === submit;
  if (event.key !== "Enter" || event.isComposing || !submits) return;
  event.preventDefault();
  enterDownOn = event.target;
});
form.addEventListener("keyup", (event) => {
  if (event.key === "Enter" && enterDownOn === event.target && !submit.disabled) form.requestSubmit();
  if (event.key === "Enter") enterDownOn = null;
});
form.addEventListener("focusout", () => (enterDownOn = null));
statusAction.addEventListener(
  "click",
  () => action !== undefined && vscode.postMessage({ type: "action", action }),
);
tellOfInput(document, () => vscode.postMessage({ type: "input" }));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") vscode.postMessage({ type: "close" });
});

window.addEventListener("message", ({ data }: MessageEvent<ToBidForm>) => {
  switch (data.type) {
    case "market":
      showPairs(data);
      break;
    case "age":
      setText("age", data.text);
      break;
    case "quote":
      showQuote(data.quote);
      break;
    case "prefill":
      prefill(data.draft);
      break;
    case "outcome":
      showOutcome(data);
      break;
    case "wait":
      countdown.start(data.ms);
      break;
  }
});

/** What the page was left with; the pair can be chosen only once the host has told which there are. */
const wanted = {
  id: crypto.randomUUID() as string,
  symbol: "",
  amount: "",
  rate: "",
  ...vscode.getState()?.draft,
};
let draftId = wanted.id;
amount.value = wanted.amount;
rate.value = wanted.rate;
rateIsTyped = wanted.rate !== "";
clearQuote();
vscode.postMessage({ type: "ready", symbol: wanted.symbol });
