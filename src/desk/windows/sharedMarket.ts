import { createHash } from "node:crypto";
import { retryTime } from "../../exchange/errors.ts";
import type { Follower } from "../../hub/leader.ts";
import type { Announcement, WindowDemand, Reading, Request } from "../../hub/protocol.ts";
import { compareTickers, type Ticker } from "../../market/ticker.ts";
import { Disposable } from "../disposable.ts";
import { Event } from "../event.ts";
import type { MarketEvent, MarketState, TickerFeed } from "../feeds/tickerFeed.ts";
import type { Timers } from "../time/timers.ts";
import type { CurrentVenue, VenueState } from "../venue.ts";
import { adoptProblem, shareProblem } from "./problemMessages.ts";
import { marketIntervalMs } from "./readIntervals.ts";
import type { Windows } from "./windows.ts";

type MarketMessage = Extract<Reading, { type: "market" }>;
type PricesMessage = Extract<Reading, { type: "prices" }>;

/** Number of tickers in one part of a market, so that the part fits into a frame. */
const TICKERS_A_PART = 1000;
/** The leader answers within this time, or is gone. */
const ANSWER_MS = 12_000;
const MOST_ASKED = 3;
/** Figures that the exchange did not give are not sent. */
const NO_FIGURES = {
  last: undefined,
  bestBid: undefined,
  bestAsk: undefined,
  high: undefined,
  low: undefined,
  baseVolume: undefined,
  quoteVolume: undefined,
  percentChange: undefined,
};

export interface SharedMarketOptions {
  readonly windows: Windows;
  readonly venue: CurrentVenue;
  readonly tickers: TickerFeed;
  readonly timers: Timers;
}

/**
 * One market for all windows of the computer with the same venue. The leader's feed reads as often as the most
 * demanding window needs and sends the changes, and newer prices of a stream; the feeds of the others adopt them.
 */
export class SharedMarket extends Disposable {
  readonly #options: SharedMarketOptions;
  readonly #adopted = new Event<void>();
  /** Windows that received the whole market, and therefore understand changes. */
  #told = new WeakSet<Follower>();
  /** The market as the leader sent it last. Changes are applied to it. */
  #base: ReadonlyMap<string, Ticker> | undefined;
  #incoming: Map<string, Ticker> | undefined;
  #wasTried = false;
  /** The newest reading that the others have. Undefined after another window led. */
  #sent: MarketState | undefined;

  constructor(options: SharedMarketOptions) {
    super();
    this.#options = options;
    const { windows, venue, tickers } = options;
    this.register(
      venue.onDidChange((state) => this.#followVenue(state)),
      windows.onDidChange(() => this.#follow()),
      windows.onDidChangeRole(() => this.#followRole()),
      windows.onDidMeet((follower) => this.#greet(follower)),
      windows.onDidHear((message) => this.#hear(message)),
      tickers.onDidChangeWatched(() =>
        windows.setDemand({ visible: tickers.isWatched, prices: [...tickers.watched] }),
      ),
      tickers.onDidChangePaced((event) => this.#publish(event)),
      tickers.onDidEndOverlay(() => this.#publishPrices([], true)),
    );
    this.#followVenue(venue.state);
  }

  /** Reads now, in the window that reads for this one. Resolves when that was answered or given up. */
  async refresh(): Promise<void> {
    const { windows, tickers } = this.#options;
    if (windows.demand.venue === "none") return;
    for (let asked = 0; asked < MOST_ASKED; asked += 1) {
      if (windows.reads("market")) return await tickers.poll.refresh();
      windows.ask("market");
      if (await this.#answered()) return;
    }
  }

  #followVenue(state: VenueState): void {
    const { windows, tickers } = this.#options;
    tickers.clear();
    tickers.poll.reset();
    this.#told = new WeakSet();
    this.#forgetBase();
    this.#sent = undefined;
    this.#wasTried = false;
    windows.setDemand({ venue: keyOf(state), account: undefined });
    this.#follow();
  }

  /** The stream of another window is no longer heard. */
  #followRole(): void {
    this.#forgetBase();
    this.#sent = undefined;
    this.#options.tickers.endOverlay();
  }

  #forgetBase(): void {
    this.#base = undefined;
    this.#incoming = undefined;
  }

  #follow(): void {
    const { windows, tickers } = this.#options;
    const demands = windows.demandsFor("market");
    const { demand } = windows;
    tickers.expectEvery(marketIntervalMs([demand]) ?? demand.intervalMs);
    tickers.poll.setInterval(marketIntervalMs(demands));
    // Once, even if no prices are visible: the status bar names the asset that most pairs are quoted in.
    if (this.#wasTried || tickers.state.readAt !== undefined || !demands.some(({ active }) => active)) return;
    this.#wasTried = true;
    void tickers.poll.refresh();
  }

  #publish({ change, isStreamed }: MarketEvent): void {
    const { windows, tickers } = this.#options;
    if (windows.role !== "leader" || !windows.hasFollowers) {
      // A window that comes later is sent the whole market.
      this.#sent = undefined;
      return;
    }
    this.#publishReading(tickers.reading);
    if (isStreamed) this.#publishPrices(change?.changed ?? []);
  }

  #publishReading(reading: MarketState): void {
    const { windows } = this.#options;
    const { venue } = windows.demand;
    const sent = this.#sent;
    // Each window knows by itself when the market becomes stale.
    if (venue === undefined || reading === sent || isEmpty(reading)) return;
    this.#sent = reading;
    const change = sent && compareTickers(sent.tickers, reading.tickers);
    const isNew = !change || change.rowsChanged || reading.tickers.size === 0;
    const tickers = isNew
      ? [...reading.tickers.values()]
      : change.changed.flatMap((symbol) => reading.tickers.get(symbol) ?? []);
    for (const part of partsOf(venue, reading, this.#problem(reading), tickers, isNew)) windows.publish(part);
  }

  #publishPrices(symbols: readonly string[], isOver = false): void {
    const { windows, tickers } = this.#options;
    const { venue } = windows.demand;
    if (venue === undefined || windows.role !== "leader" || !windows.hasFollowers) return;
    const prices = symbols.flatMap((symbol) => tickers.streamedPrice(symbol) ?? []);
    windows.publish({ type: "prices", venue, prices, isOver });
  }

  #greet(follower: Follower): void {
    const { venue } = this.#options.windows.demand;
    const { reading } = this.#options.tickers;
    if (venue === undefined || follower.demand.venue !== venue) {
      this.#told.delete(follower);
      return;
    }
    if (this.#told.has(follower) || isEmpty(reading)) return;
    this.#told.add(follower);
    this.#sent ??= reading;
    for (const part of partsOf(venue, reading, this.#problem(reading), [...reading.tickers.values()], true))
      follower.send(part);
  }

  #problem({ problem }: MarketState): MarketMessage["problem"] {
    return shareProblem(problem, this.#options.venue.venue?.client, this.#options.timers.now());
  }

  #hear(message: Reading | Announcement | Request): void {
    const { windows, tickers } = this.#options;
    if (message.type === "refresh" && message.subject === "market") void tickers.poll.refresh();
    if (!("venue" in message) || message.venue !== windows.demand.venue) return;
    if (message.type === "asked" && message.subject === "market") tickers.poll.noteBegin(message.at);
    if (message.type === "market") this.#adopt(message);
    if (message.type === "prices") this.#overlay(message);
  }

  #overlay({ prices, isOver }: PricesMessage): void {
    const { tickers } = this.#options;
    tickers.overlay(prices.map(({ ticker, at }) => ({ ticker: { ...NO_FIGURES, ...ticker }, at })));
    if (isOver) tickers.endOverlay();
  }

  #adopt(message: MarketMessage): void {
    const { isNew, isLast, tickers: listed, readAt, unreadable, problem: shared } = message;
    const { tickers, venue, timers } = this.#options;
    if (isNew) this.#incoming = new Map();
    else this.#incoming ??= this.#base && new Map(this.#base);
    if (!this.#incoming) return;
    for (const each of listed) this.#incoming.set(each.symbol, { ...NO_FIGURES, ...each });
    if (!isLast) return;
    const problem = adoptProblem(shared, venue.venue?.client, timers.now());
    tickers.poll.noteEnd({ ok: problem === undefined, retryAt: retryTime(problem) });
    this.#base = this.#incoming;
    this.#incoming = undefined;
    tickers.adopt({
      tickers: this.#base,
      readAt,
      unreadable,
      problem,
    });
    this.#adopted.fire();
  }

  /** True if the leader answered or nobody did; false if somebody else must be asked, also because an exchange was opened. */
  #answered(): Promise<boolean> {
    const { windows, venue, timers } = this.#options;
    return new Promise((resolve) => {
      const end = (answered: boolean): void => {
        for (const stop of stops) stop();
        resolve(answered);
      };
      const stops = [
        this.#adopted.add(() => end(true)),
        windows.onDidChangeRole(() => end(false)),
        venue.onDidChange(() => end(false)),
        timers.after(ANSWER_MS, () => end(true)),
      ];
    });
  }
}

/**
 * Windows with the same key watch the same market. An address and its paths may be private, so only their digest is
 * sent.
 */
function keyOf(state: VenueState): WindowDemand["venue"] {
  if (state.kind === "opening") return undefined;
  if (state.kind === "unusable") return "none";
  const { mayMove, profile } = state.venue;
  if (mayMove) return "practice";
  const { baseUrl, ...rest } = profile;
  return createHash("sha256")
    .update(JSON.stringify([baseUrl.href, rest]))
    .digest("hex")
    .slice(0, 16);
}

function isEmpty({ readAt, problem }: MarketState): boolean {
  return readAt === undefined && problem === undefined;
}

function* partsOf(
  venue: NonNullable<WindowDemand["venue"]>,
  { readAt, unreadable }: MarketState,
  problem: MarketMessage["problem"],
  tickers: readonly Ticker[],
  isNew: boolean,
): Generator<MarketMessage> {
  for (let start = 0; start === 0 || start < tickers.length; start += TICKERS_A_PART) {
    yield {
      type: "market",
      venue,
      isNew: isNew && start === 0,
      isLast: start + TICKERS_A_PART >= tickers.length,
      tickers: tickers.slice(start, start + TICKERS_A_PART),
      readAt,
      unreadable,
      problem,
    };
  }
}
