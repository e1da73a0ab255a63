import * as vscode from "vscode";
import { settingKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import { Disposable } from "../../desk/disposable.ts";
import { ChartFeed } from "../../desk/feeds/chartFeed.ts";
import type { OrderPlacer } from "../../desk/orders/orderPlacer.ts";
import type { Alerts } from "../../desk/alerts/alerts.ts";
import type { Candle } from "../../market/candle.ts";
import type { Interval } from "../../market/intervals.ts";
import { plainText, quotedIfKnown } from "../../market/numbers/decimal.ts";
import { pairName } from "../../market/pair.ts";
import { readFromChart, type FromChart, type ToChart } from "../../protocol/chart.ts";
import { offersAsks } from "../../desk/venue.ts";
import { errorLine } from "../../desk/errorLine.ts";
import { executeCommand, run } from "../commands.ts";
import { VisiblePrices } from "../visiblePrices.ts";
import { PageAge } from "../pages/pageAge.ts";
import { onPageMessage } from "../pages/pages.ts";
import { saveFile } from "../saveFile.ts";
import { showStatusMessage } from "../statusMessage.ts";
import { preparePanel } from "../pages/webviewPage.ts";
import {
  chosenStudies,
  colorsAreInverted,
  onDidChangeSettings,
  markSettings,
  save,
  scaleIsLogarithmic,
  shownMarks,
  showStudy,
  privacyKeys,
} from "../settings.ts";
import { shownAmounts } from "../text/amountText.ts";
import { explain } from "../text/errorText.ts";
import { hourCycle } from "../text/hourCycle.ts";
import { arrowText } from "../text/numberText.ts";
import type { SelectedLine } from "../selectedLine.ts";
import type { Ticket } from "../ticket/ticket.ts";
import { chartHtml } from "./chartHtml.ts";
import { marksOf, mayHaveMarks } from "./chartMarks.ts";
import { changeLine } from "./lineChanges.ts";
import { editPeriods } from "./studyPeriods.ts";

const UNMARKED = JSON.stringify([]);

export interface ChartDesk extends Pick<
  Desk,
  | "tickers"
  | "venue"
  | "timers"
  | "history"
  | "log"
  | "orders"
  | "visibleOrders"
  | "alerts"
  | "lines"
  | "elsewhere"
> {
  readonly presence: Pick<Desk["presence"], "noteInput">;
  readonly dayPrices: Pick<Desk["dayPrices"], "learn">;
  /** The exchange's rules for its pairs. */
  readonly placer: Pick<OrderPlacer, "rulesOf" | "onDidChangeRules">;
}

export interface ChartContent {
  readonly symbol: string;
  /** Whether it keeps its pair when the active pair changes; default false. */
  readonly locked?: boolean | undefined;
  /** From a page restored after a window reload, or from the chart that this one replaces; default one minute. */
  readonly interval?: Interval | undefined;
}

/** What a chart uses of its window. */
interface ChartSurroundings {
  readonly selectedLine: SelectedLine;
  readonly open: Ticket["open"];
  readonly lock: (isLocked: boolean) => void;
  /** Opens another chart of the pair. */
  readonly openBeside: () => void;
  /** The crosshair is at this time, ms since the epoch; undefined: it is hidden. */
  readonly point: (at: number | undefined) => void;
}

/** The chart of one pair. Its page may be destroyed and recreated; the candles live as long as the panel. */
export class ChartPanel extends Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #symbol: string;
  readonly #extensionUri: vscode.Uri;
  readonly #desk: ChartDesk;
  readonly #window: ChartSurroundings;
  readonly #feed: ChartFeed;
  readonly #age: PageAge;
  readonly #prices: VisiblePrices;
  #alerts: Alerts | undefined;
  /** The page is ready, or loading for the first time, while the editor queues messages for it. */
  #isReached = false;
  /** The note last sent to the page. */
  #note = "";
  /** The marks last sent to the page, as JSON. */
  #marks = UNMARKED;
  /** Whether the page has switches for marks. */
  #hasSwitches = false;
  /** The studies that are part of the page, as JSON. */
  #builtStudies = "";
  /** Exchange, pair and decimals that the marks depend on. */
  #marked = "";

  #isLocked: boolean;
  readonly #loaded = Promise.withResolvers<void>();
  /** Resolves when the page has loaded for the first time. */
  readonly loaded = this.#loaded.promise;

  /** Renders into the panel until disposed. The panel's owner closes it. */
  constructor(
    panel: vscode.WebviewPanel,
    { symbol, interval, locked = false }: ChartContent,
    extensionUri: vscode.Uri,
    desk: ChartDesk,
    window: ChartSurroundings,
  ) {
    super();
    this.#panel = panel;
    this.#symbol = symbol;
    this.#extensionUri = extensionUri;
    this.#desk = desk;
    this.#window = window;
    this.#isLocked = locked;
    const { venue, tickers, timers, log, orders, placer } = desk;
    this.#showTitle(symbol);
    preparePanel(panel, extensionUri);
    this.#prices = this.register(new VisiblePrices(tickers, "page"));
    this.#feed = this.register(
      new ChartFeed({
        symbol,
        interval,
        venue,
        tickers,
        recorded: desk.history,
        now: timers.now,
        onError: (error) => log.warn(`Chart: ${errorLine(error)}`),
      }),
    );
    this.#age = this.register(new PageAge(desk, (text) => this.#send({ type: "age", text })));
    this.register(
      () => desk.visibleOrders.set(this, undefined),
      this.#feed.onDidChange((newest) => {
        this.#sendCandles(newest);
        const { state } = this.#feed;
        if (!newest && state.kind === "ready") desk.dayPrices.learn(symbol, state.candles);
      }),
      tickers.onDidChange(({ change }) => {
        const isChanged =
          change && (change.rowsChanged || change.staleChanged || change.changed.includes(symbol));
        if (isChanged || this.#marketNote() !== this.#note) this.#sendMarket();
      }),
      venue.onDidChange(() => this.#sendMarket()),
      placer.onDidChangeRules(() => this.#sendMarket()),
      onPageMessage(panel, (message) => {
        const read = readFromChart(message);
        if (read) this.#handle(read);
        else log.warn("A chart sent a message that is unknown; the message was ignored.");
      }),
      panel.onDidChangeViewState(() => this.#followVisibility()),
      onDidChangeSettings([settingKeys.invertColors, settingKeys.timeFormat, settingKeys.logScale], () =>
        this.#sendMarket(),
      ),
      orders.onDidChange(() => this.#followOrders()),
      venue.onDidSignIn(() => this.#followOrders()),
      venue.onDidChangeKey(() => this.#followOrders()),
      onDidChangeSettings(Object.values(markSettings), () => {
        this.#sendMarket();
        this.#sendMarks();
      }),
      onDidChangeSettings(privacyKeys, () => this.#sendMarks()),
      onDidChangeSettings([settingKeys.studies, settingKeys.studyPeriods], () => this.#sendStudies()),
      desk.lines.onDidChange(() => this.#sendMarks()),
      desk.elsewhere.onDidChange(() => this.#followOrders()),
      window.selectedLine.onDidChange(() => this.#sendMarks()),
    );
    this.#followVisibility();
    // Does not wait for the page's request, to save time.
    void this.#feed.load();
    void this.#followAlerts();
    void this.#show();
  }

  /** The interval chosen by the user. */
  get interval(): Interval {
    return this.#feed.interval;
  }

  setLocked(isLocked: boolean): void {
    if (isLocked === this.#isLocked) return;
    this.#isLocked = isLocked;
    this.#sendMarket();
  }

  /** Shows the time of another chart's crosshair, ms since the epoch. */
  showCrosshair(at: number | undefined): void {
    this.#send({ type: "crosshair", at });
  }

  async #show(): Promise<void> {
    const { webview } = this.#panel;
    this.#builtStudies = JSON.stringify(chosenStudies());
    webview.html = await chartHtml(webview, this.#extensionUri, this.#symbol, this.interval);
    if (!this.#panel.visible) return;
    // Sent without waiting for the page's request.
    this.#isReached = true;
    this.#sendMarket();
    this.#sendCandles(undefined);
  }

  /** Unreadable alerts are not drawn; the Alerts view shows why. */
  async #followAlerts(): Promise<void> {
    const alerts = await this.#desk.alerts().catch(() => undefined);
    if (!alerts) return;
    this.#alerts = alerts;
    this.register(alerts.onDidChange(() => this.#sendMarks()));
    this.#sendMarks();
  }

  #followVisibility(): void {
    const { visible } = this.#panel;
    if (!visible) {
      this.#isReached = false;
      this.#window.point(undefined);
      this.#forgetMarks();
      this.#age.setPage(false);
    }
    this.#feed.setShown(visible);
    this.#prices.set(visible ? [this.#symbol] : undefined);
    this.#desk.visibleOrders.set(this, visible ? [this.#symbol] : undefined);
  }

  #handle(message: FromChart): void {
    const symbol = this.#symbol;
    switch (message.type) {
      case "ready":
        this.#isReached = true;
        this.#loaded.resolve();
        if (!message.isFilled) {
          this.#forgetMarks();
          this.#sendMarket();
        }
        this.#age.setPage(true);
        if (JSON.stringify(chosenStudies()) !== this.#builtStudies) this.#sendStudies();
        if (message.interval !== this.#feed.interval) void this.#feed.select(message.interval);
        if (!message.isFilled) this.#sendCandles(undefined);
        break;
      case "interval":
        void this.#feed.select(message.interval);
        break;
      case "placeBid":
        void this.#window.open({ side: "buy", symbol, rate: message.rate });
        break;
      case "placeAsk":
        void this.#window.open({ side: "sell", symbol, rate: message.rate });
        break;
      case "addAlert":
        void executeCommand("addAlert", { symbol, price: message.price });
        break;
      case "lock":
        this.#window.lock(message.locked);
        break;
      case "retry":
        void this.#feed.load();
        break;
      case "input":
        this.#desk.presence.noteInput();
        break;
      case "showMark":
        void save(markSettings[message.mark], message.shown);
        break;
      case "logScale":
        void save(settingKeys.logScale, message.on);
        break;
      case "picture":
        void this.#savePicture(message.png);
        break;
      case "pictureCopied":
        reportCopy(message.isCopied);
        break;
      case "crosshair":
        this.#window.point(message.at);
        break;
      case "openBeside":
        this.#window.openBeside();
        break;
      case "drawLine":
      case "moveLine":
      case "editLine":
      case "removeLine":
        void this.#changeLine(message);
        break;
      case "older":
        void this.#feed.older();
        break;
      case "showStudy":
        void showStudy(message.study, message.shown);
        break;
      case "periods":
        void editPeriods();
        break;
      case "action":
        this.#runNoteAction();
        break;
    }
  }

  #sendMarket(): void {
    const { venue, tickers, placer } = this.#desk;
    const ticker = tickers.ticker(this.#symbol);
    if (ticker) this.#showTitle(pairName(ticker.pair));
    this.#note = this.#marketNote();
    this.#hasSwitches = this.#mayHaveMarks();
    const step = ticker && placer.rulesOf(ticker.pair).rateStep;
    this.#send({
      type: "market",
      venue: { name: venue.venue?.name ?? "", live: venue.account.kind === "live" },
      pair: ticker?.pair ?? { quote: "", base: "" },
      last: quotedIfKnown(ticker?.last),
      change: arrowText(ticker?.percentChange),
      bestBid: quotedIfKnown(ticker?.bestBid),
      bestAsk: quotedIfKnown(ticker?.bestAsk),
      rateStep: step && plainText(step),
      canBid: ticker?.frozen === false,
      canAsk: ticker?.frozen === false && offersAsks(venue.venue),
      inverted: colorsAreInverted(),
      hourCycle: hourCycle(),
      logScale: scaleIsLogarithmic(),
      locked: this.#isLocked,
      shownMarks: this.#hasSwitches ? shownMarks() : undefined,
      note: this.#note,
    });
    const marked = [venue.venue?.name, ticker && pairName(ticker.pair), ticker && tickers.placesOf(ticker)];
    if (!this.#isReached || marked.join(" ") === this.#marked) return;
    this.#marked = marked.join(" ");
    this.#sendMarks();
  }

  #followOrders(): void {
    // The first fill of a pair adds the switches.
    if (this.#mayHaveMarks() !== this.#hasSwitches) this.#sendMarket();
    this.#sendMarks();
  }

  #mayHaveMarks(): boolean {
    return mayHaveMarks(this.#symbol, this.#desk);
  }

  /** The next page starts without marks. */
  #forgetMarks(): void {
    this.#marks = UNMARKED;
    this.#marked = "";
  }

  #sendMarks(): void {
    if (!this.#isReached) return;
    const marks = marksOf({
      symbol: this.#symbol,
      desk: this.#desk,
      shown: shownMarks(),
      amounts: shownAmounts(),
      alerts: this.#alerts?.list ?? [],
      drawn: this.#desk.lines.of(this.#symbol),
      selected: this.#window.selectedLine.key,
    });
    const text = JSON.stringify(marks);
    if (text === this.#marks) return;
    this.#marks = text;
    this.#send({ type: "marks", marks });
  }

  async #changeLine(message: Parameters<typeof changeLine>[0]): Promise<void> {
    const { lines, tickers, log } = this.#desk;
    await changeLine(message, { symbol: this.#symbol, lines, alerts: this.#alerts, tickers, log });
    // A line that was not moved returns to its place.
    this.#marks = "";
    this.#sendMarks();
  }

  async #savePicture(png: string): Promise<void> {
    await saveFile(this.#desk.log, {
      title: vscode.l10n.t("Save Picture"),
      filters: { PNG: ["png"] },
      content: () => Buffer.from(png, "base64"),
      saved: (path) => vscode.l10n.t("The picture was saved to {0}.", path),
      failed: (path) => vscode.l10n.t("The picture could not be saved to {0}.", path),
    });
  }

  #sendStudies(): void {
    this.#send({ type: "studies", ...chosenStudies() });
  }

  #showTitle(pair: string): void {
    const title = vscode.l10n.t("{0} Chart", pair);
    if (this.#panel.title !== title) this.#panel.title = title;
  }

  #marketNote(): string {
    const { venue, tickers } = this.#desk;
    const { readAt, problem } = tickers.state;
    const why = problem === undefined ? "" : explain(problem, shownAmounts(), venue.venue?.name).sentence;
    if (readAt === undefined) return why;
    const ticker = tickers.ticker(this.#symbol);
    if (!ticker) return vscode.l10n.t("{0} does not list this pair.", venue.venue?.name ?? "");
    if (ticker.frozen) return vscode.l10n.t("This pair is frozen: the exchange has suspended trading.");
    // The age is beside the price; Markets, the ticket and the status bar say why.
    return "";
  }

  #sendCandles(newest: Candle | undefined): void {
    const { state, interval } = this.#feed;
    if (newest) return this.#send({ type: "candle", candle: newest });
    switch (state.kind) {
      case "loading":
        return this.#send({ type: "loading", isOtherVenue: state.isOtherVenue });
      case "failed":
        return this.#send({ type: "failed", ...this.#failure(state.error) });
      case "ready":
        return this.#send({
          type: "candles",
          interval,
          candles: state.candles,
          hasOlder: state.hasOlder,
          leastVolume: state.from === "recorded",
          ...emptyNote(state),
        });
    }
  }

  #failure(error: unknown): { readonly text: string; readonly action: string } {
    const { sentence, action } = explain(error, shownAmounts(), this.#desk.venue.venue?.name);
    return { text: vscode.l10n.t("The price history cannot be shown. {0}", sentence), action: action.title };
  }

  #runNoteAction(): void {
    const { state } = this.#feed;
    if (state.kind === "failed") {
      void run(explain(state.error, shownAmounts()).action);
    } else if (state.kind === "ready" && emptyNote(state).action !== "") {
      void executeCommand("editAccount");
    }
  }

  /** A page that is hidden requests everything when it is ready again. */
  #send(message: ToChart): void {
    if (this.#isReached) void this.#panel.webview.postMessage(message);
  }
}

function reportCopy(isCopied: boolean): void {
  if (isCopied) return showStatusMessage(vscode.l10n.t("The picture was copied."));
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      "The picture was not copied, because this editor does not allow it. Use Save Picture… instead.",
    ),
  );
}

/** The note of a chart without price history, and the title of the action that helps. */
function emptyNote({
  from,
  hasPast,
}: {
  readonly from: "exchange" | "recorded";
  readonly hasPast: boolean;
}): { readonly note: string; readonly action: string } {
  if (hasPast) return { note: "", action: "" };
  if (from === "exchange") {
    return { note: vscode.l10n.t("The exchange has no price history for this pair."), action: "" };
  }
  return {
    note: vscode.l10n.t(
      "No price history yet. Bidside records prices while it polls the market. If the exchange has a price history, set its path.",
    ),
    action: vscode.l10n.t("Set History Path"),
  };
}
