import type { DeskPorts } from "../../src/desk/deskPorts.ts";
import type { CancelQuestion } from "../../src/desk/tracking/canceller.ts";
import { endsDraft, type SubmittedDraft } from "../../src/desk/orders/orderPlacer.ts";
import { needsAttention } from "../../src/desk/orders/orders.ts";
import type { Account } from "../../src/market/account.ts";
import { WorldAssistant } from "./assistant.ts";
import type { Process } from "./process.ts";
import { newId, worldAccounts, type WorldWindow } from "./window.ts";
import { hasEnded } from "../../src/market/orders/knownOrder.ts";
import type { AccountChecks } from "./accountChecks.ts";
import type { OrderChecks } from "./orderChecks.ts";
import type { Checks } from "./checks.ts";
import type { Action, Plan, SwitchMoment } from "./plan.ts";
import type { Scheduler } from "./scheduler.ts";

/** The parts of the world that the person sees and uses. */
interface Surroundings {
  readonly scheduler: Scheduler;
  readonly checks: Checks;
  readonly orderChecks: OrderChecks;
  readonly accountChecks: AccountChecks;
  readonly plan: Plan;
  readonly alive: readonly WorldWindow[];
  readonly front: WorldWindow | undefined;
  readonly exchanges: { readonly practice: { reset(): Promise<void> } };
  readonly isQuiet: boolean;
  /** The computer's clock, ms since the epoch. */
  clock(): number;
  exchangeClock(): number;
  /** The computer may sleep now, within the steps of an order. */
  maySleep(): void;
  /** The person may switch the account of a window now. Returns whether they do. */
  maySwitch(process: Process, moment: SwitchMoment): boolean;
  openWindow(account: Account): unknown;
  bringToFront(window: WorldWindow): void;
  close(window: WorldWindow): void;
  note(text: string): void;
  reached(situation: string): void;
}

/** The number of a draft fits into the last four of eight decimals. */
const LAST_DIGITS = 10_000;
const SYMBOLS = ["THB_BTC", "THB_ETH"];
/** Rates close to the guards (2 % and 20 %) and far beyond, as shares of the last price. */
const FAR = [0.5, 0.79, 0.81, 0.97, 0.985, 1.015, 1.03, 1.19, 1.21, 2];

/** The one person at the computer, whose actions depend on the world's seed. */
export class Person {
  readonly #world: Surroundings;
  readonly #assistant: WorldAssistant;
  #amount = 1000;
  #last: SubmittedDraft | undefined;
  readonly #dialogs = new Set<(answer: boolean) => void>();
  #isGone = false;

  constructor(world: Surroundings) {
    this.#world = world;
    this.#assistant = new WorldAssistant(world);
    if (world.plan.hasAssistant) this.#assistant.begin();
  }

  begin(): void {
    const { scheduler } = this.#world;
    scheduler.after(scheduler.between(500, 15_000), () => {
      if (this.#isGone) return;
      this.#act();
      this.begin();
    });
  }

  /** Answers every question with no, and stops acting. */
  leave(): void {
    this.#isGone = true;
    for (const answer of this.#dialogs) answer(false);
  }

  questionsOf(process: Process): DeskPorts["ask"] {
    const ask: DeskPorts["ask"]["confirm"] = ({ order: bid, preparedBy, venue }) =>
      new Promise((resolve) => {
        const { scheduler, checks } = this.#world;
        const amount = bid.amount.toFixed();
        const askedAt = this.#world.clock();
        this.#world.accountChecks.asked(amount, venue.account.id);
        const answer = (isYes: boolean): void => {
          this.#dialogs.delete(answer);
          const read = { ms: this.#world.clock() - askedAt, isMarked: preparedBy === "assistant" };
          if (isYes) checks.confirmed(amount, read, this.#world.exchangeClock());
          this.#world.note(`${process.pid} ${isYes ? "confirms" : "cancels"} ${amount}`);
          resolve(isYes);
          this.#world.maySleep();
        };
        if (this.#isGone) return answer(false);
        this.#world.maySwitch(process, "AQuestionOpen");
        this.#dialogs.add(answer);
        process.onEnd(() => this.#dialogs.delete(answer));
        const isYes = scheduler.chance(0.9);
        // Most dialogs are answered after seconds, and some much later.
        const ms = scheduler.chance(0.05) ? 90_000 : scheduler.between(300, 8_000);
        process.after(ms, () => this.#dialogs.has(answer) && answer(isYes));
      });
    const confirmBeyond: DeskPorts["ask"]["confirmBeyond"] = async ({ order }) => {
      const { plan, scheduler, checks } = this.#world;
      const isYes = plan.strays === undefined || scheduler.chance(0.7);
      if (isYes) checks.beyondConfirmed(order.amount.toFixed());
      this.#world.reached("anOrderFarFromTheMarketWasQuestioned");
      return isYes;
    };
    return { confirm: ask, confirmBeyond };
  }

  /** Answers the question before cancellations, seconds later. */
  confirmCancel(process: Process, question: CancelQuestion): Promise<boolean> {
    const { scheduler, orderChecks, accountChecks } = this.#world;
    accountChecks.cancellationAsked(question);
    return new Promise((resolve) => {
      this.#world.maySwitch(process, "ACancelQuestionOpen");
      process.after(scheduler.between(300, 5_000), () => {
        const isYes = !this.#isGone && scheduler.chance(0.9);
        if (isYes) orderChecks.cancelConfirmed(process, question);
        const ids = question.targets.map(({ name }) => name.orderId).join(", ");
        this.#world.note(`${process.pid} ${isYes ? "confirms" : "declines"} to cancel ${ids}`);
        resolve(isYes);
      });
    });
  }

  #act(): void {
    const world = this.#world;
    const { scheduler, plan, alive, front } = world;
    if (!front?.process.isAlive) {
      world.openWindow(this.#account());
      return;
    }
    const actions: Readonly<Record<Action, readonly [usual: number, act: () => void]>> = {
      order: [5, () => this.#order(front)],
      orderAgain: [1, () => this.#orderAgain()],
      submitPrepared: [plan.hasAssistant ? 3 : 0, () => this.#submitPrepared(front)],
      openWindow: [2, () => alive.length < plan.windows && world.openWindow(this.#account())],
      closeWindow: [1, () => scheduler.chance(0.3) && world.close(front)],
      focus: [2, () => this.#focus()],
      switchExchange: [1, () => this.#in(front, ({ desk }) => void desk.venue.select(this.#account()))],
      refresh: [1, () => this.#in(front, ({ desk }) => void desk.refresh())],
      editAlerts: [3, () => this.#in(front, (window) => this.#editAlerts(window))],
      decide: [1, () => this.#in(front, (window) => this.#decide(window))],
      resetPractice: [0.3, () => this.#in(front, (window) => void this.#resetPractice(window))],
      cancel: [plan.switches ? 3 : 0, () => this.#in(front, (window) => void this.#cancel(window))],
      showBook: [plan.switches?.streams ? 1 : 0, () => this.#in(front, (window) => this.#lookAtBook(window))],
      showPrices: [
        1,
        () => this.#in(front, (window) => (scheduler.chance(0.5) ? window.show() : window.hide())),
      ],
    };
    const weighted = Object.entries(actions).map(
      ([name, [usual, act]]) => [plan.actions?.[name as Action] ?? usual, act] as const,
    );
    let chosen = scheduler.random() * weighted.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, act] of weighted) {
      chosen -= weight;
      if (chosen < 0) return void act();
    }
  }

  #account(): Account {
    const [practice, live, other] = worldAccounts;
    const { scheduler } = this.#world;
    return scheduler.chance(0.7) ? practice : scheduler.chance(0.6) ? live : other;
  }

  #focus(): void {
    const window = this.#world.scheduler.pick(this.#world.alive);
    if (window) this.#world.bringToFront(window);
  }

  /** Does something in a window that is not frozen. */
  #in(window: WorldWindow, task: (window: WorldWindow) => void): void {
    if (!window.process.isFrozen) window.process.run(() => task(window));
  }

  #lookAtBook(window: WorldWindow): void {
    const { scheduler } = this.#world;
    window.showBook(scheduler.chance(0.4) ? scheduler.pick(SYMBOLS) : undefined);
  }

  #order(front: WorldWindow): void {
    const { scheduler } = this.#world;
    this.#in(front, ({ desk }) => {
      const { venue } = desk.venue;
      const symbol = scheduler.pick(SYMBOLS) ?? "";
      const last = desk.tickers.ticker(symbol)?.last;
      if (!venue || last === undefined) return;
      const { strays } = this.#world.plan;
      const isStray = strays !== undefined && scheduler.chance(strays);
      const distance = isStray ? (scheduler.pick(FAR) ?? 1) : 0.99 + 0.02 * scheduler.random();
      const rate = (last * distance).toFixed(2);
      const toSell = venue.profile.features.placeAsk && this.#amountToSell(desk, symbol, isStray ? 1.5 : 1);
      this.#amount += 1;
      this.#last = {
        id: newId(scheduler),
        side: toSell === undefined ? "buy" : "sell",
        symbol,
        amount: toSell ?? String(this.#amount),
        rate,
        account: venue.account.id,
      };
      const draft = this.#last;
      const isLeft = this.#world.maySwitch(front.process, "ADraftTyped");
      if (isLeft) front.process.after(scheduler.between(500, 5_000), () => this.#submit(front, draft));
      else this.#submit(front, draft);
    });
  }

  /**
   * A part of the base asset that the person holds, up to a share that may be more than all, with the draft's own number in its last digits; undefined to buy
   * instead.
   */
  #amountToSell(desk: WorldWindow["desk"], symbol: string, most: number): string | undefined {
    const { scheduler } = this.#world;
    const available = desk.balances.available(symbol.slice(symbol.indexOf("_") + 1));
    if (!available || scheduler.chance(0.5)) return undefined;
    const parts = (Number(available.toFixed()) * LAST_DIGITS * most * (0.3 + 0.7 * scheduler.random())) | 0;
    if (parts === 0) return undefined;
    return ((parts * LAST_DIGITS + this.#amount + 1) / LAST_DIGITS ** 2).toFixed(8).replace(/0+$/, "");
  }

  /** Submits what an assistant filled in. */
  #submitPrepared(front: WorldWindow): void {
    const ticket = this.#assistant.ticketOf(front);
    const prepared = ticket?.draft;
    const { venue } = front.desk.venue;
    if (!prepared || !venue) return;
    const { by: preparedBy, ...figures } = prepared;
    this.#world.checks.preparedSubmitted(figures.amount);
    this.#in(front, () => this.#submit(front, { ...figures, preparedBy, account: venue.account.id }));
  }

  /** Submits the same draft again, in this window or in another window. */
  #orderAgain(): void {
    const draft = this.#last;
    const window = this.#world.scheduler.pick(this.#world.alive);
    if (draft && window) this.#in(window, () => this.#submit(window, draft));
  }

  #submit(window: WorldWindow, draft: SubmittedDraft): void {
    const { pid } = window.process;
    this.#world.accountChecks.typed(draft);
    this.#world.note(`${pid} submits ${draft.amount}`);
    void window.desk.placeOrder(draft).then((outcome) => {
      if (!window.process.isAlive) return;
      this.#world.note(`${pid} outcome of ${draft.amount}: ${outcome.kind}`);
      this.#world.reached(`outcome ${outcome.kind}`);
      this.#world.checks.outcomeShown(draft.amount, outcome);
      if (endsDraft(outcome)) this.#assistant.ticketOf(window)?.withdraw(draft.id);
    });
  }

  /** Cancels an own order that the window shows as open. */
  async #cancel({ desk, process }: WorldWindow): Promise<void> {
    // Orders of other accounts are listed too, and their cancellation is refused.
    const open = desk.orders.own.flatMap(({ name, known }) =>
      name && known && !hasEnded(known) ? [{ name, known }] : [],
    );
    const target = this.#world.scheduler.pick(open);
    if (!target) return;
    const { canceller } = desk.following;
    const outcome = await canceller.cancel([target]);
    if (!process.isAlive) return;
    const step = outcome.kind === "sent" ? (outcome.steps[0] ?? "ended") : outcome.kind;
    this.#world.note(`${process.pid} cancellation of ${target.name.orderId}: ${step}`);
    this.#world.reached(`cancellation ${step}`);
  }

  /** Resets the account in the order of the command: first the record, then the reset. */
  async #resetPractice({ desk, process }: WorldWindow): Promise<void> {
    if (desk.venue.account.kind !== "practice") return;
    try {
      await desk.orders.recordAccountReset();
      if (!process.isAlive) return;
      await this.#world.exchanges.practice.reset();
      this.#world.note(`${process.pid} resets the practice account`);
      this.#world.reached("accountReset");
      process.run(() => desk.balances.refreshEverywhere());
    } catch (error) {
      this.#world.note(`the account was not reset: ${error instanceof Error ? error.message : "error"}`);
    }
  }

  #editAlerts({ alerts, desk }: WorldWindow): void {
    const { scheduler, checks } = this.#world;
    if (!alerts) return;
    const alert = scheduler.pick(alerts.list);
    try {
      if (!alert || scheduler.chance(0.5)) {
        const symbol = scheduler.pick(SYMBOLS) ?? "";
        const last = desk.tickers.ticker(symbol)?.last;
        if (last === undefined || alerts.problem) return;
        const kind = scheduler.chance(0.5) ? "above" : "below";
        const distance = 0.002 * (scheduler.random() - 0.3) * (kind === "above" ? 1 : -1);
        const rule = { kind, price: (last * (1 + distance)).toFixed(2) } as const;
        checks.alertAdded(alerts.add(symbol, rule, scheduler.chance(0.3)).id);
        return;
      }
      if (scheduler.chance(0.3)) {
        checks.alertRemoved(alert.id);
        alerts.remove(alert.id);
      } else if (scheduler.chance(0.5)) alerts.rearm(alert.id);
      else alerts.markSeen(alert.id);
    } catch (error) {
      this.#world.note(`the alert was not changed: ${error instanceof Error ? error.message : "error"}`);
    }
  }

  /** Marks an order that waits for the person, or has the order checked. */
  #decide({ desk }: WorldWindow): void {
    const { scheduler } = this.#world;
    const bid = scheduler.pick(desk.orders.own.filter(needsAttention));
    if (!bid) return;
    if (scheduler.chance(0.5)) {
      void desk.unknownOrders.check(bid).catch(() => undefined);
      return;
    }
    const isPlaced = scheduler.chance(0.5);
    this.#world.note(`the person marks ${bid.intent.amount} as ${isPlaced ? "placed" : "not placed"}`);
    const as = isPlaced ? "accepted" : "notPlaced";
    void desk.orders.settle(bid.intent.id, { by: "user", as, evidence: "marked" });
  }
}
