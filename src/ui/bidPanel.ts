import * as vscode from "vscode";
import { commandIds, panelTypes, settingKeys, viewIds } from "../contributions.ts";
import type { BalanceFeed } from "../desk/balanceFeed.ts";
import type { Orders } from "../desk/orders.ts";
import { endsDraft, type BidDesk } from "../desk/placeBid.ts";
import type { SharedDesk } from "../desk/sharedDesk.ts";
import type { TickerFeed } from "../desk/tickerFeed.ts";
import type { Timers } from "../desk/timers.ts";
import type { CurrentVenue } from "../desk/venue.ts";
import { freeOf } from "../market/balance.ts";
import { plainText, quotedPrice } from "../market/decimal.ts";
import type {
  FormAction,
  FormDraft,
  FormNotice,
  FormQuote,
  FromBidForm,
  ToBidForm,
} from "../panels/bidForm.ts";
import { bidHtml } from "./bidHtml.ts";
import { outcomeTexts, unknownBalanceText, type OutcomeTexts } from "./bidText.ts";
import { explain } from "./errorText.ts";
import { errorLine } from "./log.ts";
import { placesOf } from "./numberText.ts";
import { PageAge } from "./pageAge.ts";
import { priceAge } from "./priceAge.ts";
import { amountsAreHidden, onDidChangeSettings } from "./settings.ts";
import { pageIcon, pageOptions } from "./pageHtml.ts";

export interface BidPanelParts {
  readonly extensionUri: vscode.Uri;
  readonly tickers: TickerFeed;
  readonly balances: BalanceFeed;
  /** Reads for this window, in whichever window does. */
  readonly shared: {
    readonly market: Pick<SharedDesk["market"], "refresh">;
    readonly balance: Pick<SharedDesk["balance"], "refreshEverywhere">;
  };
  readonly venue: CurrentVenue;
  readonly desk: BidDesk;
  readonly orders: Orders;
  /** The person used the page just now. */
  readonly noteInput: () => void;
  readonly timers: Timers;
  readonly log: vscode.LogOutputChannel;
}

type Outcome = Omit<Extract<ToBidForm, { type: "outcome" }>, "type">;

const NOTHING_SAID: Outcome = { notice: undefined, fields: {}, busy: false, done: false, ended: undefined };

const FRESH_MS = 5000;

const ACTION_COMMANDS: Record<FormAction, string> = {
  setCredentials: commandIds.setCredentials,
  showLog: commandIds.showLog,
  refresh: commandIds.refresh,
  switchVenue: commandIds.switchVenue,
  showOrders: `${viewIds.orders}.focus`,
};

/** The bid form: one panel, whose page may come and go while the draft and the last outcome stay. */
export class BidPanel implements vscode.Disposable {
  readonly #parts: BidPanelParts;
  readonly #disposables: vscode.Disposable[];
  readonly #age: PageAge;
  #panel: vscode.WebviewPanel | undefined;
  #unwatch: (() => void) | undefined;
  #symbol = "";
  /** What the page was told last beside the prices. */
  #note = "";
  #draft: Partial<FormDraft> = {};
  #prefill: Partial<FormDraft> | undefined;
  #pageIsReady = false;
  #pageWaits = false;
  #outcome = NOTHING_SAID;
  /** The outcome's words, put anew when amounts are hidden or shown. */
  #words: (() => OutcomeTexts) | undefined;

  constructor(parts: BidPanelParts) {
    this.#parts = parts;
    const { tickers, balances, venue, orders } = parts;
    this.#age = new PageAge(parts, (text) => this.#send({ type: "age", text }));
    this.#disposables = [
      vscode.Disposable.from(
        ...[
          tickers.onDidChange(({ rowsChanged, staleChanged, changed }) => {
            if (rowsChanged || staleChanged) this.#sendMarket();
            if (staleChanged || changed.includes(this.#symbol)) this.#sendQuote();
          }),
          tickers.onDidRead(() => this.#quoteNote() !== this.#note && this.#sendQuote()),
          balances.onDidChange(() => this.#sendQuote()),
          orders.onDidChange(() => this.#sendWait()),
          venue.onDidChange(() => {
            const { busy, done, ended } = this.#outcome;
            this.#say({ ...NOTHING_SAID, busy, done, ended });
            this.#sendMarket();
            this.#sendWait();
          }),
        ].map((remove) => new vscode.Disposable(remove)),
      ),
      onDidChangeSettings([settingKeys.hideAmounts], () => this.#followPrivacy()),
    ];
  }

  /** Shows the form, filled in with what is given; anything typed before stays. */
  open(given: Partial<FormDraft>): void {
    if (this.#panel) {
      // A page that is hidden or still loading would miss the message: it asks for what it missed when it is ready.
      if (this.#pageIsReady) this.#send({ type: "prefill", draft: given });
      else this.#prefill = { ...this.#prefill, ...given };
      this.#panel.reveal();
      return;
    }
    this.#prefill = { ...this.#draft, ...given };
    void this.#attach(
      vscode.window.createWebviewPanel(
        panelTypes.bidForm,
        vscode.l10n.t("Place Bid"),
        vscode.ViewColumn.Active,
        {
          enableScripts: true,
        },
      ),
    );
  }

  /** The editor was reloaded with the form open: the page brings its own draft. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    await this.#attach(panel);
  }

  dispose(): void {
    this.#parts.desk.dispose();
    this.#panel?.dispose();
    this.#age.dispose();
    for (const each of this.#disposables) each.dispose();
  }

  async #attach(panel: vscode.WebviewPanel): Promise<void> {
    const { extensionUri, desk } = this.#parts;
    this.#panel?.dispose();
    this.#panel = panel;
    this.#pageIsReady = false;
    panel.iconPath = pageIcon(extensionUri);
    panel.webview.options = pageOptions(extensionUri);
    panel.onDidChangeViewState(() => this.#followVisibility());
    panel.onDidDispose(() => {
      if (this.#panel !== panel) return;
      this.#panel = undefined;
      this.#followVisibility();
      if (!this.#outcome.busy) this.#outcome = NOTHING_SAID;
    });
    this.#followVisibility();
    const { readFromBidForm } = await import("../panels/bidForm.ts");
    const html = await bidHtml(panel.webview, extensionUri, desk.rules);
    if (this.#panel !== panel) return;
    panel.webview.onDidReceiveMessage((message: unknown) => {
      const read = readFromBidForm(message);
      if (read) this.#handle(read);
      else this.#parts.log.warn("The bid form sent a message that is none of its own; it was ignored.");
    });
    panel.webview.html = html;
  }

  #followVisibility(): void {
    const visible = this.#panel?.visible ?? false;
    if (!visible) {
      this.#pageIsReady = false;
      this.#age.setPage(false);
    }
    if (visible) this.#unwatch ??= this.#parts.tickers.watch();
    else {
      this.#unwatch?.();
      this.#unwatch = undefined;
    }
  }

  #handle(message: FromBidForm): void {
    switch (message.type) {
      case "ready":
        this.#pageIsReady = true;
        this.#symbol = message.symbol;
        this.#sendMarket();
        this.#age.setPage(true);
        if (this.#prefill) this.#send({ type: "prefill", draft: this.#prefill });
        this.#prefill = undefined;
        this.#send({ type: "outcome", ...this.#outcome });
        this.#sendWait();
        break;
      case "select":
        this.#symbol = message.symbol;
        this.#sendQuote();
        break;
      case "edited":
        this.#draft = message.draft;
        break;
      case "submit":
        void this.#submit(message.draft);
        break;
      case "close":
        this.#panel?.dispose();
        break;
      case "input":
        this.#parts.noteInput();
        break;
      case "action":
        void vscode.commands.executeCommand(ACTION_COMMANDS[message.action]);
        break;
    }
  }

  async #submit(draft: FormDraft): Promise<void> {
    const { desk, tickers, shared, log } = this.#parts;
    const quote = tickers.ticker(draft.symbol)?.pair.quote ?? "";
    if (!this.#outcome.busy) {
      this.#say({
        ...NOTHING_SAID,
        notice: {
          tone: "info",
          text: vscode.l10n.t("Waiting for your confirmation, then for the exchange…"),
        },
        busy: true,
      });
    }
    // Between two slow rounds the price may be older than an order is allowed to rest on.
    if ((tickers.ageMs ?? Number.POSITIVE_INFINITY) > FRESH_MS) await shared.market.refresh();
    const outcome = await desk.place(draft);
    if (outcome.kind === "busy") return;
    if ("error" in outcome) log.warn(`Bid ${outcome.kind}: ${errorLine(outcome.error)}`);
    else log.info(`Bid ${outcome.kind}`);
    const ended = endsDraft(outcome) ? draft.id : undefined;
    if (ended !== undefined && this.#draft.id === ended) {
      const { id: _, ...typed } = this.#draft;
      this.#draft = outcome.kind === "accepted" ? { ...typed, amount: "" } : typed;
    }
    const words = (): OutcomeTexts => outcomeTexts(outcome, quote);
    this.#say({ ...words(), busy: false, ended }, words);
    this.#sendWait();
  }

  #say(outcome: Outcome, words?: () => OutcomeTexts): void {
    this.#outcome = outcome;
    this.#words = words;
    this.#send({ type: "outcome", ...outcome });
  }

  #followPrivacy(): void {
    this.#sendQuote();
    if (!this.#words) return;
    const { notice, fields } = this.#words();
    this.#outcome = { ...this.#outcome, notice, fields };
    this.#send({ type: "outcome", ...this.#outcome, done: false, ended: undefined });
  }

  /** Milliseconds, because the page's clock is not the host's. */
  #sendWait(): void {
    const { orders, venue } = this.#parts;
    const ms = venue.venue ? orders.waitMs(venue.venue) : 0;
    if (ms > 0 || this.#pageWaits) this.#send({ type: "wait", ms });
    this.#pageWaits = ms > 0;
  }

  #sendMarket(): void {
    const { venue, tickers } = this.#parts;
    const { state } = venue;
    const symbols = [...tickers.state.tickers.keys()].sort();
    this.#send({
      type: "market",
      venue: { name: state.kind === "ready" ? state.venue.name : "", live: venue.id === "live" },
      pairs: symbols.map((symbol) => ({ symbol, frozen: tickers.ticker(symbol)?.frozen ?? false })),
      note: this.#marketNote(),
    });
  }

  #marketNote(): FormNotice | undefined {
    const { venue, tickers } = this.#parts;
    const { state } = venue;
    if (state.kind === "unusable") {
      return {
        tone: "bad",
        text: explain(state.error, "").sentence,
        action: { id: "switchVenue", title: vscode.l10n.t("Switch Venue") },
      };
    }
    const { problem, readAt } = tickers.state;
    if (problem !== undefined && state.kind === "ready") {
      return {
        tone: "bad",
        text: explain(problem, state.venue.name).sentence,
        action: { id: "refresh", title: vscode.l10n.t("Refresh") },
      };
    }
    if (readAt === undefined) return { tone: "info", text: vscode.l10n.t("Reading the market…") };
    return { tone: "info", text: vscode.l10n.t("The exchange lists no pairs now.") };
  }

  #sendQuote(): void {
    const quote = this.#quote();
    if (!quote) return;
    this.#note = quote.note;
    this.#send({ type: "quote", quote });
  }

  #quote(): FormQuote | undefined {
    const { tickers, balances } = this.#parts;
    const ticker = tickers.ticker(this.#symbol);
    if (!ticker) return undefined;
    const { wallet } = balances.state;
    const available = wallet && freeOf(wallet, ticker.pair.quote);
    return {
      symbol: ticker.symbol,
      ...ticker.pair,
      last: optionalPrice(ticker.last),
      bestBid: optionalPrice(ticker.bestBid),
      bestAsk: optionalPrice(ticker.bestAsk),
      places: placesOf(ticker),
      available: available && plainText(available),
      hidden: amountsAreHidden(),
      note: this.#quoteNote(),
    };
  }

  #quoteNote(): string {
    const { tickers, balances, venue } = this.#parts;
    const old = priceAge(tickers, venue);
    if (old) return old.why;
    const trouble = balances.state.problem;
    if (trouble !== undefined) return explain(trouble, venue.venue?.name ?? "").sentence;
    const quote = tickers.ticker(this.#symbol)?.pair.quote ?? "";
    return balances.state.wallet?.get(quote) === "unreadable" ? unknownBalanceText(quote) : "";
  }

  #send(message: ToBidForm): void {
    void this.#panel?.webview.postMessage(message);
  }
}

function optionalPrice(price: number | undefined): string | undefined {
  return price === undefined ? undefined : quotedPrice(price);
}
