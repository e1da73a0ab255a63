import { parseDecimal } from "../../market/numbers/decimal.ts";
import { assetsOf, type OrderRules, type Side } from "../../market/order.ts";
import type { Pair } from "../../market/pair.ts";
import { hasFigures, isUnattended } from "../../protocol/draftFigures.ts";
import type {
  FormDraft,
  TicketSetup,
  FormField,
  FormQuote,
  FromTicket,
  TicketFill,
  ToTicket,
} from "../../protocol/ticket.ts";
import type { FormBook } from "../../protocol/ticketBook.ts";
import type { Echo } from "../../protocol/echo.ts";
import { element, focusInPage, receiveInFrames, restoreFocus, sendEchoes, setText } from "../dom.ts";
import { Figures } from "../../market/numbers/figures.ts";
import { onHostSilence } from "../silence.ts";
import { BookView } from "./book/bookView.ts";
import { reportInput } from "../inputNotice.ts";
import { shortcutKey } from "../keys.ts";
import { showVenue } from "../venueBadge.ts";
import { filled } from "../words.ts";
import { TicketDraft, type StoredDraft } from "./draft.ts";
import { FieldNotes } from "./fieldNotes.ts";
import { typedFigure } from "./typedFigure.ts";
import { PairPicker } from "./pairPicker.ts";
import { StatusLine } from "./statusLine.ts";
import { SubmitButton } from "./submitButton.ts";
import { rateStep } from "./totals.ts";
import { availableOf, FIELDS, isHidden, type TicketPrices, TicketView } from "./view.ts";

/** State that the editor keeps while the page is hidden, and across window reloads. */
interface PageState {
  readonly draft: StoredDraft;
  /** Drafts of other pairs, discarded when the window reloads. */
  readonly others: readonly StoredDraft[];
  readonly sitting: string;
  readonly locked: boolean;
  /** The submitted draft, until its outcome arrives. */
  readonly awaited: FormDraft | undefined;
}

interface VsCodeApi {
  postMessage(message: FromTicket | Echo): void;
  getState(): Partial<PageState> | undefined;
  setState(state: PageState): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

type Message<Type extends ToTicket["type"]> = Extract<ToTicket, { type: Type }>;

/** Number of ticks by which Shift and an arrow key change the rate. */
const BIG_STEP = 10;

const vscode = acquireVsCodeApi();
const setup = JSON.parse(element("setup", HTMLScriptElement).text) as TicketSetup;
const { strings, sitting } = setup;
const restored = vscode.getState();

const NO_PRICES: TicketPrices = { last: undefined, bestBid: undefined, bestAsk: undefined };

const NO_EXCHANGE = {
  key: "",
  name: "",
  live: false,
  offersAsks: false,
  offersPostOnly: false,
  offersBook: false,
};

/**
 * The order ticket page. It renders, computes live totals and sends requests; the host validates, decides and confirms.
 */
class TicketPage {
  readonly #figures = new Figures(setup.locale);
  readonly #view = new TicketView(setup);
  readonly #notes = new FieldNotes(this.#view);
  readonly #book = new BookView({
    figures: this.#figures,
    strings,
    choose: (price) => this.#setRate(price),
  });
  readonly #status = new StatusLine((action) => vscode.postMessage({ type: "action", action }));
  readonly #submit = new SubmitButton(strings, () => this.#submitDraft());
  readonly #picker = new PairPicker(strings, {
    chosen: (symbol) => {
      this.#notes.removeAnswers("pair");
      this.#choosePair(symbol);
      focusInPage(this.#view.inputs.amount);
    },
    notFound: (typed) => this.#notes.setAnswer("pair", filled(strings.pairNotFound, typed)),
  });
  readonly #draft = new TicketDraft(
    {
      newId: () => crypto.randomUUID(),
      rules: () => this.#rules,
      quoteOf: (symbol) => this.#picker.pair(symbol)?.quote,
    },
    restored?.draft,
    restored?.sitting === sitting ? restored.others : [],
  );
  /** From an earlier page that was closed, or whose host stopped, while the order was being sent. */
  #awaited = restored?.awaited;
  /** The ticket keeps its pair when the active pair changes. */
  #isLocked = restored?.locked ?? false;
  #quote: FormQuote | undefined;
  #shownBook: FormBook | undefined;
  #exchange: Message<"market">["exchange"] = NO_EXCHANGE;

  constructor() {
    this.#listenToSides();
    this.#listenToFigures();
    this.#listenToShares();
    this.#listenToRateButtons();
    this.#listenToLock();
    this.#view.showSide(this.#side, this.#exchange);
    this.#showQuote(undefined);
  }

  get #side(): Side {
    return this.#draft.state.side;
  }

  get #rules(): OrderRules {
    return this.#view.rulesOf(this.#quote?.symbol === this.symbol ? this.#quote : undefined);
  }

  /** False until the exchange is known, so that a draft keeps its side. */
  get #hasNoAsks(): boolean {
    return this.#exchange.key !== "" && !this.#exchange.offersAsks;
  }

  get #hasNoPostOnly(): boolean {
    return this.#exchange.key !== "" && !this.#exchange.offersPostOnly;
  }

  get symbol(): string {
    return this.#draft.state.symbol;
  }

  postReady(): void {
    if (this.#isLocked) vscode.postMessage({ type: "lock", locked: true });
    vscode.postMessage({ type: "ready", symbol: this.symbol });
    // The host may not know a draft restored from the page's state.
    if (hasFigures(this.#draft.message)) vscode.postMessage({ type: "edited", draft: this.#draft.message });
  }

  set isHostSilent(isSilent: boolean) {
    this.#submit.isHostSilent = isSilent;
  }

  /** Requests the outcome of a submitted order, because a restarted host does not know that this page waits for it. */
  askOutcome(): void {
    if (this.#awaited) vscode.postMessage({ type: "awaits", draft: this.#awaited });
  }

  receive(message: ToTicket): void {
    switch (message.type) {
      case "market":
        return this.#showMarket(message);
      case "age":
        return setText("age", message.text);
      case "quote":
        if (message.quote.symbol === this.symbol) this.#showQuote(message.quote);
        return;
      case "book":
        return this.#showBook(message.book);
      case "fill":
        return this.#fill(message.fill);
      case "follow":
        return this.#choosePair(message.symbol);
      case "withdraw":
        return this.#withdraw();
      case "problems":
        return this.#takeProblems(message);
      case "outcome":
        return this.#showOutcome(message);
      case "wait":
        return this.#submit.wait(message.ms);
      case "focus":
        return takeFocus(this.#view.inputs.amount);
    }
  }

  #remember(): void {
    this.#saveState();
    vscode.postMessage({ type: "edited", draft: this.#draft.message });
  }

  #saveState(): void {
    const { state, others } = this.#draft;
    const [locked, awaited] = [this.#isLocked, this.#awaited];
    vscode.setState({ draft: state, others, sitting, locked, awaited });
  }

  #showDraft(): void {
    this.#picker.show(this.symbol);
    this.#view.showDraft(this.#draft.state, this.#quote, this.#notes.typing);
  }

  #showBook(book: FormBook | undefined): void {
    this.#shownBook = book?.symbol === this.symbol ? book : undefined;
    this.#book.show(this.#shownBook, this.#quote);
    this.#view.showPrices(this.#prices, this.#quote?.places ?? 0);
  }

  /** With a book that is up to date, its best prices, as the ladder beside them: the ticker's may be seconds older. */
  get #prices(): TicketPrices {
    const { last, bestBid, bestAsk } = this.#quote ?? NO_PRICES;
    const book = this.#shownBook;
    if (!this.#quote || !book || book.isOld || book.note !== "") return { last, bestBid, bestAsk };
    return { last, bestBid: book.bids[0]?.price, bestAsk: book.asks[0]?.price };
  }

  /** The assets of the pair; empty before it is known. */
  get #pair(): Pair {
    return this.#quote ?? this.#picker.pair(this.symbol) ?? { quote: "", base: "" };
  }

  /** The asset of each field. */
  get #assets(): Readonly<Record<"rate" | "amount" | "quantity", string>> {
    return { rate: this.#pair.quote, ...assetsOf(this.#side, this.#pair) };
  }

  #showQuote(quote: FormQuote | undefined): void {
    this.#quote = quote;
    this.#showBook(this.#shownBook);
    this.#view.showQuote(this.#side, this.#pair, quote);
    const before = this.#draft.state;
    this.#draft.takeLast(quote?.last);
    if (quote) this.#draft.follow();
    this.#showDraft();
    const now = this.#draft.state;
    if (now === before) return;
    if (now.rate !== before.rate) this.#notes.removeAnswers("rate");
    this.#remember();
  }

  #showMarket({ pairs, exchange, inverted, note }: Message<"market">): void {
    document.body.classList.toggle("inverted", inverted);
    this.#picker.setPairs(pairs);
    if (this.#draft.moveTo(exchange.key)) {
      this.#notes.typing = undefined;
      this.#notes.setProblems({});
      this.#notes.setAnswers({});
      this.#showQuote(undefined);
      vscode.postMessage({ type: "select", symbol: this.symbol });
      this.#remember();
    }
    showVenue(exchange, strings);
    this.#exchange = exchange;
    this.#book.setOffered(exchange.offersBook);
    if (this.#hasNoAsks) this.#chooseSide("buy");
    if (this.#hasNoPostOnly) this.#choosePostOnly(false);
    this.#view.showSide(this.#side, exchange);
    // A pair that is no longer listed has no current price.
    if (this.#quote && !this.#picker.pair(this.#quote.symbol)) this.#showQuote(undefined);
    this.#status.showMarket(pairs.length > 0, note);
  }

  #showOutcome({ notice, fields, busy, done, ended }: Message<"outcome">): void {
    this.#status.show(notice);
    const isOver = !busy && (notice !== undefined || this.#submit.isBusy);
    this.#submit.isBusy = busy;
    if (isOver) {
      this.#awaited = undefined;
      this.#saveState();
    }
    if (ended !== undefined) {
      if (ended === this.#draft.state.id) this.#notes.typing = undefined;
      this.#draft.end(ended, done);
      this.#showDraft();
      this.#remember();
    }
    this.#notes.setAnswers(fields);
    const firstWrong = FIELDS.find((field) => fields[field] !== undefined);
    if (firstWrong) focusInPage(this.#view.inputs[firstWrong]);
  }

  #takeProblems({ draft: checked, problems, bookFill }: Message<"problems">): void {
    const { message } = this.#draft;
    const isOutdated = (["id", "side", "symbol", "rate", "amount", "quantity", "postOnly"] as const).some(
      (part) => checked[part] !== message[part],
    );
    if (isOutdated) return;
    this.#notes.setProblems(problems);
    this.#book.showFill(bookFill);
  }

  /** Clears earlier messages about the draft after the user changed these fields. */
  #edited(...fields: readonly FormField[]): void {
    if (!this.#submit.isBusy && this.#status.isOfOrder) {
      this.#status.show(undefined);
      vscode.postMessage({ type: "dismissed" });
    }
    this.#showDraft();
    this.#notes.removeAnswers(...fields);
    this.#remember();
  }

  #submitDraft(): void {
    this.#notes.typing = undefined;
    this.#showDraft();
    const draft = (this.#awaited = this.#draft.submit());
    this.#remember();
    vscode.postMessage({ type: "submit", draft });
  }

  /** Switches sides, if the exchange offers the other one. */
  #chooseSide(side: Side): void {
    if (side === this.#side || (side === "sell" && !this.#exchange.offersAsks)) return;
    this.#notes.typing = undefined;
    this.#draft.chooseSide(side);
    this.#sideChanged();
    this.#edited("rate", "amount", "quantity");
  }

  #choosePostOnly(postOnly: boolean): void {
    if (postOnly === this.#draft.state.postOnly) return;
    this.#draft.setPostOnly(postOnly);
    this.#edited();
  }

  #sideChanged(): void {
    this.#view.showSide(this.#side, this.#exchange);
    this.#showQuote(this.#quote);
  }

  #choosePair(symbol: string): void {
    if (symbol === this.symbol) return;
    this.#draft.choosePair(symbol);
    this.#view.showSide(this.#side, this.#exchange);
    this.#pairChanged();
  }

  #pairChanged(): void {
    this.#notes.typing = undefined;
    this.#book.showFill(undefined);
    this.#notes.setProblems({});
    this.#showQuote(undefined);
    vscode.postMessage({ type: "select", symbol: this.symbol });
    this.#edited(...FIELDS);
  }

  #fill(fill: TicketFill): void {
    const before = this.#draft.message;
    this.#notes.typing = undefined;
    this.#draft.fillIn(fill);
    if (this.#hasNoAsks) this.#draft.chooseSide("buy");
    if (this.#hasNoPostOnly) this.#draft.setPostOnly(false);
    const now = this.#draft.message;
    if (now.side !== before.side) this.#sideChanged();
    if (now.symbol !== before.symbol) this.#pairChanged();
    else if (JSON.stringify(now) !== JSON.stringify(before)) this.#edited("rate", "amount", "quantity");
    // Figures filled in by others must not take focus from what the user types.
    if (isUnattended(fill.preparedBy)) return;
    const { pair, amount, rate } = this.#view.inputs;
    focusInPage(now.symbol === "" ? pair : now.amount === "" ? amount : rate);
  }

  #withdraw(): void {
    if (!isUnattended(this.#draft.state.preparedBy)) return;
    this.#notes.typing = undefined;
    this.#draft.withdraw();
    this.#sideChanged();
    this.#edited(...FIELDS);
  }

  #setRate(rate: string): void {
    this.#notes.typing = undefined;
    this.#draft.setRate(rate);
    this.#edited("rate");
  }

  #setAmount(act: () => void): void {
    this.#notes.typing = undefined;
    act();
    this.#edited("amount", "quantity");
  }

  #stepRate(steps: number): void {
    const { last, places = 0 } = this.#quote ?? {};
    this.#setRate(rateStep(this.#draft.state.rate, last, places, steps, this.#rules.rateStep));
  }

  #listenToSides(): void {
    for (const [side, input] of Object.entries(this.#view.sides) as [Side, HTMLInputElement][])
      input.addEventListener("change", () => this.#chooseSide(side));
    const { postOnly } = this.#view;
    postOnly.addEventListener("change", () => this.#choosePostOnly(postOnly.checked));
    document.addEventListener("keydown", (event) => {
      const { target, altKey, ctrlKey, metaKey } = event;
      const isTyping = target instanceof HTMLInputElement && !["radio", "checkbox"].includes(target.type);
      if (isTyping || altKey || ctrlKey || metaKey) return;
      const key = shortcutKey(event);
      if (key === "b") this.#chooseSide("buy");
      if (key === "s") this.#chooseSide("sell");
    });
  }

  #listenToLock(): void {
    const button = element("lock", HTMLButtonElement);
    const show = (): void => button.setAttribute("aria-pressed", String(this.#isLocked));
    show();
    button.addEventListener("click", () => {
      this.#isLocked = !this.#isLocked;
      show();
      this.#saveState();
      vscode.postMessage({ type: "lock", locked: this.#isLocked });
    });
  }

  #listenToFigures(): void {
    const { inputs } = this.#view;
    inputs.pair.addEventListener("input", () => this.#notes.removeAnswers("pair"));
    for (const [field, apply] of [
      ["rate", (text: string) => this.#draft.setRate(text)],
      ["amount", (text: string) => this.#draft.setAmount(text)],
      ["quantity", (text: string) => this.#draft.setQuantity(text)],
    ] as const) {
      inputs[field].addEventListener("input", () => {
        this.#notes.typing = field;
        apply(typedFigure(inputs[field].value, this.#figures, this.#assets[field]));
        this.#edited(...(field === "rate" ? [field] : (["amount", "quantity"] as const)));
      });
      inputs[field].addEventListener("blur", () => {
        this.#notes.typing = undefined;
        this.#showDraft();
        this.#notes.show();
      });
    }
    for (const input of [inputs.amount, inputs.quantity]) {
      // The field of a hidden figure is empty, so deleting the figure does not change the field.
      input.addEventListener("keydown", ({ key }) => {
        if ((key === "Backspace" || key === "Delete") && isHidden(this.#draft.state, this.#quote))
          this.#setAmount(() => this.#draft.setAmount(""));
      });
    }
  }

  #listenToShares(): void {
    for (const button of this.#view.shares) {
      button.addEventListener("click", () => {
        const quote = this.#quote;
        const available = parseDecimal((quote && availableOf(quote, this.#side)) ?? "");
        const share = button.dataset["share"] ?? "0";
        if (!quote || !available) return;
        const asset = assetsOf(this.#side, quote).amount;
        this.#setAmount(() => this.#draft.setShare(share, available, asset));
      });
    }
  }

  #listenToRateButtons(): void {
    for (const [id, price] of [
      ["use-last", "last"],
      ["use-best-bid", "bestBid"],
      ["use-best-ask", "bestAsk"],
    ] as const) {
      element(id, HTMLButtonElement).addEventListener("click", () => {
        const rate = this.#prices[price];
        if (rate !== undefined) this.#setRate(rate);
      });
    }
    element("rate-down", HTMLButtonElement).addEventListener("click", () => this.#stepRate(-1));
    element("rate-up", HTMLButtonElement).addEventListener("click", () => this.#stepRate(1));
    this.#view.inputs.rate.addEventListener("keydown", (event) => {
      const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (direction === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      this.#stepRate(event.shiftKey ? BIG_STEP * direction : direction);
    });
  }
}

const takeFocus = restoreFocus();
const page = new TicketPage();
// Streamed messages; a draft's problems change with the book.
const streamed: ReadonlySet<string> = new Set(["quote", "book", "problems"]);
receiveInFrames<ToTicket>(
  ({ type }) => (streamed.has(type) ? type : undefined),
  (message) => page.receive(message),
);
sendEchoes((echo) => vscode.postMessage(echo));
reportInput(document, () => vscode.postMessage({ type: "input" }));
page.postReady();
page.askOutcome();
onHostSilence((isSilent) => (page.isHostSilent = isSilent));
