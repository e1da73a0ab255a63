import { monotonicTimers } from "../../desk/time/timers.ts";
import { parseDecimal } from "../../market/numbers/decimal.ts";
import type {
  BidFormSetup,
  FieldProblems,
  FieldTexts,
  FormField,
  FormQuote,
  FromBidForm,
  ToBidForm,
} from "../../protocol/bidForm.ts";
import type { Echo } from "../../protocol/echo.ts";
import { element, focusInPage, sendEchoes, setText } from "../dom.ts";
import { tellOfInput } from "../inputNotice.ts";
import { showVenue } from "../venueBadge.ts";
import { filled } from "../words.ts";
import { Countdown } from "./countdown.ts";
import { TicketDraft, type KeptDraft } from "./draft.ts";
import { PairPicker } from "./pairPicker.ts";
import { rateStep } from "./totals.ts";
import { FIELDS, isHidden, TicketView } from "./view.ts";

/** The page of the order ticket. It shows, computes the live totals and asks; the host checks, decides and confirms. */

interface VsCodeApi {
  postMessage(message: FromBidForm | Echo): void;
  getState(): { draft?: Partial<KeptDraft> } | undefined;
  setState(state: { draft: KeptDraft }): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** Number of steps that an arrow key with Shift moves the rate by. */
const BIG_STEP = 10;

const vscode = acquireVsCodeApi();
const setup = JSON.parse(element("setup", HTMLScriptElement).text) as BidFormSetup;
const { strings } = setup;
const view = new TicketView(setup);
const { inputs, shares } = view;
const submit = element("submit", HTMLButtonElement);
const status = element("status", HTMLElement);
const statusAction = element("status-action", HTMLButtonElement);
const statusActionLine = element("status-action-line", HTMLElement);

const picker = new PairPicker({
  input: inputs.pair,
  list: element("pair-list", HTMLElement),
  count: element("pair-count", HTMLElement),
  nothing: element("pair-nothing", HTMLElement),
  strings,
  choose: choosePair,
});
const draft = new TicketDraft(
  {
    newId: () => crypto.randomUUID(),
    rules: view.rules,
    quoteOf: (symbol) => picker.pair(symbol)?.quote,
  },
  vscode.getState()?.draft,
);

let quote: FormQuote | undefined;
let action: Extract<FromBidForm, { type: "action" }>["action"] | undefined;
/** The status says why there are no pairs, and must be cleared when there are some. */
let marketNoteShown = false;
/** The draft's problems, and the answer to the last submission. */
let problems: FieldProblems = {};
let answers: FieldTexts = {};
/** The field that the person is typing into: problems that more typing can fix are not told yet. */
let typing: FormField | undefined;
/** An order is being sent. */
let isBusy = false;
let isWaiting = false;
/** Where Enter was pressed and not released yet. */
let enterDownOn: EventTarget | null = null;
// Not by the time of day, which may be set back and would make the wait longer.
const countdown = new Countdown(monotonicTimers, showWait);

function remember(): void {
  vscode.setState({ draft: draft.state });
  vscode.postMessage({ type: "edited", draft: draft.message });
}

function showDraft(): void {
  picker.show(draft.state.symbol);
  view.showDraft(draft.state, quote, typing);
}

function showQuote(next: FormQuote | undefined): void {
  quote = next;
  view.showQuote(quote, picker.pair(draft.state.symbol) ?? { quote: "", base: "" });
  const before = draft.state.rate;
  draft.takeLast(quote?.last);
  showDraft();
  if (draft.state.rate === before) return;
  answers = without(answers, "rate");
  showErrors();
  remember();
}

function showMarket({ pairs, exchange, note }: Extract<ToBidForm, { type: "market" }>): void {
  picker.setPairs(pairs);
  const before = draft.state.exchange;
  draft.moveTo(exchange.key);
  if (draft.state.exchange !== before) {
    [problems, answers, typing] = [{}, {}, undefined];
    showErrors();
    showQuote(undefined);
    vscode.postMessage({ type: "select", symbol: draft.state.symbol });
    remember();
  }
  showVenue(exchange, strings);
  submit.textContent = exchange.live ? strings.placeLive : strings.placePractice;
  // The price of a pair that is no longer listed counts as old.
  if (quote && !picker.pair(quote.symbol)) showQuote(undefined);
  if (pairs.length === 0) showNotice(note);
  else if (marketNoteShown) showNotice(undefined);
  marketNoteShown = pairs.length === 0;
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
  answers = fields;
  isBusy = busy;
  showSubmit();
  if (ended !== undefined && ended === draft.state.id) {
    typing = undefined;
    draft.end(ended, done);
    showDraft();
    remember();
  }
  showErrors();
  const firstWrong = FIELDS.find((field) => fields[field] !== undefined);
  if (firstWrong) focusInPage(inputs[firstWrong]);
}

/** Beside each field: the answer to the last submission, else those problems of the draft that may be told now. */
function showErrors(): void {
  const texts: FieldTexts = { ...answers };
  for (const field of FIELDS) {
    const problem = problems[field];
    const isTyping = typing === field || (typing === "quantity" && field === "amount");
    if (problem && (problem.isFinal || !isTyping)) texts[field] ??= problem.text;
  }
  view.showErrors(texts);
}

function takeProblems({ draft: checked, problems: found }: Extract<ToBidForm, { type: "problems" }>): void {
  const { message } = draft;
  const isOfBefore = (["id", "symbol", "rate", "amount", "quantity"] as const).some(
    (part) => checked[part] !== message[part],
  );
  if (isOfBefore) return;
  problems = found;
  showErrors();
}

function showSubmit(): void {
  submit.disabled = isBusy || isWaiting;
}

/** Visible every second; a screen reader says only the beginning and the end. */
function showWait(seconds: number): void {
  const { wait, waitBegins, waitEnds } = strings;
  setText("wait", seconds > 0 ? filled(wait, String(seconds)) : "");
  if (isWaiting !== seconds > 0)
    setText("wait-said", seconds > 0 ? filled(waitBegins, String(seconds)) : waitEnds);
  isWaiting = seconds > 0;
  showSubmit();
}

/** The person changed these fields: earlier texts about the draft are removed. */
function edited(...fields: readonly FormField[]): void {
  if (!marketNoteShown && !isBusy && status.textContent !== "") {
    showNotice(undefined);
    vscode.postMessage({ type: "dismissed" });
  }
  answers = without(answers, ...fields);
  showDraft();
  showErrors();
  remember();
}

function without(texts: FieldTexts, ...fields: readonly FormField[]): FieldTexts {
  return Object.fromEntries(Object.entries(texts).filter(([field]) => !fields.includes(field as FormField)));
}

function choosePair(symbol: string): void {
  if (symbol === draft.state.symbol) return;
  draft.choosePair(symbol, isSameQuote(symbol));
  pairChanged();
}

/** Whether a typed amount stays valid for another pair, because both have the same quote asset. */
function isSameQuote(symbol: string): boolean {
  const before = draft.state.symbol;
  const money = picker.pair(before)?.quote;
  return before === "" || (money !== undefined && money === picker.pair(symbol)?.quote);
}

function pairChanged(): void {
  [problems, typing] = [{}, undefined];
  showQuote(undefined);
  vscode.postMessage({ type: "select", symbol: draft.state.symbol });
  edited(...FIELDS);
}

function fill({ kept, fill: given }: Extract<ToBidForm, { type: "fill" }>): void {
  const before = draft.message;
  typing = undefined;
  if (kept) draft.restore(kept);
  draft.fillIn(given, given.symbol === undefined || isSameQuote(given.symbol));
  const now = draft.message;
  if (now.symbol !== before.symbol) pairChanged();
  else if (JSON.stringify(now) !== JSON.stringify(before)) edited("rate", "amount", "quantity");
  focusInPage(now.symbol === "" ? inputs.pair : now.amount === "" ? inputs.amount : inputs.rate);
}

function setRate(rate: string): void {
  typing = undefined;
  draft.setRate(rate);
  edited("rate");
}

function setAmount(act: () => void): void {
  typing = undefined;
  act();
  edited("amount", "quantity");
}

const stepRate = (steps: number): void =>
  setRate(rateStep(draft.state.rate, quote?.last, quote?.places ?? 0, steps));

for (const [field, take] of [
  ["rate", (text: string) => draft.setRate(text)],
  ["amount", (text: string) => draft.setAmount(text)],
  ["quantity", (text: string) => draft.setQuantity(text)],
] as const) {
  inputs[field].addEventListener("input", () => {
    typing = field;
    take(inputs[field].value.trim());
    edited(...(field === "rate" ? [field] : (["amount", "quantity"] as const)));
  });
  inputs[field].addEventListener("blur", () => {
    typing = undefined;
    showDraft();
    showErrors();
  });
}
for (const input of [inputs.amount, inputs.quantity]) {
  // The field of a hidden figure is empty, so deleting the figure does not change the field.
  input.addEventListener("keydown", ({ key }) => {
    if ((key === "Backspace" || key === "Delete") && isHidden(draft.state, quote))
      setAmount(() => draft.setAmount(""));
  });
}
for (const button of shares) {
  button.addEventListener("click", () => {
    const available = parseDecimal(quote?.available ?? "");
    if (available) setAmount(() => draft.setShare(button.dataset["share"] ?? "0", available));
  });
}
for (const [id, priceOf] of [
  ["use-last", () => quote?.last],
  ["use-best-bid", () => quote?.bestBid],
  ["use-best-ask", () => quote?.bestAsk],
] as const) {
  element(id, HTMLButtonElement).addEventListener("click", () => {
    const price = priceOf();
    if (price !== undefined) setRate(price);
  });
}
element("rate-down", HTMLButtonElement).addEventListener("click", () => stepRate(-1));
element("rate-up", HTMLButtonElement).addEventListener("click", () => stepRate(1));
inputs.rate.addEventListener("keydown", (event) => {
  const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  if (direction === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  stepRate(event.shiftKey ? BIG_STEP * direction : direction);
});
const form = element("form", HTMLFormElement);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (submit.disabled) return;
  submit.disabled = true;
  typing = undefined;
  const submitted = draft.submit();
  remember();
  vscode.postMessage({ type: "submit", draft: submitted });
});
// Enter counts when it is released: a held key would press the button of the confirmation too.
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
      showMarket(data);
      break;
    case "age":
      setText("age", data.text);
      break;
    case "quote":
      if (data.quote.symbol === draft.state.symbol) showQuote(data.quote);
      break;
    case "fill":
      fill(data);
      break;
    case "problems":
      takeProblems(data);
      break;
    case "outcome":
      showOutcome(data);
      break;
    case "wait":
      countdown.start(data.ms);
      break;
  }
});

sendEchoes((echo) => vscode.postMessage(echo));

showQuote(undefined);
vscode.postMessage({ type: "ready", symbol: draft.state.symbol });
