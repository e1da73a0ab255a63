import { symbolFor } from "../../src/market/pair.ts";
import type { Account } from "../../src/market/account.ts";
import { type Features, readFeatures } from "../../src/exchange/features.ts";
import type { HttpRequest } from "../../src/http/transport.ts";
import { RESET_PATH, routeOf, type Api } from "../../src/practice/http/routes.ts";
import { PracticeService, type PracticeResponse } from "../../src/practice/http/service.ts";
import {
  defaultSwitches,
  offeredFeatures,
  SwitchedService,
  type Switches,
} from "../support/servers/switches.ts";
import { fillOrder } from "../support/builders/fillOrder.ts";
import { Exchange } from "../../src/practice/account/exchange.ts";
import type { PracticeCredentials, SignedRequest } from "../../src/practice/http/signatureCheck.ts";
import type { PracticeOrder } from "../../src/practice/account/order.ts";
import { Ledger } from "../../src/practice/account/ledger.ts";
import { type OrderAccepted, readEvent } from "../../src/practice/account/events.ts";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import { bookId, type ListQuirk, ListTrouble } from "./listTrouble.ts";
import { LISTINGS } from "../../src/practice/market/listings.ts";
import { createMarket, type Market } from "../../src/practice/market/market.ts";
import type { PracticeSocket } from "../../src/practice/stream/session.ts";
import type { PracticeStreams, StreamEvents } from "../../src/practice/stream/streams.ts";
import { signedHeaders } from "../support/builders/practiceRequest.ts";
import { FaultyStreams } from "../support/servers/streamFaults.ts";
import type { After } from "../../src/time/timers.ts";

/** The address of the live exchange. */
export const LIVE = "https://exchange.example";
const NOTHING = new Decimal("0");
/** Few pairs, because a world reads its market thousands of times. One pair is frozen. */
const PAIRS = new Set(["BTC", "ETH", "ZIL"]);

/**
 * A world's market. Each ticker's quote volume is the time of its poll, so a check can compare ages. Streams send `lie`
 * times the true prices: they ask for one ticker at a time.
 */
function datedMarket(seed: string, lie: () => number): Market {
  const market = createMarket(
    seed,
    LISTINGS.filter(({ base }) => PAIRS.has(base)),
  );
  return {
    ...market,
    tickerAt: (symbol, at) => {
      const { last, ask, bid, ...ticker } = market.tickerAt(symbol, at);
      const streamed = (price: number): number => (lie() === 1 ? price : Number((price * lie()).toFixed(4)));
      return { ...ticker, last: streamed(last), ask: streamed(ask), bid: streamed(bid), quoteVolume: at };
    },
    tickersAt: (at) => market.tickersAt(at).map((ticker) => ({ ...ticker, quoteVolume: at })),
  };
}

/** The behaviour of an exchange beyond the four endpoints. */
export interface Behaviour extends Partial<Switches> {
  /** Orders are those of A or B; C has the balances of B. */
  readonly generations: readonly ("A" | "B" | "C")[];
  /** What its profile says of a second order with a used client id. No order is sent twice. */
  readonly duplicates?: "accepted" | "refused" | "replayed";
}

/** The rows of pairs without limits. */
const SYMBOLS_OF_A = {
  method: "GET",
  path: "/api/market/symbols",
  symbolOrder: "quoteFirst",
  envelope: "A",
};
const WINDOW_MS = 30_000;

/** An exchange of the world: the practice exchange's own code, and all orders that it accepted. */
export class WorldExchange {
  readonly name: Account["kind"];
  /** The id of the account. */
  readonly id: string;
  readonly credentials: PracticeCredentials;
  readonly records: unknown[] = [];
  /** The orders of the world that were accepted, by their amounts. Each draft has a different amount. */
  readonly accepted = new Map<string, OrderAccepted>();
  /** All orders by id, also those from before a reset, and when each changed last by the exchange's clock. */
  readonly held = new Map<string, { readonly order: PracticeOrder; readonly changedAt: number }>();
  /** Ids of the orders of accounts that were reset. */
  readonly #beforeReset = new Set<string>();
  /** Ids of the orders that were placed elsewhere. */
  readonly elsewhere = new Set<string>();
  #isElsewhere = false;
  #changedAt = 0;
  readonly #ledger = new Ledger();
  readonly switches: Readonly<Switches> & Behaviour;
  readonly #switched: SwitchedService;
  /** What is wrong with its lists of orders. */
  readonly lists: ListTrouble;
  isUp = true;
  /** The network between its streams and their clients. */
  readonly streamRelay: FaultyStreams;
  /** The streams since the newest start. */
  streams: PracticeStreams;
  /** What the prices of streams are of the true ones. */
  lie = 1;
  /** Its streams may contradict its polls until then, in world time: a sleep ends no fault. */
  wrongUntil = 0;
  #account: Exchange;
  #services: Readonly<Record<Api, PracticeService>>;
  readonly #after: After;
  readonly #market: Market;
  /** The exchange's clock, ms since the epoch. */
  readonly now: () => number;

  /** `now` is the exchange's clock, ms since the epoch. Without a behaviour, it offers the four endpoints only. */
  constructor(
    { id, kind: name, label }: Account,
    now: () => number,
    after: After,
    behaviour: Behaviour = { generations: [] },
    continuesOrders = false,
    quirks: readonly ListQuirk[] = [],
  ) {
    this.switches = { ...defaultSwitches, isBasic: behaviour.generations.length === 0, ...behaviour };
    this.lists = new ListTrouble(
      continuesOrders,
      quirks,
      () => this.features,
      (id) => this.book(id),
    );
    this.credentials = { apiKey: `${label}-key`, apiSecret: `${label}-secret` };
    this.name = name;
    this.id = id;
    this.#market = datedMarket(name, () => this.lie);
    this.now = now;
    this.#after = after;
    this.streamRelay = new FaultyStreams(after);
    this.#switched = new SwitchedService(this.switches, this.credentials, () => this.#account, now);
    this.#account = this.#openAccount();
    this.#services = this.#start();
    this.streams = this.#services.spec.openStreams(after);
  }

  /** What a profile of this exchange offers. */
  get features(): Features {
    const read = readFeatures(featuresOf(this.switches), "quoteFirst");
    if (Array.isArray(read)) throw new Error(read.join(", "));
    return read;
  }

  /** Opens a stream that was not rejected. */
  openStream(target: string, socket: PracticeSocket): StreamEvents {
    return this.streams.open(target, {
      send: (text) => socket.send(this.#switched.frame(text)),
      ping: () => socket.ping(),
      close: (code) => socket.close(code),
    });
  }

  /** Ends the process of the exchange, with all its connections. */
  stop(): void {
    this.isUp = false;
    this.streamRelay.drop();
  }

  /**
   * Starts the exchange again, with the ledger of its log. False if it is up already: two processes would write
   * the same log.
   */
  start(): boolean {
    if (this.isUp) return false;
    this.#account = this.#openAccount();
    this.#services = this.#start();
    this.streams = this.#services.spec.openStreams(this.#after);
    this.isUp = true;
    return true;
  }

  /** Resets the account for its owner. Rejects while the exchange is down. */
  async reset(): Promise<void> {
    if (!this.isUp) throw new Error("The exchange is down.");
    await this.#ask(RESET_PATH);
  }

  async #ask(path: string, body = ""): Promise<void> {
    const headers = signedHeaders("POST", path, body, Math.floor(this.now()), this.credentials);
    this.#answer({ method: "POST", path, headers: lowerCase(headers), body: Buffer.from(body) });
  }

  /** Whether the order of this amount is open or was filled, wholly or in part. */
  isOpenOrFilled(amount: string): boolean {
    const { order } = this.held.get(String(this.accepted.get(amount)?.id)) ?? {};
    return order !== undefined && (order.matches.length > 0 || order.closed === undefined);
  }

  /** The order of an id, also of a later id of it, and from before a reset. */
  book(orderId: string): PracticeOrder | undefined {
    const id = bookId(orderId);
    const { order, changedAt = 0 } = this.held.get(id) ?? {};
    // A reset ends all orders of the account.
    return order && !order.closed && this.#beforeReset.has(id)
      ? { ...order, closed: { at: changedAt, as: "cancelled" } }
      : order;
  }

  /** When an order of the account changed last, by the exchange's clock. */
  get changedAt(): number {
    return this.#changedAt;
  }

  /** Ids of the open orders. */
  get open(): readonly string[] {
    return [...this.#ledger.resting.keys()].map(String);
  }

  /** The market takes this share of what is left of an open order. False if no such order is open. */
  fill(anyId: string, share: number): boolean {
    const orderId = bookId(anyId);
    const left = this.#ledger.resting.get(Number(orderId))?.left;
    const amount = left?.times(share.toFixed(2)).round(8, Decimal.roundUp);
    return amount !== undefined && fillOrder(this.#account, orderId, amount, Math.floor(this.now()));
  }

  /** Cancels an open order as its owner, without a computer of the world. */
  cancel(orderId: string): void {
    const placed = this.#ledger.resting.get(Number(orderId))?.placed;
    const { cancelOrder } = this.features;
    if (!placed || !cancelOrder) return;
    const fields = { sym: symbolFor(placed, cancelOrder), id: orderId, sd: sideOf(placed) };
    void this.#ask(cancelOrder.path, JSON.stringify(fields));
  }

  /**
   * Places the order of a request once more, or with another amount, as its owner without a computer of the world, and
   * without a client id.
   */
  placeElsewhere({ url, body }: HttpRequest, amount?: string): void {
    if (!this.isUp) return;
    // The service answers before its first wait, so no other order comes in between.
    this.#isElsewhere = true;
    const same = String(body).replace(/,"client_id":"[^"]*"/, "");
    void this.#ask(
      url.pathname,
      amount === undefined ? same : same.replace(/"amt":[\d.]+/, `"amt":${amount}`),
    );
    this.#isElsewhere = false;
  }

  answer(request: HttpRequest): PracticeResponse {
    const { method, url, body = Buffer.alloc(0) } = request;
    const headers = lowerCase(request.headers);
    const renamed = this.lists.asked(request);
    const answer = this.#answer(
      renamed
        ? {
            method,
            path: renamed.path,
            headers: this.#signed(method, headers, renamed),
            body: Buffer.from(renamed.body),
          }
        : { method, path: url.pathname + url.search, headers, body },
    );
    return this.lists.answered(request, answer);
  }

  #answer(request: SignedRequest): PracticeResponse {
    const api = routeOf(request.path, "spec") ? "spec" : "current";
    const service = this.#services[api];
    const route = routeOf(request.path, api);
    if (!route) return service.answer(request);
    const answer = service.answer(this.#switched.request(request, route));
    return { ...answer, text: this.#switched.response(request, route, answer.text) };
  }

  #signed(
    method: string,
    headers: Readonly<Record<string, string>>,
    { path, body }: { readonly path: string; readonly body: string },
  ): Record<string, string> {
    const at = Number(headers["x-svc-timestamp"]);
    return { ...headers, ...lowerCase(signedHeaders(method, path, body, at, this.credentials)) };
  }

  /** True if available and reserved amounts of each asset are exactly what its start balance, fills and fees leave. */
  get conserves(): boolean {
    const ledger = new Ledger();
    const expected = new Map<string, Decimal>();
    const orders = new Map<number, OrderAccepted>();
    /** The part of each order's amount that was not filled. */
    const left = new Map<number, Decimal>();
    const add = (asset: string, amount: Decimal): void =>
      void expected.set(asset, (expected.get(asset) ?? NOTHING).plus(amount));
    for (const record of this.records) {
      const event = readEvent(record);
      ledger.apply(event);
      if (event.kind === "reset") expected.clear();
      if (event.kind === "opened" || event.kind === "reset") expected.set(event.asset, event.amount);
      if (event.kind === "bid" || event.kind === "ask") {
        orders.set(event.id, event);
        left.set(event.id, event.amount);
      }
      const order = "fill" in event && event.fill && orders.get(event.id);
      if (!order || !event.fill) continue;
      const rest = left.get(event.id) ?? NOTHING;
      const amount = event.kind === "partFilled" ? event.fill.amount : rest;
      left.set(event.id, rest.minus(amount));
      const [gives, receives] = order.kind === "bid" ? [order.quote, order.base] : [order.base, order.quote];
      add(gives, NOTHING.minus(amount));
      add(receives, event.fill.quantity);
    }
    const wallet = ledger.wallet();
    return [...new Set([...expected.keys(), ...wallet.keys()])].every((asset) => {
      const { available = NOTHING, reserved = NOTHING } = wallet.get(asset) ?? {};
      return available.plus(reserved).eq(expected.get(asset) ?? NOTHING);
    });
  }

  #openAccount(): Exchange {
    const { records, accepted, held } = this;
    const ledger = this.#ledger;
    const append = (record: unknown): void => {
      records.push(record);
      const event = readEvent(record);
      if (event.kind === "bid" || event.kind === "ask") {
        if (this.#isElsewhere) this.elsewhere.add(String(event.id));
        else accepted.set(event.amount.toFixed(), event);
      }
      if (event.kind === "reset") for (const id of held.keys()) this.#beforeReset.add(id);
      ledger.apply(event);
      this.#changedAt = this.now();
      const order = "id" in event && ledger.orders.get(event.id);
      if (order) held.set(String(order.placed.id), { order, changedAt: this.now() });
    };
    const log = { records: [...records], append };
    return new Exchange(this.#market, log);
  }

  #start(): Readonly<Record<Api, PracticeService>> {
    const ports = { credentials: this.credentials, now: this.now, account: this.#account };
    return { spec: new PracticeService(ports), current: new PracticeService({ ...ports, api: "current" }) };
  }
}

/** What a profile of this exchange offers: the four endpoints at the paths of the specification, and the rest as it behaves. */
function featuresOf(switches: WorldExchange["switches"]): Readonly<Record<string, unknown>> {
  const { generations, duplicates = "accepted" } = switches;
  const isOfB = generations.includes("B");
  const offered = offeredFeatures(isOfB ? "current" : "spec", switches);
  const { status: _status, feeCredits: _feeCredits, balances, clientOrderId, ...features } = offered;
  return {
    ...features,
    ...(balances !== undefined && (!isOfB || generations.includes("C")) && { balances }),
    ...(!isOfB && features["symbols"] !== undefined && { symbols: SYMBOLS_OF_A }),
    ...(clientOrderId !== undefined && { clientOrderId: { duplicates, windowMs: WINDOW_MS } }),
  };
}

function sideOf({ kind }: OrderAccepted): "buy" | "sell" {
  return kind === "bid" ? "buy" : "sell";
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
