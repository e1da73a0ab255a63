import { type Alert, alertFigure, type AlertRule, isReached, ruleFrom } from "../../market/alertRule.ts";
import type { Ticker } from "../../market/ticker.ts";
import { accountId, type AccountRef, isSameAccount } from "../../market/order.ts";
import type { AlertFiles } from "../../storage/alertFiles.ts";
import { compareText } from "../../market/compareText.ts";
import { Disposable } from "../disposable.ts";
import { Event } from "../event.ts";
import type { TickerFeed } from "../feeds/tickerFeed.ts";
import type { CurrentVenue } from "../venue.ts";
import { alertFiring } from "../notifications/firing.ts";
import type { Notifications } from "../notifications/notifications.ts";
import type { Timers } from "../../time/timers.ts";
import { Evaluator } from "./evaluator.ts";

/** The prices of an account's exchange. */
export interface AlertMarket {
  readonly tickers: TickerFeed;
  readonly venue: CurrentVenue;
}

export interface AlertsOptions extends AlertMarket {
  /** The alerts of all windows of this computer. */
  readonly store: Pick<AlertFiles, keyof AlertFiles>;
  readonly timers: Timers;
  readonly notifications: Notifications;
  readonly newId: () => string;
  /** Called with errors of reading and writing. */
  readonly onError: (error: unknown) => void;
}

/** Maximum number of alerts: a longer list would not be readable. */
export const MAX_ALERTS = 1000;
export const SNOOZE_MS = 10 * 60_000;

export type AlertsProblem = "noVenue" | "tooMany" | "removed";

/** An alert could not be added or edited. */
export class AlertsError extends Error {
  readonly problem: AlertsProblem;

  constructor(problem: AlertsProblem) {
    super(problem);
    this.name = "AlertsError";
    this.problem = problem;
  }
}

/**
 * The alerts of this computer. Every window evaluates those of its account at each fresh price, polled or streamed. The
 * first window to see a firing records it, and each window that knows of it notifies.
 */
export class Alerts extends Disposable {
  readonly #options: AlertsOptions;
  readonly #changed = new Event<void>();
  readonly #written = new Event<void>();
  #alerts = new Map<string, Alert>();

  readonly onDidChange = this.#changed.add;
  /** Fires when this window wrote or removed an alert, which the other windows must reload. */
  readonly onDidWrite = this.#written.add;

  constructor(options: AlertsOptions) {
    super();
    this.#options = options;
    const { venue, timers } = options;
    this.register(
      this.watch(options),
      venue.onDidChange(() => this.#changed.fire()),
      // Deferred until the caller has finished construction.
      timers.after(0, () => this.#notifyUnseen()),
    );
    this.#readAll();
  }

  /** Alerts of the current account: fired and unseen ones first, then by symbol. */
  get list(): readonly Alert[] {
    return this.#ofVenue().sort(
      (a, b) =>
        Number(isUnseen(b)) - Number(isUnseen(a)) ||
        compareText(a.symbol, b.symbol) ||
        compareText(a.id, b.id),
    );
  }

  /** Number of alerts of other accounts. */
  get ofOtherAccounts(): number {
    return this.#alerts.size - this.#ofVenue().length;
  }

  /** The ids of all accounts with waiting alerts. */
  get waitingAccounts(): ReadonlySet<string> {
    return new Set([...this.#alerts.values()].flatMap((alert) => (isWaiting(alert) ? accountId(alert) : [])));
  }

  /** Number of alerts that a newer version of Bidside wrote, which this version leaves alone. */
  get newer(): number {
    return this.#options.store.newer;
  }

  /** Number of alerts of the current venue that fired and were not seen. */
  get unseen(): number {
    return this.list.filter(isUnseen).length;
  }

  /** Whether any alert waits for a price. If so, one window must poll the market. */
  get isArmed(): boolean {
    return this.#ofVenue().some(isWaiting);
  }

  /** Symbols with waiting alerts. */
  get armedSymbols(): readonly string[] {
    return [...new Set(this.#ofVenue().flatMap((alert) => (isWaiting(alert) ? [alert.symbol] : [])))];
  }

  /** Alerts of an account that wait for their rule to be met. */
  armed(account: AccountRef): readonly Alert[] {
    return this.#of(account).filter((alert) => isWaiting(alert) && alert.phase === "armed");
  }

  /** Why no alert can be added now; undefined if one can. */
  get problem(): AlertsProblem | undefined {
    if (!this.#options.venue.venue) return "noVenue";
    return this.#alerts.size >= MAX_ALERTS ? "tooMany" : undefined;
  }

  get(id: string): Alert | undefined {
    return this.#alerts.get(id);
  }

  /** Evaluates the alerts of a market's account at its prices. The returned function stops it. */
  watch(market: AlertMarket): () => void {
    const { tickers, venue } = market;
    const evaluator = new Evaluator();
    /** Times of the newest evaluated price and poll. */
    let last: readonly unknown[] = [];
    const stop = [
      venue.onDidChange(() => evaluator.clear()),
      tickers.onDidChange(() => {
        const times = [tickers.newestAt, tickers.newestPoll.readAt];
        if (times[0] === undefined || (times[0] === last[0] && times[1] === last[1])) return;
        last = times;
        this.#evaluate(market, evaluator, times[0]);
      }),
    ];
    return () => {
      for (const each of stop) each();
    };
  }

  /**
   * Reads the records of all windows, and notifies of firings that a dead window did not deliver. Fires `onDidChange`
   * only for a real change, because repainting a list can swallow a click.
   */
  reread(): void {
    const before = JSON.stringify([...this.#alerts.values()]);
    this.#readAll();
    this.#notifyUnseen();
    if (JSON.stringify([...this.#alerts.values()]) !== before) this.#changed.fire();
  }

  /**
   * Adds an alert on the current venue and turns it on. Throws an AlertsError if `problem` is set, and the store's
   * error if the alert cannot be stored.
   */
  add(symbol: string, rule: AlertRule, repeats: boolean): Alert {
    const { venue, timers, newId } = this.#options;
    const { problem } = this;
    if (!venue.venue || problem) throw new AlertsError(problem ?? "noVenue");
    const alert: Alert = {
      id: newId(),
      ...venue.venue.ref,
      symbol,
      rule,
      repeats,
      isOn: true,
      phase: "armed",
      armedAt: timers.now(),
    };
    this.#save(alert);
    return alert;
  }

  /**
   * Replaces the rule of an alert and turns the alert on again. Throws an AlertsError if the alert was removed in the meantime, and the store's error if the change cannot
   * be stored; the alert then stays as it is.
   */
  edit(id: string, rule: AlertRule, repeats: boolean): Alert {
    const alert = this.#latest(id);
    if (!alert) throw new AlertsError("removed");
    const { fired: _, ...edited } = this.#armed({ ...alert, rule, repeats });
    this.#save(edited);
    return edited;
  }

  /** Fires an alert whose rule was met while nothing watched the price; `at` in ms since the epoch. */
  fireMissed(alert: Alert, { price, at }: { readonly price: number; readonly at: number }): void {
    this.#fire(alert, { price, at, isMissed: true });
    this.#changed.fire();
  }

  remove(id: string): void {
    this.#options.store.remove(id);
    this.#alerts.delete(id);
    this.#written.fire();
    this.#changed.fire();
  }

  /**
   * Turns alerts on or off. One whose level the price is beyond waits until it has moved back. Throws the store's error at the first change that cannot be stored; the rest stays as it
   * is.
   */
  switch(ids: readonly string[], isOn: boolean): void {
    try {
      for (const id of ids) {
        const alert = this.#latest(id);
        if (alert && alert.isOn !== isOn) this.#save(isOn ? this.#armed(alert) : { ...alert, isOn });
      }
    } finally {
      // Resets a checkbox whose click had no effect.
      this.#changed.fire();
    }
  }

  /** Turns a fired alert on again, now or after a snooze, which fires again if the price is still there. */
  rearm(id: string, inMs = 0): void {
    const alert = this.#latest(id);
    if (alert) this.#save(this.#armed(alert, inMs));
  }

  /** Marks these alerts as seen; all of the current account if none is named. */
  markSeen(...ids: readonly string[]): void {
    const named = ids.length === 0 ? this.#ofVenue() : ids.flatMap((id) => this.#alerts.get(id) ?? []);
    const unseen = named.filter(isUnseen);
    for (const { id } of unseen) {
      const alert = this.#latest(id);
      if (alert) this.#trySave(seen(alert));
    }
    if (unseen.length > 0) this.#changed.fire();
  }

  #readAll(): void {
    try {
      this.#alerts = new Map(this.#options.store.list().map((alert) => [alert.id, alert]));
    } catch (error) {
      this.#options.onError(error);
    }
  }

  #notifyUnseen(): void {
    for (const alert of this.#alerts.values()) if (isUnseen(alert)) this.#notify(alert);
  }

  #notify(alert: Alert): void {
    this.#options.notifications.notify(alertFiring(alert));
  }

  #ofVenue(): Alert[] {
    const { venue } = this.#options.venue;
    return venue ? this.#of(venue.ref) : [];
  }

  #of(account: AccountRef): Alert[] {
    return [...this.#alerts.values()].filter((alert) => isSameAccount(alert, account));
  }

  /** Evaluates new prices, polled or streamed. A stale price fires no alert. */
  #evaluate({ tickers, venue }: AlertMarket, evaluator: Evaluator, at: number): void {
    if (!venue.venue) return;
    const freshOf = (symbol: string): Ticker | undefined =>
      tickers.isStaleOf(symbol) ? undefined : tickers.ticker(symbol);
    const waiting = this.#of(venue.venue.ref).filter(isWaiting);
    const due = evaluator.evaluate(waiting, freshOf, at);
    for (const { alert, transition, price } of due) {
      if (transition === "fires") this.#fire(alert, { price, at });
      else if (this.#isCurrent(alert))
        this.#trySave({ ...alert, rule: ruleFrom(alert.rule, price), phase: "armed", armedAt: at });
    }
    if (due.length > 0) this.#changed.fire();
  }

  /** The alert as it is stored now, whichever window changed it last; undefined if it was removed. */
  #latest(id: string): Alert | undefined {
    const stored = this.#options.store.read(id);
    if (stored) this.#alerts.set(id, stored);
    else this.#alerts.delete(id);
    return stored;
  }

  /** False if another window has fired, turned off or removed the alert; this window then knows the new state. */
  #isCurrent(alert: Alert): boolean {
    const stored = this.#latest(alert.id);
    if (stored && stored.fired?.at === alert.fired?.at && isWaiting(stored)) return true;
    if (stored && isUnseen(stored)) this.#notify(stored);
    return false;
  }

  /** Records the firing on disk first, so that no crash loses it, and then notifies. */
  #fire(alert: Alert, firing: Pick<NonNullable<Alert["fired"]>, "price" | "at" | "isMissed">): void {
    if (!this.#isCurrent(alert)) return;
    const fired: Alert = {
      ...alert,
      isOn: alert.repeats,
      phase: alert.repeats ? "waiting" : "fired",
      fired: { armedAt: alert.armedAt, ...firing, isSeen: false },
    };
    this.#trySave(fired);
    this.#notify(fired);
  }

  #armed(alert: Alert, inMs = 0): Alert {
    const figure = this.#freshFigure(alert);
    const rule = figure === undefined ? alert.rule : ruleFrom(alert.rule, figure);
    const isBeyond = figure !== undefined && isReached(rule, figure, undefined);
    const phase = inMs === 0 && isBeyond ? "waiting" : "armed";
    return { ...seen(alert), rule, isOn: true, phase, armedAt: this.#options.timers.now() + inMs };
  }

  #freshFigure(alert: Alert): number | undefined {
    const { tickers, venue } = this.#options;
    const { symbol } = alert;
    const isKnown = venue.venue && isSameAccount(alert, venue.venue.ref) && !tickers.isStaleOf(symbol);
    const ticker = isKnown ? tickers.ticker(symbol) : undefined;
    return ticker && alertFigure(alert.rule, ticker);
  }

  #save(alert: Alert): void {
    this.#options.store.put(alert);
    this.#alerts.set(alert.id, alert);
    this.#written.fire();
    this.#changed.fire();
  }

  /** An alert that cannot be written continues in this window only. */
  #trySave(alert: Alert): void {
    this.#alerts.set(alert.id, alert);
    try {
      this.#options.store.put(alert);
    } catch (error) {
      this.#options.onError(error);
      return;
    }
    this.#written.fire();
  }
}

function seen(alert: Alert): Alert {
  return alert.fired ? { ...alert, fired: { ...alert.fired, isSeen: true } } : alert;
}

function isUnseen({ fired }: Alert): boolean {
  return fired?.isSeen === false;
}

function isWaiting({ isOn, phase }: Alert): boolean {
  return isOn && phase !== "fired";
}
