import type { OpenSocket } from "../../exchange/stream/socket.ts";
import { TickerStream } from "../../exchange/stream/tickerStream.ts";
import type { Ticker } from "../../market/ticker.ts";
import { Collector } from "../collector.ts";
import { Disposable } from "../disposable.ts";
import { Event } from "../event.ts";
import type { Timers } from "../time/timers.ts";
import type { CurrentVenue } from "../venue.ts";
import { marketIntervalMs } from "../windows/readIntervals.ts";
import type { Windows } from "../windows/windows.ts";
import { LivePrices } from "./livePrices.ts";
import { LONGEST_FRESH_MS, PACE_MS, type MarketState, type TickerFeed } from "./tickerFeed.ts";

/** The port to streams. */
export interface StreamPort {
  readonly open: OpenSocket;
  /** The setting `bidside.markets.live`. */
  readonly isOn: () => boolean;
}

export interface StreamFeedOptions {
  readonly port: StreamPort;
  readonly windows: Windows;
  readonly venue: CurrentVenue;
  readonly tickers: TickerFeed;
  readonly timers: Timers;
  readonly random: () => number;
  /** Called when a price has arrived, before it is used: the computer may have slept meanwhile. */
  readonly checkWake: () => void;
  readonly log: { debug(message: string): void; warn(message: string): void };
}

/**
 * `off`: no stream is wanted or offered. `proving`: it runs, and its prices are kept aside until a reading agrees. `live`: its
 * prices are shown. `dropped`: it disagreed with a reading, and is tried again after a wait.
 */
export type StreamPhase = "off" | "proving" | "live" | "dropped";

/** Readings of the market while the stream is believed. */
const PROOF_MS = 60_000;
/** A proof is no proof any more after this time: one reading may fail. */
const LONGEST_PROOF_MS = 90_000;
/** The wait before the reading that decides a doubt. */
const DOUBT_MS = 3000;
/** Time for the first prices of all pairs, before the reading that proves them. */
const SETTLE_MS = 1000;
/** A connection that sends no price for this time may be dead, long before it counts as ended. */
const QUIET_MS = 5000;
/** The interval of prices for an alert, a chart or a ticket: no eye sees more. */
const CLOSE_MS = 50;
/**
 * Lists get their prices at an interval. The connections are read from this time in ms before, and rest until then. A busy computer
 * seldom delays a timer by more.
 */
const READ_MS = 60;
/** Without any price, the times of the prices go on. */
const TICK_MS = 1000;
/** The wait after a disagreement; it doubles up to the longest. */
const DROP_MS = 15_000;
const LONGEST_DROP_MS = 10 * 60_000;
/** A stream that agreed for this time is as good as one that always did. */
const TRUSTED_MS = 10 * 60_000;

/**
 * The prices of a stream for all windows: run by the window that reads the market. Prices enter the market only while
 * the stream is proven, by a reading that agrees with it after every connect and once a minute.
 */
export class StreamFeed extends Disposable {
  readonly #options: StreamFeedOptions;
  readonly #prices = new LivePrices();
  readonly #changed = new Event<void>();
  readonly #collector: Collector<string>;
  #phase: StreamPhase = "off";
  /** The newest stream: nothing that an older one sends counts. */
  #round = 0;
  #stream: TickerStream | undefined;
  /** The newest reading, on which the prices of the stream lie. */
  #reading: (MarketState & { readonly readAt: number }) | undefined;
  #provenAt = 0;
  #liveSince = 0;
  #hasFailed = false;
  #isQuiet = false;
  /** The stream spoke again after it was quiet: nothing of it is shown until a reading agrees. */
  #isHeld = false;
  /** Pairs whose prices come from readings, until one agrees. */
  #doubtful: ReadonlySet<string> = new Set();
  #disagreements = 0;
  #cancelProof: (() => void) | undefined;
  #cancelTick: (() => void) | undefined;
  #cancelRetry: (() => void) | undefined;

  /** Fires when the phase or the interval of readings has changed. */
  readonly onDidChange = this.#changed.add;

  constructor(options: StreamFeedOptions) {
    super();
    this.#options = options;
    const { timers, windows, venue, tickers } = options;
    const everyMs = (): number => (this.#isFollowedClosely ? CLOSE_MS : PACE_MS);
    this.#collector = new Collector({ timers, everyMs, deliver: () => this.#deliver() });
    tickers.filterReadings({
      // What waits in a connection arrived before the reading, so the comparison needs it.
      begins: () => this.#stream?.endRest(),
      taken: (reading) => this.#taken(reading),
      failed: (state) => this.#failed(state),
    });
    this.register(
      windows.onDidChange(() => this.follow()),
      windows.onDidChangeRole(() => this.follow()),
      venue.onDidChange(() => this.restart()),
      venue.onDidMove(() => this.restart()),
      () => this.#stop("off"),
    );
  }

  get phase(): StreamPhase {
    return this.#phase;
  }

  /** The interval of readings that the stream needs, if `ms` is the usual one. Undefined stays undefined. */
  paced(ms: number | undefined): number | undefined {
    const isWhole = this.#stream?.silent.length === 0 && !this.#isQuiet && !this.#isHeld;
    const canRest = this.#phase === "live" && !this.#hasFailed && isWhole;
    return ms !== undefined && canRest ? Math.max(ms, PROOF_MS) : ms;
  }

  /** Starts or stops the stream: another window leads, prices became visible, or the setting changed. */
  follow(): void {
    if (!this.#isWanted) this.#stop("off");
    else if (this.#phase === "off") this.#start();
  }

  /** Begins anew: another exchange, another address, or the computer slept. */
  restart(): void {
    this.#disagreements = 0;
    this.#stop("off");
    this.follow();
  }

  get #isWanted(): boolean {
    const { port, windows, venue } = this.#options;
    return (
      port.isOn() &&
      venue.venue?.profile.features.tickerStream !== undefined &&
      marketIntervalMs(windows.demandsFor("market")) !== undefined
    );
  }

  /** Whether something follows the prices faster than a list does. */
  get #isFollowedClosely(): boolean {
    const { windows, tickers } = this.#options;
    return tickers.isWatchedClosely || windows.demandsFor("market").some(({ armed }) => armed);
  }

  #start(): void {
    const { venue, tickers, port, timers, random, log } = this.#options;
    const current = venue.venue;
    const path = current?.profile.features.tickerStream?.path;
    // The names come from a reading.
    if (!current || path === undefined || tickers.state.tickers.size === 0) return;
    this.#forgetPrices();
    this.#hasFailed = false;
    const round = ++this.#round;
    this.#setPhase("proving");
    this.#stream = new TickerStream({
      profile: current.profile,
      path,
      pairs: tickers.state.tickers.values(),
      open: port.open,
      timers,
      random,
      received: (ticker) => this.#receive(ticker, round),
      changed: () => this.#followStream(),
      quietMs: QUIET_MS,
      // No reading has been compared with a price that this connection sends from now on.
      joined: () => this.#phase === "live" && this.#hold(),
      log: (message) => log.debug(message),
    });
  }

  #receive(ticker: Ticker, round: number): void {
    const { checkWake, timers } = this.#options;
    checkWake();
    // A wake ends the stream of before.
    if (round !== this.#round) return;
    this.#prices.note(ticker, timers.now());
    if (this.#phase === "live") this.#collector.add([ticker.symbol]);
  }

  #stop(phase: "off" | "dropped"): void {
    const { tickers, timers } = this.#options;
    this.#round += 1;
    this.#stream?.dispose();
    this.#stream = undefined;
    for (const cancel of [this.#cancelProof, this.#cancelTick, this.#cancelRetry]) cancel?.();
    this.#cancelProof = this.#cancelTick = this.#cancelRetry = undefined;
    this.#collector.clear();
    this.#reading = undefined;
    const wasLive = this.#phase === "live";
    this.#setPhase(phase);
    // After a disagreement the reading takes the place of all.
    if (wasLive && phase === "off" && tickers.state.live)
      tickers.adopt(withoutStream(tickers.state, timers.now()));
  }

  #followStream(): void {
    if (this.#stream?.isUp) {
      if (this.#phase !== "proving") return this.#changed.fire();
      // No pair is left to wait for.
      if (this.#stream.isWhole) this.#endWait();
      this.#readSoon(this.#stream.isWhole ? 0 : SETTLE_MS);
    } else {
      this.#endWait();
      if (this.#phase === "live") this.#unprove();
    }
  }

  /** The stream runs on, and its prices are kept aside again. */
  #unprove(): void {
    const { tickers, timers } = this.#options;
    this.#cancelTick?.();
    this.#collector.clear();
    this.#forgetPrices();
    this.#setPhase("proving");
    tickers.adopt(withoutStream(tickers.state, timers.now()));
  }

  /** What arrived before is no part of the next proof: a connection may have missed prices. */
  #forgetPrices(): void {
    this.#prices.clear();
    this.#doubtful = new Set();
  }

  #taken(reading: MarketState & { readonly readAt: number }): MarketState {
    const { timers, windows } = this.#options;
    if (!this.#stream) {
      // The first reading of an exchange tells the names.
      void Promise.resolve().then(() => this.follow());
      return reading;
    }
    if (!this.#stream.isUp || !windows.reads("market")) return this.#unproven(reading);
    if (this.#reading && !sameKeys(this.#reading.tickers, reading.tickers)) {
      // New pairs need new names.
      void Promise.resolve().then(() => this.restart());
      return reading;
    }
    const { compared, wrong, doubtful } = this.#prices.compare(
      reading.tickers,
      reading.readAt,
      this.#doubtful,
    );
    this.#doubtful = doubtful;
    if (wrong.length > 0) {
      this.#drop(wrong.length, compared);
      return reading;
    }
    if (compared === 0) return this.#unproven(reading);
    const now = timers.now();
    this.#provenAt = now;
    this.#hasFailed = this.#isHeld = false;
    this.#reading = reading;
    if (doubtful.size > 0) this.#readSoon(DOUBT_MS);
    if (this.#phase === "proving") this.#begin();
    else if (now - this.#liveSince > TRUSTED_MS) this.#disagreements = 0;
    return this.#prices.merge(reading, now, doubtful);
  }

  /** A reading that says nothing of the stream is shown as it is. */
  #unproven(reading: MarketState): MarketState {
    if (this.#phase === "live") this.#unprove();
    return reading;
  }

  #endWait(): void {
    this.#cancelProof?.();
    this.#cancelProof = undefined;
  }

  /** Reads once more, unless a reading is planned. */
  #readSoon(ms: number): void {
    const { timers, tickers } = this.#options;
    this.#cancelProof ??= timers.after(ms, () => {
      this.#cancelProof = undefined;
      void tickers.poll.refresh();
    });
  }

  #begin(): void {
    this.#liveSince = this.#provenAt;
    this.#isQuiet = this.#isHeld = false;
    this.#setPhase("live");
    this.#tick();
  }

  #failed(state: MarketState): MarketState | undefined {
    if (this.#phase !== "live") return state;
    this.#hasFailed = true;
    this.#changed.fire();
    return undefined;
  }

  #drop(wrong: number, compared: number): void {
    const { timers, log } = this.#options;
    if (this.#disagreements === 0)
      log.warn(
        `The ticker stream disagrees with a reading (${wrong} of ${compared} pairs): prices are read again`,
      );
    const waitMs = Math.min(LONGEST_DROP_MS, DROP_MS * 2 ** Math.min(this.#disagreements, 10));
    this.#disagreements += 1;
    this.#stop("dropped");
    this.#cancelRetry = timers.after(waitMs, () => {
      this.#stop("off");
      this.follow();
    });
  }

  #tick(): void {
    const { timers, tickers } = this.#options;
    this.#cancelTick = timers.after(TICK_MS, () => {
      if (Math.abs(timers.now() - this.#provenAt) > LONGEST_PROOF_MS) {
        this.#unprove();
        void tickers.poll.refresh();
        return;
      }
      this.#noteQuiet();
      // Prices that were shown a moment ago brought the times along.
      if (!this.#collector.isPacing) this.#show();
      this.#tick();
    });
  }

  get #hasQuietLine(): boolean {
    return (this.#stream?.quietMs ?? 0) >= QUIET_MS;
  }

  #noteQuiet(): void {
    if (this.#isQuiet || !this.#hasQuietLine) return;
    this.#isQuiet = true;
    this.#changed.fire();
  }

  /**
   * A connection that was dead for a while may bring anything: its prices wait for a reading, as those of a new one do. The prices
   * from before the pause are forgotten, because a reading that was requested during the pause would agree with them.
   */
  #hold(): void {
    this.#forgetPrices();
    this.#isQuiet = false;
    this.#isHeld = true;
    this.#readSoon(SETTLE_MS);
    this.#changed.fire();
  }

  #deliver(): void {
    const isClose = this.#isFollowedClosely;
    this.#show(!isClose);
    if (!isClose && !this.#options.tickers.poll.isRunning) this.#stream?.rest(PACE_MS - READ_MS);
  }

  #show(isPaced = false): void {
    const { tickers, timers } = this.#options;
    // While the stream is held, what was shown before stays and ages: the reading below may be older than that.
    if (this.#phase !== "live" || !this.#reading || this.#isHeld) return;
    tickers.adopt(this.#prices.merge(this.#reading, timers.now(), this.#doubtful), undefined, isPaced);
  }

  #setPhase(phase: StreamPhase): void {
    if (phase === this.#phase) return;
    if (phase === "live" && this.#disagreements > 0) this.#options.log.warn("The ticker stream agrees again");
    this.#phase = phase;
    this.#changed.fire();
  }
}

/**
 * What is left of a market without its stream: shown, but stale in every window until a reading comes. A time before
 * the true one is on the safe side.
 */
function withoutStream(state: MarketState, now: number): MarketState {
  const readAt = Math.min(state.readAt ?? now, now - LONGEST_FRESH_MS - 1);
  return { ...state, readAt, heardAt: state.live?.at ?? state.readAt, live: undefined };
}

function sameKeys(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean {
  return a.size === b.size && [...a.keys()].every((key) => b.has(key));
}
