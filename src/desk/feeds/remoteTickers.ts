import type { Follower } from "../../hub/leader.ts";
import type { Announcement, LeaderUpdate, Request, WindowDemand } from "../../hub/protocol.ts";
import type { Ticker } from "../../market/ticker.ts";
import { Disposable } from "../disposable.ts";
import type { Timers } from "../../time/timers.ts";
import type { CurrentVenue, Watching } from "../venue.ts";
import { adoptProblem, shareProblem } from "../windows/problemMessages.ts";
import type { Windows } from "../windows/windows.ts";
import type { Source } from "./source.ts";
import type { MarketEvent, MarketState, MarketUpdate, PollChange } from "./marketState.ts";
import type { TickerFeed } from "./tickerFeed.ts";

type MarketMessage = Extract<LeaderUpdate, { type: "market" }>;
type PricesMessage = Extract<LeaderUpdate, { type: "prices" }>;

/** Number of tickers in one part of a market, so that the part fits into a frame. */
const TICKERS_PER_PART = 1000;
/** Missing figures are not sent. */
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

export interface RemoteTickersOptions {
  readonly windows: Windows;
  readonly venue: CurrentVenue;
  readonly timers: Timers;
}

/**
 * Shares one market among the windows with the same venue. The leader sends a snapshot, then the changes of each poll,
 * and streamed prices.
 */
export class RemoteTickers extends Disposable implements Source<Watching, MarketUpdate> {
  readonly #options: RemoteTickersOptions;
  #report: ((update: MarketUpdate) => void) | undefined;
  /** This window's feed, shared with the others. */
  #tickers: TickerFeed | undefined;
  /** Windows that received a snapshot, to which changes can be applied. */
  #synced = new WeakSet<Follower>();
  /** The market last received from the leader. Changes are applied to it. */
  #base: ReadonlyMap<string, Ticker> | undefined;
  #incoming: Map<string, Ticker> | undefined;
  /** Pairs of `#incoming` that changed since `#base`; undefined for a snapshot. */
  #changed: string[] | undefined;
  /** The newest market sent to the others. Undefined after another window led. */
  #sent: MarketState | undefined;

  constructor(options: RemoteTickersOptions) {
    super();
    this.#options = options;
    const { windows } = options;
    this.register(
      windows.onDidChangeRole(() => this.#updateRole()),
      windows.onDidUpdateFollower((follower) => this.#sendSnapshot(follower)),
      windows.onDidReceive((message) => this.#receiveMessage(message)),
    );
  }

  offers(): boolean {
    return true;
  }

  follow(_: Watching, report: (update: MarketUpdate) => void): () => void {
    this.#report = report;
    return () => {
      if (this.#report !== report) return;
      this.#report = undefined;
      this.#synced = new WeakSet();
      this.#forgetBase();
      this.#sent = undefined;
    };
  }

  /** Sends the updates of this feed to the other windows while this window leads. */
  share(tickers: TickerFeed): void {
    this.#tickers = tickers;
    const { windows } = this.#options;
    this.register(
      tickers.demand.onDidChange(() =>
        windows.setDemand({ visible: tickers.demand.areVisible, prices: [...tickers.demand.symbols] }),
      ),
      tickers.onDidChangePaced((event) => this.#publish(event)),
    );
  }

  /** The stream of the previous leader has ended for this window. */
  #updateRole(): void {
    this.#forgetBase();
    this.#sent = undefined;
    this.#report?.({ kind: "streamOver" });
  }

  #forgetBase(): void {
    this.#base = undefined;
    this.#incoming = undefined;
  }

  #publish({ change, isStreamed, isStreamOver, poll }: MarketEvent): void {
    const { windows } = this.#options;
    if (windows.role !== "leader" || !windows.hasFollowers || !this.#tickers) {
      // A window that joins later receives a snapshot.
      this.#sent = undefined;
      return;
    }
    this.#publishPoll(this.#tickers.newestPoll, poll);
    if (isStreamed) this.#publishPrices(this.#tickers, change?.changed ?? []);
    if (isStreamOver) this.#publishPrices(this.#tickers, [], true);
  }

  #publishPoll(poll: MarketState, news: PollChange | undefined): void {
    const { windows } = this.#options;
    const { venue } = windows.demand;
    const sent = this.#sent;
    // Staleness is not sent: each window detects it.
    if (venue === undefined || poll === sent || isEmpty(poll)) return;
    this.#sent = poll;
    const change = news?.since === sent?.tickers ? news : undefined;
    const isNew = !change || change.rowsChanged || poll.tickers.size === 0;
    const tickers = isNew
      ? [...poll.tickers.values()]
      : change.changed.flatMap((symbol) => poll.tickers.get(symbol) ?? []);
    for (const part of partsOf(venue, poll, this.#problem(poll), tickers, isNew)) windows.publish(part);
  }

  #publishPrices(tickers: TickerFeed, symbols: readonly string[], isOver = false): void {
    const { windows } = this.#options;
    const { venue } = windows.demand;
    if (venue === undefined) return;
    const prices = symbols.flatMap((symbol) => tickers.streamedPrice(symbol) ?? []);
    windows.publish({ type: "prices", venue, prices, isOver });
  }

  #sendSnapshot(follower: Follower): void {
    const { venue } = this.#options.windows.demand;
    if (!this.#tickers) return;
    const { newestPoll: poll } = this.#tickers;
    if (venue === undefined || follower.demand.venue !== venue) {
      this.#synced.delete(follower);
      return;
    }
    if (this.#synced.has(follower) || isEmpty(poll)) return;
    this.#synced.add(follower);
    this.#sent ??= poll;
    for (const part of partsOf(venue, poll, this.#problem(poll), [...poll.tickers.values()], true))
      follower.send(part);
  }

  #problem({ problem }: MarketState): MarketMessage["problem"] {
    return shareProblem(problem, this.#options.venue.venue?.client, this.#options.timers.now());
  }

  #receiveMessage(message: LeaderUpdate | Announcement | Request): void {
    if (!("venue" in message) || message.venue !== this.#options.windows.demand.venue) return;
    if (message.type === "market") this.#adopt(message);
    if (message.type === "prices") this.#adoptPrices(message);
  }

  #adoptPrices({ prices, isOver }: PricesMessage): void {
    this.#report?.({
      kind: "prices",
      prices: prices.map(({ ticker, at }) => ({ ticker: { ...NO_FIGURES, ...ticker }, at })),
    });
    if (isOver) this.#report?.({ kind: "streamOver" });
  }

  #adopt(message: MarketMessage): void {
    const { isNew, isLast, tickers: listed, readAt, unreadable, problem: shared } = message;
    const { venue, timers } = this.#options;
    if (isNew) [this.#incoming, this.#changed] = [new Map(), undefined];
    else if (!this.#incoming) [this.#incoming, this.#changed] = [this.#base && new Map(this.#base), []];
    if (!this.#incoming) return;
    for (const each of listed) {
      this.#incoming.set(each.symbol, { ...NO_FIGURES, ...each });
      this.#changed?.push(each.symbol);
    }
    if (!isLast) return;
    const problem = adoptProblem(shared, venue.venue?.client, timers.now());
    const [since, changed] = [this.#base, this.#changed];
    this.#base = this.#incoming;
    this.#incoming = undefined;
    this.#report?.({
      kind: "poll",
      poll: { tickers: this.#base, readAt, unreadable, problem },
      change: since && changed && { since, changed, rowsChanged: false },
    });
  }
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
  for (let start = 0; start === 0 || start < tickers.length; start += TICKERS_PER_PART) {
    yield {
      type: "market",
      venue,
      isNew: isNew && start === 0,
      isLast: start + TICKERS_PER_PART >= tickers.length,
      tickers: tickers.slice(start, start + TICKERS_PER_PART),
      readAt,
      unreadable,
      problem,
    };
  }
}
