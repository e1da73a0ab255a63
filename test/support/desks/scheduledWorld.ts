import type fc from "fast-check";
import type { Desk } from "../../../src/desk/desk.ts";
import type { BidOutcome } from "../../../src/desk/orders/orderPlacer.ts";
import { createClient, type ClientOptions, type ExchangeClient } from "../../../src/exchange/client.ts";
import type { Credentials } from "../../../src/exchange/signing/credentials.ts";
import {
  createTransport,
  type HttpResponse,
  type HttpRequest,
} from "../../../src/exchange/http/transport.ts";
import type { Endpoint, Fault } from "../../../src/practice/http/faults.ts";
import { startPractice, type PracticeExchange } from "../../../src/practice/http/server.ts";
import { createMarket } from "../../../src/practice/market/market.ts";
import type { BidRecord } from "../../../src/storage/orders/replay.ts";
import { testCredentials, testProfile } from "../builders/client.ts";
import { testPair } from "../builders/practiceRequest.ts";
import { FakeTimers, settle } from "../fakes/timers.ts";
import { openingOf, readingOf, tickerOf } from "../fakes/venue.ts";
import { submit, unattended } from "./testDesk.ts";
import { openDesk } from "./windows.ts";
import { bringToFront, windowsInMemory } from "./windowsInMemory.ts";
import { unsyncedComputer } from "../fakes/computer.ts";

const SYMBOL = "THB_BTC";
const SEED = "scheduled";
/** Longer than any test: a held request is ended by the client's time limit, which the test drives. */
export const HELD_MS = 3_600_000;

/** A practice exchange over real sockets, on the driven clock of whichever world is on, and all that it ever did. */
export class WitnessedExchange {
  readonly practice: PracticeExchange;
  readonly #clock: { timers: FakeTimers };
  readonly #records: Record<string, unknown>[];
  #bids = 0;

  private constructor(
    practice: PracticeExchange,
    clock: { timers: FakeTimers },
    records: Record<string, unknown>[],
  ) {
    this.practice = practice;
    this.#clock = clock;
    this.#records = records;
  }

  static async start(): Promise<WitnessedExchange> {
    const clock = { timers: new FakeTimers() };
    const records: Record<string, unknown>[] = [];
    const practice = await startPractice({
      credentials: testPair,
      now: () => clock.timers.now(),
      seed: SEED,
      log: { records: [], append: (record) => records.push(record as Record<string, unknown>) },
    });
    return new WitnessedExchange(practice, clock, records);
  }

  /** Goes by the clock of a new world from now on. */
  renew(): FakeTimers {
    this.#clock.timers = new FakeTimers();
    return this.#clock.timers;
  }

  /** The last price as the windows are told it: a bid at this rate fills at once. */
  get last(): number {
    return createMarket(SEED).quoteAt(SYMBOL, this.#clock.timers.now()).ask * 1.02;
  }

  /** A rate that fills at once and that no other bid has: the exchange's books tell bids apart by it. */
  newRate(): string {
    this.#bids += 1;
    const cents = Math.round(this.last * 100) + this.#bids;
    return `${Math.floor(cents / 100)}.${String((cents % 100) + 100).slice(1)}`;
  }

  /** How often a bid at this rate is in the exchange's books. */
  accepted(rate: string): number {
    return this.#records.filter(({ kind, rate: at }) => kind === "bid" && Number(at) === Number(rate)).length;
  }
}

/** A bid as it was meant, and what the desk said became of it. */
export interface MeantBid {
  readonly rate: string;
  readonly fault: Fault | undefined;
  outcome: BidOutcome | undefined;
}

/** One turn of the event loop: what came in over the sockets is taken. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

interface OpenWindow {
  readonly desk: Desk;
  busy: boolean;
}

/**
 * Two windows over one journal and one account: desk, client and sockets are the product's own. Time is driven, and the
 * scheduler says when the person answers and when an answer (or the end of the client's patience) comes. Prices are
 * read at once. If `isLeaderKeyless`, a third window leads and has no key, so the window in front checks the bids.
 */
export class ScheduledWorld {
  readonly bids: MeantBid[] = [];
  /** Faults of the next requests other than bids. */
  readonly readFaults: Fault[] = [];
  /** Bids that the person confirmed. */
  confirmed = 0;
  readonly #timers: FakeTimers;
  readonly #exchange: WitnessedExchange;
  readonly #scheduler: fc.Scheduler;
  readonly #directory: string;
  readonly #connect = windowsInMemory();
  readonly #keyless: readonly Desk[];
  readonly #windows: OpenWindow[];
  #front = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #onTheirWay = 0;

  constructor(
    exchange: WitnessedExchange,
    scheduler: fc.Scheduler,
    directory: string,
    isLeaderKeyless: boolean,
  ) {
    this.#exchange = exchange;
    this.#scheduler = scheduler;
    this.#directory = directory;
    this.#timers = exchange.renew();
    this.#keyless = isLeaderKeyless ? [this.#openDesk(undefined)] : [];
    this.#windows = [this.#openWindow(), this.#openWindow()];
  }

  async open(): Promise<void> {
    await this.#bringToFront(0);
    while (!this.#windows[0]?.desk.balances.available("THB")) {
      await this.#timers.advance(0);
      await this.#answerAll();
    }
  }

  get isBusy(): boolean {
    return this.#windows.some(({ busy }) => busy);
  }

  /** Bids that reached the exchange, whatever it did with them. */
  get posts(): number {
    return this.#exchange.practice.requests.placeBid;
  }

  /** Submits a bid in the window in front; resolves at once, with what it came to where that window was busy. */
  async submit(amount: string, fault: Fault | undefined): Promise<BidOutcome | undefined> {
    const place = this.#windows[this.#front];
    if (!place) throw new Error("No window is open.");
    const rate = this.#exchange.newRate();
    const draft = { symbol: SYMBOL, amount, rate };
    if (place.busy) return await submit(place.desk, draft);
    const bid: MeantBid = { rate, fault, outcome: undefined };
    this.bids.push(bid);
    place.busy = true;
    void submit(place.desk, draft).then((outcome) => {
      bid.outcome = outcome;
      place.busy = false;
    });
    return undefined;
  }

  /** Time passes, awake or asleep; what is on its way to the exchange has arrived before. */
  async pass(ms: number, how: "awake" | "asleep"): Promise<void> {
    await this.#arrivals();
    if (how === "awake") await this.#timers.advance(ms);
    else this.#timers.sleep(ms);
  }

  async switchWindow(): Promise<void> {
    await this.#bringToFront(1 - this.#front);
  }

  /** Closes the window in front and opens it again; not while a bid of its own is on its way. */
  async reload(): Promise<void> {
    const old = this.#windows[this.#front];
    if (!old || old.busy) return;
    old.desk.dispose();
    this.#windows[this.#front] = this.#openWindow();
    await this.#bringToFront(this.#front);
  }

  /** All bids of the journal. */
  async journal(): Promise<readonly BidRecord[]> {
    const { orders } = this.#windows[this.#front]?.desk ?? {};
    await orders?.reread();
    return orders?.bids ?? [];
  }

  /** Lets every answer come, and time pass, until no bid is on its way and nothing is looked after any more. */
  async comeToRest(): Promise<void> {
    this.readFaults.length = 0;
    for (let step = 0; step < 200; step += 1) {
      await this.#answerAll();
      const open = (await this.journal()).filter(({ state }) => state === "unknown" || state === "sending");
      if (open.length === 0 && !this.isBusy) return;
      await this.#timers.advance(5_000);
    }
    throw new Error("The world did not come to rest.");
  }

  close(): void {
    for (const desk of [...this.#keyless, ...this.#desks]) desk.dispose();
  }

  get #desks(): Desk[] {
    return this.#windows.map(({ desk }) => desk);
  }

  /** Lets every request reach the exchange and be answered, and those that follow from the answers. */
  async #answerAll(): Promise<void> {
    do {
      await this.#arrivals();
      await this.#scheduler.waitAll();
      await settle();
    } while (this.#onTheirWay > 0 || this.#scheduler.count() > 0);
  }

  async #arrivals(): Promise<void> {
    while (this.#onTheirWay > 0) await turn();
  }

  #openWindow(): OpenWindow {
    return { desk: this.#openDesk(testCredentials), busy: false };
  }

  #openDesk(credentials: Credentials | undefined): Desk {
    const opening = {
      ...openingOf(this.#exchange.practice.baseUrl, { mayMove: true }),
      profile: testProfile(this.#exchange.practice.baseUrl, { walletMethod: "GET" }),
      credentials: () => Promise.resolve(credentials),
    };
    const open = () => Promise.resolve(opening);
    return openDesk(this.#directory, {
      timers: this.#timers,
      random: () => 0.5,
      computer: unsyncedComputer,
      openVenue: { practice: open, live: open },
      createClient: (options) => this.#clientOf(options),
      openWindows: this.#connect,
      window: unattended,
      ask: {
        confirmAbove: () => Promise.reject(new Error("The rate is not above the last price.")),
        confirm: async () => {
          await this.#scheduler.schedule(Promise.resolve(), "the person confirms");
          this.confirmed += 1;
          return true;
        },
      },
    });
  }

  #clientOf(options: ClientOptions): ExchangeClient {
    const client = createClient({
      ...options,
      readWaitsMs: [],
      transport: (request) => this.#carry(request),
    });
    const tickers = async () => readingOf(tickerOf(SYMBOL, { last: this.#exchange.last }));
    return Object.assign(client, { tickers });
  }

  async #bringToFront(index: number): Promise<void> {
    this.#front = index;
    bringToFront(this.#desks, index);
    await settle();
  }

  /** Sends a request at once, one after the other; what comes of it is known when the scheduler says so. */
  async #carry(request: HttpRequest): Promise<HttpResponse> {
    const endpoint = request.endpoint as Endpoint;
    let arrived: () => void = () => undefined;
    const myTurn = this.#turn;
    this.#turn = new Promise<void>((resolve) => (arrived = resolve));
    this.#onTheirWay += 1;
    await myTurn;
    const { faults, requests } = this.#exchange.practice;
    const fault = this.#faultOf(request);
    if (fault) faults.next(endpoint, fault);
    const before = requests[endpoint];
    let giveUp: () => void = () => undefined;
    const after = (_ms: number, task: () => void): (() => void) => {
      giveUp = task;
      return () => (giveUp = () => undefined);
    };
    const answer = createTransport({ after })(request);
    const own = { isOver: false };
    const settled = answer.then(
      () => (own.isOver = true),
      () => (own.isOver = true),
    );
    // Until it arrived, or failed before.
    do await turn();
    while (!own.isOver && requests[endpoint] === before);
    if (fault && requests[endpoint] === before) faults.take(endpoint);
    const isHeld = fault?.kind === "delay";
    const { task } = this.#scheduler.scheduleSequence([
      {
        label: `${endpoint} ${fault?.kind ?? "answered"}`,
        builder: async () => {
          if (isHeld) giveUp();
          await settled;
        },
      },
    ]);
    this.#onTheirWay -= 1;
    arrived();
    await task;
    return await answer;
  }

  #faultOf({ endpoint, body }: HttpRequest): Fault | undefined {
    if (endpoint !== "placeBid") return this.readFaults.shift();
    const { rat } = JSON.parse(String(body)) as { rat: number };
    return this.bids.find(({ rate }) => Number(rate) === rat)?.fault;
  }
}
