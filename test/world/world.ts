import type { Account } from "../../src/market/account.ts";
import type { Credentials } from "../../src/exchange/signing/credentials.ts";
import type { Alert } from "../../src/market/alertRule.ts";
import type { HttpRequest } from "../../src/http/transport.ts";
import { accountId, type AccountRef } from "../../src/market/order.ts";
import { AccountChecks } from "./accountChecks.ts";
import { type Check, Checks, type Violation } from "./checks.ts";
import { ConnectionChecks } from "./connectionChecks.ts";
import { Disk, slashed } from "./disk.ts";
import { diskTrouble } from "./diskTrouble.ts";
import { LIVE, WorldExchange } from "./exchange.ts";
import { OrderChecks } from "./orderChecks.ts";
import { cancelElsewhere, fillAny, mixUpLists } from "./marketEvents.ts";
import { bookId, listFaults } from "./listTrouble.ts";
import { Keyring } from "./keyring.ts";
import { Person } from "./person.ts";
import type { Fault, Plan, SwitchMoment, TimedFault } from "./plan.ts";
import { Process } from "./process.ts";
import { Scheduler } from "./scheduler.ts";
import { type LinkTrouble, Sockets } from "./sockets.ts";
import { credentialsOf, ORDERS, STORAGE, worldAccounts, WorldWindow } from "./window.ts";
import { SleepChecks } from "./sleepChecks.ts";
import { type Moment, StatedEnds } from "./statedEnds.ts";
import { StreamChecks } from "./streamChecks.ts";
import { beginStreamTrouble, endStreamTrouble } from "./streamTrouble.ts";
import { type StreamConnection, StreamWire } from "./streamWire.ts";
import { wireEnds } from "./wireEnds.ts";

const START = 1_795_000_000_000;
/** The exchange's clock is not the computer's. */
const SKEW_MS = 1_700;
/** A claim that a power cut took a part of ends without it. */
const END_OF_LINE = 0x0a;
const SLEEPS_MS = [10_000, 60_000, 3_600_000];

/** One computer with its windows, its disk and its person, and two exchanges behind a wire. */
export class World {
  readonly plan: Plan;
  readonly scheduler: Scheduler;
  readonly disk: Disk;
  readonly checks: Checks;
  readonly orderChecks: OrderChecks;
  readonly statedEnds = new StatedEnds();
  readonly sleepChecks: SleepChecks;
  /** Only where exchanges stream. */
  readonly streamChecks: StreamChecks | undefined;
  readonly exchanges: Readonly<Record<Account["kind"], WorldExchange>>;
  /** Another account at the live exchange, with books of its own. */
  readonly otherAccount: WorldExchange;
  readonly accountChecks: AccountChecks;
  readonly windows: WorldWindow[] = [];
  readonly violations: Violation[] = [];
  /** How often each situation was reached. */
  readonly situations = new Map<string, number>();
  readonly history: string[] = [];
  front: WorldWindow | undefined;
  /** True after the end of all faults. */
  isQuiet = false;
  /** Orders that left a process in the last 3 s. */
  ordersOnTheirWay = 0;
  readonly #sockets: Sockets;
  readonly #streams: StreamWire;
  readonly #connectionChecks: ConnectionChecks;
  readonly #person: Person;
  #sleptMs = 0;
  #clockMs = 0;
  #setBackMs = 0;
  #pid = 100;
  #practicePort = 4001;
  readonly #keyring: Keyring;
  #latencyMs = 2;

  constructor(plan: Plan) {
    this.plan = plan;
    this.scheduler = new Scheduler(plan.seed);
    this.disk = new Disk(() => this.clock());
    const exchange = (account: Account): WorldExchange =>
      new WorldExchange(
        account,
        () => this.exchangeClock(),
        (ms, task) => this.scheduler.after(ms, task),
        plan.switches,
        plan.continuesOrders,
        plan.listQuirks,
      );
    const [practice, live, other] = worldAccounts;
    this.exchanges = { practice: exchange(practice), live: exchange(live) };
    this.otherAccount = exchange(other);
    const keyOf = (of: WorldExchange) => [of.id, credentialsOf(of.credentials)] as const;
    this.#keyring = new Keyring(new Map(this.#liveAccounts.map(keyOf)));
    this.accountChecks = new AccountChecks({
      now: () => this.scheduler.now,
      accounts: this.#liveAccounts,
      hasPrivateStream: plan.switches?.streams?.includes("private") === true,
      violated: (text) => this.violated("accountsStayApart", text),
      reached: (situation) => this.reached(situation),
    });
    this.checks = new Checks({
      disk: this.disk,
      orders: ORDERS,
      violated: (check, text) => this.violated(check, text),
      booked: (venue, amount) => this.#holderOf(venue as Account["kind"], amount).accepted.get(amount),
      isOpenOrFilled: (venue, amount) =>
        this.#holderOf(venue as Account["kind"], amount).isOpenOrFilled(amount),
    });
    this.orderChecks = new OrderChecks({
      violated: (check, text) => this.violated(check, text),
      reached: (situation) => this.reached(situation),
      held: (name) => this.accountNamed(name).book(name.orderId),
      wasCalledCancelled: (name) => this.accountNamed(name).lists.calledCancelled.has(bookId(name.orderId)),
      mayBeShownAsEnded: (name, pid) =>
        this.statedEnds.mayBeShown(pid, this.accountNamed(name).id, name.orderId),
      isElsewhere: (account, orderId) => this.accountNamed(account).elsewhere.has(bookId(orderId)),
    });
    this.sleepChecks = new SleepChecks(this);
    this.#sockets = new Sockets(this.scheduler, this.disk, this.#links());
    this.#streams = new StreamWire(this.scheduler, {
      serve: (url) => {
        const at = this.exchangeAt(url.origin.replace(/^ws/, "http"));
        return at?.isUp ? at : undefined;
      },
      latency: () => this.scheduler.between(2, 80),
      opened: (connection) => {
        this.#connectionChecks.opened(connection);
        if (connection.kind === "ticker") this.streamChecks?.streamOpened(connection.process.pid);
      },
      arrives: (connection, text) => this.streamChecks?.frameArrived(connection, venueOf(connection), text),
    });
    if (plan.switches?.streams) this.streamChecks = new StreamChecks(this);
    this.#connectionChecks = new ConnectionChecks(this, () => this.#streams.held, venueOf);
    this.#person = new Person(this);
  }

  /** The computer's clock, ms since the epoch. It continues while the computer sleeps, and may be set. */
  clock(): number {
    return START + Math.floor(this.scheduler.now) + this.#sleptMs + this.#clockMs;
  }

  /** The time by the computer's clock, and by the same clock if it were never set back. */
  moment(): Moment {
    const at = this.clock();
    return { at, steadyAt: at + this.#setBackMs };
  }

  /** The clock of the exchanges, ms since the epoch. Nobody sets this clock. */
  exchangeClock(): number {
    return START + this.scheduler.now + this.#sleptMs + SKEW_MS;
  }

  get #liveAccounts(): readonly [WorldExchange, WorldExchange] {
    return [this.exchanges.live, this.otherAccount];
  }

  /** The account of an order. */
  accountNamed(of: Pick<AccountRef, "account">): WorldExchange {
    return this.accountChecks.accountOf(accountId(of)) ?? this.exchanges.practice;
  }

  /** The account that a request is signed for. */
  accountOf({ url, headers }: HttpRequest): WorldExchange {
    if (url.origin !== LIVE) return this.exchanges.practice;
    const { otherAccount, exchanges } = this;
    return headers["X-SVC-APIKEY"] === otherAccount.credentials.apiKey ? otherAccount : exchanges.live;
  }

  /** The account at a venue's exchange whose books have the order of this amount. */
  #holderOf(venue: Account["kind"], amount: string): WorldExchange {
    const { otherAccount, exchanges } = this;
    return venue === "live" && otherAccount.accepted.has(amount) ? otherAccount : exchanges[venue];
  }

  note(text: string): void {
    this.history.push(`${this.scheduler.now.toFixed(0).padStart(7)} ${slashed(text)}`);
  }

  violated(check: Check, text: string): void {
    this.violations.push({ check, text });
    this.note(`VIOLATED ${check}: ${text}`);
  }

  reached(situation: string): void {
    this.situations.set(situation, (this.situations.get(situation) ?? 0) + 1);
  }

  /** Whether a fault with a probability strikes now. */
  strikes(fault: Fault): boolean {
    const strikes = !this.isQuiet && this.scheduler.chance(this.plan.rates[fault] ?? 0);
    if (strikes) this.reached(fault);
    return strikes;
  }

  get alive(): WorldWindow[] {
    return this.windows.filter(({ process, isClosed }) => process.isAlive && !isClosed);
  }

  /** Opens the first window, and starts the person and the faults. */
  begin(): void {
    this.openWindow(worldAccounts[0]);
    this.#person.begin();
    this.#beginTrouble();
    if (!this.streamChecks) return;
    beginStreamTrouble(this);
    this.#connectionChecks.begin();
  }

  /** Ends all faults: frozen windows wake, the keyring opens, the exchanges are up. The person stops. */
  calm(): void {
    this.isQuiet = true;
    this.#latencyMs = 2;
    this.#unlock();
    for (const account of this.#liveAccounts) this.#storeKey(account, account);
    endStreamTrouble(this.exchanges);
    for (const { lists } of Object.values(this.exchanges)) lists.fault = undefined;
    for (const exchange of Object.values(this.exchanges)) exchange.start();
    for (const { process } of this.alive) process.wake();
    this.#person.leave();
    if (this.alive.length === 0) this.openWindow(worldAccounts[0]);
  }

  openWindow(account: Account): WorldWindow {
    const { scheduler } = this;
    const process = new Process(this.#pid++, scheduler, (error) =>
      this.violated("noStrayError", textOf(error)),
    );
    const os = {
      files: this.accountChecks.watching(process, this.disk.callsOf(process, diskTrouble(this))),
      pid: process.pid,
      isRunning: (pid: number) => this.alive.some((each) => each.process.pid === pid),
      randomBytes: (size: number) => scheduler.bytes(size),
      platform: "linux",
      uid: 1,
      connect: (address: string) => this.#sockets.connect(process, address),
      createServer: () => this.#sockets.createServer(process),
    };
    const window: WorldWindow = new WorldWindow(
      {
        scheduler,
        process,
        os,
        wire: wireEnds(this),
        openSocket: this.#streams.opener(process),
        now: () => this.clock(),
        addressOf: (kind) => (kind === "live" ? LIVE : `http://127.0.0.1:${this.#practicePort}`),
        featuresOf: (kind) => this.exchanges[kind].features,
        credentials: (of) => this.#credentials(of),
        isInFront: () => this.front?.process === process,
        ask: this.#person.questionsOf(process),
        confirmCancel: (question) => this.#person.confirmCancel(process, question),
        announce: (alert) => this.#announce(process, alert),
        log: (level, text) => {
          if (level === "warn" || level === "error") this.note(`${process.pid} ${level}: ${text}`);
          if (text.includes("ticker stream contradicted")) {
            const { wrongUntil } = this.exchanges[window.desk.venue.account.kind];
            this.streamChecks?.streamClosed(process.pid, scheduler.now < wrongUntil);
          }
        },
      },
      account,
    );
    this.windows.push(window);
    this.note(`${process.pid} opens with ${account.label}`);
    if (account.kind === "live" && this.#keyring.isLocked) this.reached("aWindowOpenedWithALockedKeyring");
    this.#watch(window);
    this.bringToFront(window);
    return window;
  }

  bringToFront(window: WorldWindow): void {
    if (this.front === window) return;
    const before = this.front;
    this.front = window;
    before?.process.run(() => before.desk.windowChanged({ focused: false, active: false }));
    window.process.run(() => window.desk.windowChanged({ focused: true, active: true }));
  }

  kill(window: WorldWindow, why: string): void {
    this.note(`${window.process.pid} is killed (${why})`);
    this.reached("killed");
    if (this.#streams.holds(window.process, "ticker")) this.reached("aStreamingLeaderWasKilled");
    window.process.kill();
    this.#losesFront(window);
  }

  close(window: WorldWindow): void {
    this.note(`${window.process.pid} is closed`);
    // A frozen window closes when it wakes, and is already gone for the person.
    window.isClosed = true;
    window.process.run(() => window.close());
    this.#losesFront(window);
  }

  #losesFront(window: WorldWindow): void {
    if (this.front !== window) return;
    this.front = undefined;
    const next = this.scheduler.pick(this.alive.filter((each) => each !== window));
    if (next) this.bringToFront(next);
  }

  #watch(window: WorldWindow): void {
    const { process, desk } = window;
    const { pid } = process;
    desk.orders.onDidChange(() => {
      if (!process.isAlive || window.isClosed) return;
      this.checks.ordersShown(pid, desk.orders.own);
      this.accountChecks.ordersShown(desk.orders.own);
      if (this.plan.switches) this.orderChecks.ordersShown(pid, desk.orders);
    });
    desk.windows.onDidChangeRole((role) => {
      this.note(`${pid} is ${role}`);
      this.streamChecks?.roleChanged(pid);
      const { id } = desk.venue.account;
      const leaders = this.alive.filter((each) => each.isLeaderOf(id));
      if (leaders.length > 1) this.reached("twoWindowsBelievedToLead");
    });
    desk.venue.onDidChange(() => {
      this.checks.exchangeSwitched(pid);
      this.streamChecks?.exchangeSwitched(pid);
    });
    desk.book.onDidChange(() => {
      if (process.isAlive) this.streamChecks?.bookShown(pid, desk.venue.account.kind, desk.book.state);
    });
    desk.tickers.onDidChange(({ state: { tickers } }) => {
      const madeAt = tickers.get("THB_BTC")?.quoteVolume;
      if (!madeAt || !process.isAlive) return;
      this.note(`${pid} shows ${desk.venue.account.kind} of ${madeAt - START}`);
      const shown = { venue: desk.venue.account.kind, tickers, isStale: desk.tickers.isStale };
      if (this.streamChecks) this.streamChecks.pricesShown(pid, shown);
      else this.checks.pricesShown(pid, desk.venue.account.kind, madeAt);
    });
  }

  #announce(process: Process, alert: Alert): void {
    process.check();
    const { id, fired } = alert;
    const firing = `${id}-${fired?.armedAt}`;
    if (this.strikes("beforeAnnouncing")) this.die(process, "before announcing");
    const claims = `${STORAGE}/notifications/test-alert-${firing}.`;
    const isRecorded = (): boolean =>
      [...this.disk.files].some(
        ([path, { bytes }]) =>
          path.startsWith(claims) && !path.includes(".json") && bytes.at(-1) === END_OF_LINE,
      );
    this.checks.alertShown(firing, process.pid, () => !process.isAlive || !isRecorded());
    this.note(`${process.pid} announces ${id.slice(0, 8)} ${fired?.armedAt}`);
    this.reached("alertShown");
    if (this.strikes("whileAnnouncing")) {
      this.reached("aWindowDiedWhileAnnouncing");
      this.die(process, "while announcing");
    }
  }

  /** Kills the window of a process within its own call. */
  die(process: Process, why: string): never {
    const window = this.windows.find((each) => each.process === process);
    if (window) this.kill(window, why);
    return process.killHere();
  }

  #credentials({ id, kind }: Account): Promise<Credentials | undefined> {
    if (kind === "live") return this.#keyring.give(id);
    return Promise.resolve(credentialsOf(this.exchanges.practice.credentials));
  }

  /** Whether the journal has the key that an account used last: it refuses others from then on. */
  #hasUsedKey({ id }: WorldExchange): boolean {
    return this.disk.list(ORDERS).some((name) => {
      const file = this.disk.files.get(`${ORDERS}/${name}`);
      return file?.bytes.subarray(0, file.synced).includes(`"account":"${id}","digest"`);
    });
  }

  /**
   * The key of `owner` is stored for an account, maybe another one. Each window is notified within seconds; one in ten
   * misses it.
   */
  #storeKey({ id }: WorldExchange, { credentials }: WorldExchange): void {
    const { pairs } = this.#keyring;
    if (pairs.get(id)?.apiKey.reveal() === credentials.apiKey) return;
    this.note(`${credentials.apiKey} is stored`);
    pairs.set(id, credentialsOf(credentials));
    for (const { process, desk } of this.alive)
      if (this.isQuiet || this.scheduler.chance(0.9))
        process.after(this.isQuiet ? 0 : this.scheduler.between(0, 3_000), () => void desk.venue.changeKey());
  }

  #unlock(): void {
    this.#keyring.unlock((answer) => this.scheduler.after(0, answer));
  }

  #links(): LinkTrouble {
    return {
      latency: () => this.#latencyMs * (0.5 + this.scheduler.random()),
      arrived: (from, to, bytes) => {
        if (bytes.toString("latin1", 0, 16) === '{"type":"market"')
          this.checks.marketArrived(from.pid, to.pid);
      },
    };
  }

  /** The exchange that listens at this origin, or did before it stopped. */
  exchangeAt(origin: string): WorldExchange | undefined {
    if (origin === LIVE) return this.exchanges.live;
    return origin === `http://127.0.0.1:${this.#practicePort}` ? this.exchanges.practice : undefined;
  }

  /** Faults that occur at random, each with its own rate. */
  #beginTrouble(): void {
    const { scheduler } = this;
    const strikes: Readonly<Record<TimedFault | "fill" | "cancelElsewhere", () => void>> = {
      kill: () => {
        const window = scheduler.pick(this.alive);
        if (window) this.kill(window, "anywhere");
      },
      powerCut: () => {
        for (const window of this.alive) this.kill(window, "power cut");
        this.disk.cutPower();
      },
      freeze: () => {
        const process = scheduler.pick(this.alive)?.process;
        if (!process || process.isFrozen) return;
        this.note(`${process.pid} freezes`);
        process.freeze();
        scheduler.after(scheduler.pick([500, 1000, 1500, 5000, 70_000]) ?? 0, () => {
          this.note(`${process.pid} wakes`);
          process.wake();
        });
      },
      sleep: () => this.#sleep(),
      anotherKey: () => {
        const [live, other] = this.#liveAccounts;
        // The first key of an account is its own.
        if (!this.#hasUsedKey(live)) return;
        this.reached("aKeyOfAnotherAccountWasStored");
        this.#storeKey(live, other);
        if (this.#hasUsedKey(other)) {
          this.reached("twoKeysWereSwapped");
          this.#storeKey(other, live);
        }
        scheduler.after(scheduler.between(2_000, 120_000), () => {
          for (const account of this.#liveAccounts) this.#storeKey(account, account);
        });
      },
      replacedJournal: () => {
        const journals = [...this.disk.files.keys()].filter((path) => path.startsWith(`${ORDERS}/orders-`));
        const path = scheduler.pick(journals);
        if (path === undefined) return;
        this.note(`${path} is replaced by a copy`);
        this.disk.replace(path);
      },
      clockForward: () => this.#setClock(scheduler.pick([3_000, 90_000, 7_200_000]) ?? 0),
      clockBack: () => this.#setClock(-(scheduler.pick([3_000, 90_000, 7_200_000]) ?? 0)),
      lockedKeyring: () => {
        this.note("the keyring is locked");
        this.#keyring.lock();
        scheduler.after(scheduler.between(1000, 60_000), () => this.#unlock());
      },
      restart: () => {
        const id = scheduler.pick(["practice", "live"] as const) ?? "practice";
        this.note(`${id} restarts`);
        const exchange = this.exchanges[id];
        exchange.stop();
        scheduler.after(scheduler.between(100, 20_000), () => {
          if (exchange.start() && id === "practice") this.#practicePort += 1;
        });
      },
      clog: () => {
        this.note("the links clog");
        this.#latencyMs = scheduler.pick([100, 700, 3000]) ?? 2;
        scheduler.after(scheduler.between(1000, 20_000), () => (this.#latencyMs = 2));
      },
      droppedLink: () => this.#sockets.dropOne(),
      fill: () => fillAny(this),
      cancelElsewhere: () => cancelElsewhere(this),
    };
    for (const [fault, strike] of Object.entries(strikes)) this.atTimes(fault as Fault, strike);
    for (const fault of listFaults) this.atTimes(fault, () => mixUpLists(this, fault));
  }

  /** Runs `strike` as often as the plan has the fault, at random. */
  atTimes(fault: Fault, strike: () => void): void {
    const { scheduler } = this;
    const rate = this.plan.rates[fault];
    if (rate === undefined) return;
    scheduler.after((-Math.log(1 - scheduler.random()) * 60_000) / rate, () => {
      if (this.isQuiet) return;
      this.reached(fault);
      strike();
      this.atTimes(fault, strike);
    });
  }

  dropStream(): void {
    this.#streams.dropOne();
  }

  /** The person may switch the account of a window now, in the middle of something. Returns whether they do. */
  maySwitch(process: Process, moment: SwitchMoment): boolean {
    if (!this.strikes("switchMidway")) return false;
    const { scheduler } = this;
    process.after(scheduler.between(0, 500), () => {
      const { desk } = this.windows.find((each) => each.process === process) ?? {};
      const account = scheduler.pick(worldAccounts.filter(({ id }) => id !== desk?.venue.account.id));
      if (!desk || !account) return;
      this.note(`${process.pid} switches to ${account.label}, with ${moment}`);
      this.reached(`theAccountWasSwitchedWith${moment}`);
      void desk.venue.select(account);
    });
    return true;
  }

  /** The computer may sleep now, within the steps of an order. */
  maySleep(): void {
    if (this.strikes("sleepInOrder")) this.#sleep();
  }

  #sleep(): void {
    const ms = this.scheduler.pick(this.plan.sleepsMs ?? SLEEPS_MS) ?? 0;
    this.note(`the computer sleeps for ${ms} ms`);
    this.#sleptMs += ms;
    this.sleepChecks.slept(ms);
  }

  #setClock(ms: number): void {
    this.note(`the clock is set by ${ms} ms`);
    this.#clockMs += ms;
    this.#setBackMs += Math.max(0, -ms);
    this.checks.clockWasSet(this.exchangeClock());
    this.sleepChecks.clockWasSet();
    this.streamChecks?.clockWasSet();
    if (ms < 0 && this.ordersOnTheirWay > 0) this.reached("theClockWentBackDuringARequest");
  }
}

function venueOf({ url }: StreamConnection): Account["kind"] {
  return url.origin.replace(/^ws/, "http") === LIVE ? "live" : "practice";
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
