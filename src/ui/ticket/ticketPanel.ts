import * as vscode from "vscode";
import { PREPARED_ORDER_MS, type PreparedDraft } from "../../assistant/preparedDrafts.ts";
import { commandIds, panelTypes, settingKeys, viewIds } from "../../contributions.ts";
import { Throttle } from "../../desk/time/throttle.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { orderOfDraft } from "../../desk/orders/orderOfDraft.ts";
import { endsDraft } from "../../desk/orders/orderPlacer.ts";
import { type AccountRef, accountId, isSameOrder, type OrderName } from "../../market/order.ts";
import { hasFigures, isUnattended } from "../../protocol/draftFigures.ts";
import type {
  FormAction,
  FormDraft,
  FormNotice,
  FromTicket,
  TicketFill,
  ToTicket,
} from "../../protocol/ticket.ts";
import { readFromTicket, readTicketState } from "../../protocol/ticket.ts";
import type { FormBookFill } from "../../protocol/ticketBook.ts";
import type { OwnOrder } from "../../storage/orders/order.ts";
import { errorLine } from "../../desk/errorLine.ts";
import type { ActivePair } from "../activePair.ts";
import { offer, switchLink } from "../commands.ts";
import { VisiblePrices } from "../visiblePrices.ts";
import { accountText } from "../text/accountText.ts";
import { PageAge } from "../pages/pageAge.ts";
import { columnFor, tabsOf } from "../pages/pageColumn.ts";
import { onPageMessage } from "../pages/pages.ts";
import { preparePanel } from "../pages/webviewPage.ts";
import { amountsAreHidden, onDidChangeSettings, privacyKeys } from "../settings.ts";
import { shownAmounts } from "../text/amountText.ts";
import { bookFillTexts } from "./bookText.ts";
import { TicketBook } from "./ticketBook.ts";
import { ticketHtml } from "./ticketHtml.ts";
import { draftProblems } from "./draftProblems.ts";
import { amountLeft, orderLine } from "./orderLine.ts";
import { outcomeTexts, settledTexts, type OutcomeTexts } from "./outcomeText.ts";
import { PreparedFigures } from "./preparedFigures.ts";
import { TicketMarket } from "./ticketMarket.ts";

type Outcome = Omit<Extract<ToTicket, { type: "outcome" }>, "type">;

const NO_OUTCOME: Outcome = { notice: undefined, fields: {}, busy: false, done: false, ended: undefined };

/** Interval of streamed updates to the list of pairs, ms: the page redraws the whole list. */
const LIVE_LIST_MS = 2000;

/** For this time after a confirmation, the user looks at the ticket for its outcome, ms. */
const JUST_CONFIRMED_MS = 60_000;

/** Actions on the order whose outcome is shown. */
type OrderAction = "viewOrder" | "orderAgain" | "cancelOrder" | "changeOrder";

const ACTION_COMMANDS: Record<Exclude<FormAction, OrderAction | "dismissHint">, string> = {
  setCredentials: commandIds.setCredentials,
  showLog: commandIds.showLog,
  refresh: commandIds.refresh,
  testConnection: commandIds.testConnection,
  switchAccount: commandIds.switchAccount,
  showOrders: `${viewIds.orders}.focus`,
};
/** Their argument is the order's id. */
const ORDER_COMMANDS: Record<Exclude<OrderAction, "changeOrder">, string> = {
  viewOrder: commandIds.revealOrder,
  orderAgain: commandIds.orderAgain,
  cancelOrder: commandIds.cancelOrder,
};

interface ShownOrder {
  readonly id: string;
  readonly state: string;
}

export interface TicketWindow {
  readonly activePair: ActivePair;
  /** Symbols of the pairs, in the order of Markets. */
  readonly symbols: () => readonly string[];
}

/**
 * The order ticket. Its page may be destroyed and recreated; drafts and the last outcome live until the user closes the
 * ticket.
 */
export class TicketPanel extends Disposable {
  readonly #desk: Desk;
  readonly #extensionUri: vscode.Uri;
  readonly #activePair: ActivePair;
  readonly #market: TicketMarket;
  readonly #age: PageAge;
  readonly #prices: VisiblePrices;
  readonly #prepared = new PreparedFigures();
  /** Listed pairs with streamed price changes not yet sent. */
  readonly #streamed: Throttle<string>;
  readonly #book: TicketBook;
  #panel: vscode.WebviewPanel | undefined;
  /** The ticket's pair, also while its page is hidden. */
  #symbol = "";
  /** Keeps its pair when the active pair changes. */
  #isLocked = false;
  /** The note last sent to the page. */
  #note = "";
  #draft: FormDraft | undefined;
  /** Drafts by symbol, as far as the page has reported them for the account. */
  readonly #drafts = new Map<string, FormDraft>();
  /** Figures to fill in when the page is ready, and the account they were requested for. */
  #fill: { fill: TicketFill; account: string } | undefined;
  #pageIsReady = false;
  #pageWaits = false;
  #outcome = NO_OUTCOME;
  /** Renders the outcome's text; called again when privacy mode changes. */
  #outcomeTexts: (() => OutcomeTexts) | undefined;
  /** The order of the shown outcome, and the state it describes. */
  #order: ShownOrder | undefined;
  /** The order of which what is left is filled in once it was cancelled, unless the user moves on before. */
  #changedOrder: string | undefined;

  constructor(desk: Desk, extensionUri: vscode.Uri, { activePair, symbols }: TicketWindow) {
    super();
    this.#desk = desk;
    this.#activePair = activePair;
    this.#extensionUri = extensionUri;
    const { tickers, balances, venue, orders, placer, timers } = desk;
    this.#streamed = new Throttle({
      timers,
      everyMs: () => LIVE_LIST_MS,
      deliver: () => this.#send(this.#market.market()),
    });
    this.#market = new TicketMarket(desk, symbols);
    this.register(() => this.#panel?.dispose());
    this.#age = this.register(new PageAge(desk, (text) => this.#send({ type: "age", text })));
    this.#prices = this.register(new VisiblePrices(tickers, "page"));
    // The immediate fill changes with the book.
    this.#book = this.register(
      new TicketBook(desk, (book) => {
        this.#send({ type: "book", book });
        this.#sendProblems();
      }),
    );
    this.register(
      // The shown pair does not wait for the list.
      tickers.onDidChange(({ change, isStreamed }) => {
        if (isStreamed && change?.changed.includes(this.#symbol ?? "")) this.#sendQuote();
      }),
      this.#streamed,
      tickers.onDidChangePaced(({ change, isStreamed }) => {
        if (isStreamed && change) this.#streamed.add(change.changed);
        else if (change) this.#sendMarket();
        else if (this.#market.note(this.#symbol) !== this.#note) this.#sendQuote();
      }),
      balances.onDidChange(() => this.#sendQuote()),
      // With the names of the coins.
      placer.onDidChangeRules(() => this.#sendMarket()),
      orders.onDidChange(() => {
        this.#sendWait();
        this.#followOrder();
      }),
      desk.onDidAsk(() => this.#showBusy(vscode.l10n.t("Waiting for your confirmation…"))),
      desk.onDidConfirm(({ name }) => {
        this.#showBusy(vscode.l10n.t("Sending to {0}…", name));
        this.#returnFocus();
      }),
      venue.onDidSignIn(() => this.#sendMarket()),
      venue.onDidChange(() => {
        const { busy, done, ended } = this.#outcome;
        this.#showOutcome({ ...NO_OUTCOME, busy, done, ended });
        this.#sendMarket();
        this.#sendWait();
      }),
      onDidChangeSettings(privacyKeys, () => this.#followPrivacy()),
      onDidChangeSettings([settingKeys.invertColors], () => this.#sendMarket()),
      activePair.onDidSet((symbol) => this.#follow(symbol)),
    );
  }

  /**
   * Shows the ticket and fills in the given figures; everything else typed for the pair stays. Figures of another
   * account (`from`) are not filled in: a message offers to switch to that account first.
   */
  open(fill: TicketFill, from?: AccountRef): void {
    if (!from || accountId(from) === this.#market.account) return this.#show(fill);
    const text = vscode.l10n.t(
      "This order is from {0}, but this window is on another account. Nothing was filled in. Switch to {0} first, then try again.",
      accountText(from, this.#desk.accounts),
    );
    void offer("showWarningMessage", text, switchLink());
  }

  /** Shows the ticket to somebody who has never used one, with a line on how to, and without taking the focus. */
  introduce(symbol: string): void {
    const text = vscode.l10n.t("Click a price, type an amount, press Enter.");
    const actions = [{ id: "dismissHint", title: vscode.l10n.t("Got It") }] as const;
    this.#showOutcome({ ...NO_OUTCOME, notice: { tone: "info", text, actions, isHint: true } });
    this.#show({ side: "buy", symbol }, true);
  }

  /**
   * Shows a prepared draft without taking the focus. Returns false and changes nothing if the ticket contains figures,
   * if others were set aside for this pair, or if an order is being confirmed or sent. `onRemoved` is called when the
   * draft has left the ticket.
   */
  openPrepared(draft: PreparedDraft, onRemoved: () => void): boolean {
    const { side, symbol, amount, rate, postOnly, by } = draft;
    const { fill } = this.#fill ?? {};
    const isRequested = fill?.amount !== undefined || fill?.rate !== undefined;
    const isTyped = [this.#draft, this.#drafts.get(symbol)].some((each) => each && hasFigures(each));
    if (this.#outcome.busy || isRequested || isTyped) return false;
    this.#prepared.begin(draft, onRemoved);
    this.#forgetOutcome();
    const figures = { amount, ...(rate !== "" && { rate }), postOnly, preparedBy: by };
    this.#show({ side, symbol, ...figures });
    return true;
  }

  /** Removes a prepared draft that the user has not touched. */
  withdraw(id: string): void {
    if (!this.#prepared.isUntouched(id)) return;
    this.#prepared.end();
    if (isUnattended(this.#fill?.fill.preparedBy)) this.#fill = undefined;
    if (isUnattended(this.#draft?.preparedBy)) this.#draft = undefined;
    this.#send({ type: "withdraw" });
    const text = vscode.l10n.t("The prepared order expired after {0} seconds.", PREPARED_ORDER_MS / 1000);
    if (!this.#outcome.busy) this.#showOutcome({ ...NO_OUTCOME, notice: { tone: "info", text } });
  }

  #show(fill: TicketFill, preserveFocus = isUnattended(fill.preparedBy)): void {
    const { account } = this.#market;
    // Set before the panel gets the focus, which makes its pair the active one.
    this.#symbol = fill.symbol ?? this.#symbol;
    if (this.#panel) {
      // A hidden or loading page would miss the message; it requests the fill when ready.
      if (this.#pageIsReady) this.#send({ type: "fill", fill });
      else if (!this.#fill || fill.symbol !== undefined || fill.side !== this.#fill.fill.side) {
        this.#fill = { fill, account };
      }
      this.#panel.reveal(undefined, preserveFocus);
      return;
    }
    this.#fill = { fill, account };
    const options = { enableScripts: true };
    const column = { viewColumn: columnFor(panelTypes.bidForm), preserveFocus };
    const title = vscode.l10n.t("Order Ticket");
    const orphans = tabsOf(panelTypes.bidForm);
    void this.attach(vscode.window.createWebviewPanel(panelTypes.bidForm, title, column, options));
    // Tickets of a stopped extension host are dead, but would look like this one.
    if (orphans.length > 0) void vscode.window.tabGroups.close(orphans, true);
  }

  /**
   * The active pair changed. Each pair keeps its figures; an order in progress and a prepared draft stay in view.
   */
  #follow(symbol: string): void {
    const staysOnPair = this.#isLocked || this.#outcome.busy || this.#prepared.isPresent;
    if (!this.#panel || staysOnPair || symbol === this.#symbol) return;
    this.#symbol = symbol;
    if (this.#pageIsReady) this.#send({ type: "follow", symbol });
  }

  /** Renders into a new panel, or one restored after a window reload. `state` is what its page stored. */
  async attach(panel: vscode.WebviewPanel, state?: unknown): Promise<void> {
    const extensionUri = this.#extensionUri;
    this.#panel?.dispose();
    this.#panel = panel;
    this.#pageIsReady = false;
    this.#draft = readTicketState(state);
    preparePanel(panel, extensionUri);
    panel.onDidChangeViewState(() => this.#followVisibility());
    panel.onDidDispose(() => {
      if (this.#panel !== panel) return;
      this.#panel = undefined;
      this.#prepared.end();
      this.#forgetDrafts();
      this.#followVisibility();
      this.#forgetOutcome();
    });
    this.#followVisibility();
    const html = await ticketHtml(panel.webview, extensionUri, this.#desk.placer.rules);
    if (this.#panel !== panel) return;
    onPageMessage(panel, (message) => {
      const read = readFromTicket(message);
      if (read) this.#handle(read);
      else this.#desk.log.warn("The order ticket sent a message that is unknown; the message was ignored.");
    });
    panel.webview.html = html;
  }

  #followVisibility(): void {
    const visible = this.#panel?.visible ?? false;
    if (!visible) {
      this.#pageIsReady = false;
      this.#age.setPage(false);
      this.#book.setPage(false);
    }
    this.#updateDemand();
    this.#makeActive();
  }

  /** Makes the ticket's pair active, unless somebody else filled it in. */
  #makeActive(): void {
    if (this.#panel?.active && this.#symbol !== "" && !this.#prepared.isPresent)
      this.#activePair.set(this.#symbol);
  }

  /** Requests prices, open orders and the book of the ticket's pair while it is visible. */
  #updateDemand(): void {
    const { visibleOrders, book } = this.#desk;
    const isVisible = this.#panel?.visible === true;
    this.#prices.set(isVisible ? [this.#symbol] : undefined);
    visibleOrders.set(this, isVisible ? [this.#symbol] : undefined);
    book.show(isVisible && this.#symbol !== "" ? this.#symbol : undefined);
  }

  #handle(message: FromTicket): void {
    switch (message.type) {
      case "ready":
        this.#pageIsReady = true;
        if (this.#symbol === "" || this.#fillIsOfAnother) this.#symbol = message.symbol;
        this.#updateDemand();
        this.#sendMarket();
        this.#age.setPage(true);
        this.#book.setPage(true);
        // A prepared draft does not survive a window reload.
        if (!this.#prepared.isPresent) this.#send({ type: "withdraw" });
        if (this.#symbol !== message.symbol && this.#fill?.fill.symbol === undefined)
          this.#send({ type: "follow", symbol: this.#symbol });
        this.#sendFill();
        this.#send({ type: "outcome", ...this.#outcome });
        this.#sendWait();
        this.#makeActive();
        break;
      case "lock":
        this.#isLocked = message.locked;
        break;
      case "select":
        this.#symbol = message.symbol;
        this.#updateDemand();
        this.#sendQuote();
        this.#makeActive();
        break;
      case "awaits":
        void this.#reportOutcomeOf(message.draft);
        break;
      case "edited":
        this.#noteDraft(message.draft);
        this.#prepared.follow(message.draft);
        this.#sendProblems();
        break;
      case "submit":
        void this.#submit(message.draft);
        break;
      case "dismissed":
        this.#forgetOutcome();
        break;
      case "input":
        this.#desk.presence.noteInput();
        break;
      case "action":
        void this.#act(message.action);
        break;
    }
  }

  async #submit(draft: FormDraft): Promise<void> {
    const { log, tickers } = this.#desk;
    this.#prepared.markSubmitted();
    this.#changedOrder = undefined;
    const ticker = tickers.ticker(draft.symbol);
    const places = ticker && tickers.placesOf(ticker);
    if (!this.#outcome.busy) this.#showBusy(vscode.l10n.t("Checking the current price…"));
    const outcome = await this.#desk.placeOrder(draft);
    if (outcome.kind === "busy") return;
    if (outcome.kind === "cancelled") this.#returnFocus();
    if ("error" in outcome) log.warn(`Order ${outcome.kind}: ${errorLine(outcome.error)}`);
    else log.info(`Order ${outcome.kind}`);
    const ended = endsDraft(outcome) ? draft.id : undefined;
    const { side, amount, rate } = draft;
    const terms = { side, ...(ticker?.pair ?? { quote: "", base: "" }), typed: { amount, rate } };
    const words = (): OutcomeTexts =>
      outcomeTexts(outcome, terms, shownAmounts(), places, this.#record?.known);
    if (outcome.kind === "accepted") this.#prepared.end();
    if (ended !== undefined) this.#forgetDraft(ended);
    const order = "id" in outcome ? { id: outcome.id, state: outcome.kind } : undefined;
    this.#showOutcome({ ...words(), busy: false, ended }, words, order);
    this.#followOrder();
    this.#sendWait();
  }

  /** Reports the outcome of a draft that a page of an earlier extension host submitted without receiving an outcome. */
  async #reportOutcomeOf(draft: FormDraft): Promise<void> {
    const { orders, log } = this.#desk;
    const isAnswered = (): boolean => this.#outcome.busy || this.#outcome.notice !== undefined;
    if (isAnswered()) return;
    const order = await orderOfDraft(orders, draft).catch((error: unknown) => {
      log.warn(`Outcome of a submitted draft: ${errorLine(error)}`);
      return "unreadable" as const;
    });
    if (order === "unreadable" || isAnswered()) return;
    if (!order) {
      const text = vscode.l10n.t("Bidside stopped before your order was sent. Nothing was spent or sold.");
      return this.#showOutcome({ ...NO_OUTCOME, notice: { tone: "info", text } });
    }
    const isPlaced = order.state === "accepted";
    if (isPlaced) this.#prepared.end();
    this.#forgetDraft(draft.id);
    this.#showOrder(order, { done: isPlaced, ended: draft.id });
    this.#followOrder();
  }

  /** Cancels an open order after a question, and fills in what is left of it once its end is proven. */
  async changeOrder(order: OwnOrder): Promise<void> {
    const { id, symbol } = order.intent;
    this.#changedOrder = id;
    const isRequested = await vscode.commands.executeCommand<boolean>(commandIds.cancelOrder, id);
    if (this.#changedOrder !== id) return;
    if (!isRequested) return void (this.#changedOrder = undefined);
    if (this.#order?.id !== id) {
      // With an earlier outcome on screen, the page would report that the user has moved on.
      this.#showOutcome(NO_OUTCOME);
      this.#show({ symbol });
      this.#showOrder(order, {});
    }
    this.#followOrder();
  }

  /** Whether the user confirmed this order a moment ago, and sees its outcome here. */
  isShowing(name: OrderName): boolean {
    if (!this.#panel?.visible || !vscode.window.state.focused || !this.#outcomeTexts) return false;
    const order = this.#record;
    if (!order?.name || !isSameOrder(order.name, name)) return false;
    return this.#desk.timers.now() - order.intent.at < JUST_CONFIRMED_MS;
  }

  #showOrder(order: OwnOrder, outcome: Partial<Outcome>): void {
    const words = (): OutcomeTexts => settledTexts(this.#record ?? order, shownAmounts());
    const shown = { id: order.intent.id, state: order.state };
    this.#showOutcome({ ...NO_OUTCOME, ...words(), ...outcome }, words, shown);
  }

  #noteDraft(draft: FormDraft): void {
    if (this.#draft?.account !== draft.account) this.#drafts.clear();
    this.#draft = draft;
    if (isUnattended(draft.preparedBy)) this.#drafts.delete(draft.symbol);
    else this.#drafts.set(draft.symbol, draft);
  }

  /** Drops a draft that has ended; the page reports the one that replaces it. */
  #forgetDraft(id: string): void {
    for (const [symbol, draft] of this.#drafts) if (draft.id === id) this.#drafts.delete(symbol);
    if (this.#draft?.id === id) this.#draft = undefined;
  }

  /** A reopened ticket starts empty. */
  #forgetDrafts(): void {
    this.#drafts.clear();
    this.#draft = this.#fill = undefined;
    this.#symbol = "";
    this.#isLocked = false;
  }

  #showBusy(text: string): void {
    this.#showOutcome({ ...NO_OUTCOME, notice: { tone: "info", text }, busy: true });
  }

  #showOutcome(outcome: Outcome, words?: () => OutcomeTexts, order?: ShownOrder): void {
    this.#outcomeTexts = words;
    this.#order = order;
    this.#outcome = { ...outcome, notice: this.#withLine(outcome.notice) };
    this.#send({ type: "outcome", ...this.#outcome });
  }

  /** Adds an accepted order's line and actions to its notice, unless the notice has an action of its own. */
  #withLine(notice: FormNotice | undefined): FormNotice | undefined {
    const order = this.#record;
    if (!notice || notice.actions || order?.state !== "accepted") return notice;
    return { ...notice, ...orderLine(order, this.#desk.venue, shownAmounts()) };
  }

  async #act(action: FormAction): Promise<void> {
    const { executeCommand } = vscode.commands;
    if (action === "dismissHint") return this.#showOutcome(NO_OUTCOME);
    if (!isOrderAction(action)) return void (await executeCommand(ACTION_COMMANDS[action]));
    const order = this.#record;
    if (!order) return;
    if (action === "changeOrder") await this.changeOrder(order);
    else await executeCommand(ORDER_COMMANDS[action], order.intent.id);
  }

  /** Stops showing the outcome and following its order, unless the order is still in progress. */
  #forgetOutcome(): void {
    if (!this.#outcome.busy) this.#outcome = NO_OUTCOME;
    this.#outcomeTexts = this.#order = this.#changedOrder = undefined;
  }

  /** Call when the user has answered the confirmation. */
  #returnFocus(): void {
    if (this.#panel?.active) this.#send({ type: "focus" });
  }

  /** Updates the outcome's text when an unknown outcome is resolved, and with each fill and the order's end. */
  #followOrder(): void {
    const order = this.#record;
    if (!order || order.state === "sending") return;
    if (order.state !== this.#order?.state) {
      this.#order = { id: order.intent.id, state: order.state };
      this.#outcomeTexts = () => settledTexts(this.#record ?? order, shownAmounts());
    }
    this.#updateOutcome();
    const { intent } = order;
    const amount = this.#changedOrder === intent.id ? amountLeft(order) : undefined;
    if (amount === undefined) return;
    this.#changedOrder = undefined;
    const { side, symbol, rate, postOnly = false } = intent;
    this.open({ side, symbol, amount, rate, postOnly, preparedBy: "order" }, intent);
  }

  /** The order of the shown outcome. */
  get #record(): OwnOrder | undefined {
    const id = this.#order?.id;
    return id === undefined ? undefined : this.#desk.orders.own.find(({ intent }) => intent.id === id);
  }

  #followPrivacy(): void {
    this.#sendQuote();
    this.#updateOutcome();
  }

  #updateOutcome(): void {
    if (!this.#outcomeTexts) return;
    const { notice: text, fields } = this.#outcomeTexts();
    const notice = this.#withLine(text);
    if (JSON.stringify(notice) === JSON.stringify(this.#outcome.notice)) return;
    this.#outcome = { ...this.#outcome, notice, fields };
    this.#send({ type: "outcome", ...this.#outcome, done: false, ended: undefined });
  }

  /** A duration, because the page's clock may differ from the host's. */
  #sendWait(): void {
    const { orders, venue } = this.#desk;
    const ms = venue.venue ? orders.waitMs(venue.venue) : 0;
    if (ms > 0 || this.#pageWaits) this.#send({ type: "wait", ms });
    this.#pageWaits = ms > 0;
  }

  #sendFill(): void {
    if (!this.#fill) return;
    const fill = this.#fillIsOfAnother ? {} : this.#fill.fill;
    this.#fill = undefined;
    this.#send({ type: "fill", fill });
  }

  /** Whether the figures to fill in were requested for another account. */
  get #fillIsOfAnother(): boolean {
    return this.#fill !== undefined && this.#fill.account !== this.#market.account;
  }

  #sendMarket(): void {
    this.#send(this.#market.market());
    this.#sendQuote();
  }

  #sendQuote(): void {
    const quote = this.#market.quote(this.#symbol);
    if (quote) {
      this.#note = quote.note;
      this.#send({ type: "quote", quote });
    }
    this.#sendProblems();
  }

  #sendProblems(): void {
    const { tickers } = this.#desk;
    const draft = this.#draft;
    if (draft?.account !== this.#market.account) return;
    if (tickers.state.readAt === undefined) return;
    const pair = tickers.ticker(draft.symbol)?.pair;
    const problems = draftProblems(draft, this.#desk.placer.problems(draft), pair, shownAmounts());
    this.#send({ type: "problems", draft, problems, bookFill: this.#bookFill(draft) });
  }

  #bookFill(draft: FormDraft): FormBookFill | undefined {
    const ticker = this.#desk.tickers.ticker(draft.symbol);
    const bookFill = ticker && this.#desk.placer.bookFill(draft);
    const isHidden = draft.share !== "" && amountsAreHidden();
    return bookFill && bookFillTexts(bookFill, this.#desk.tickers.placesOf(ticker), isHidden);
  }

  #send(message: ToTicket): void {
    void this.#panel?.webview.postMessage(message);
  }
}

function isOrderAction(action: FormAction): action is OrderAction {
  return action === "changeOrder" || Object.hasOwn(ORDER_COMMANDS, action);
}
