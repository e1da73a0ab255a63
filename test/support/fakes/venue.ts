import { systemTimers } from "../../../src/time/timers.ts";
import { CurrentVenue, type CurrentVenueOptions, type VenueOpening } from "../../../src/desk/venue.ts";
import type { Capabilities } from "../../../src/exchange/capabilities.ts";
import type { ExchangeClient, MarketSnapshot, OrderConnection } from "../../../src/exchange/client.ts";
import { NotSentError } from "../../../src/exchange/errors.ts";
import type { ReadGate } from "../../../src/exchange/readRetry.ts";
import { type Account, practiceAccount } from "../../../src/market/account.ts";
import type { ServiceProfile } from "../../../src/exchange/profile.ts";
import type { Endpoint } from "../../../src/exchange/endpoints.ts";
import type { ClockSample } from "../../../src/exchange/signing/serverClock.ts";
import type { Wallet } from "../../../src/market/balance.ts";
import { Decimal } from "../../../src/market/numbers/decimal.ts";
import type { OrderReceipt, LimitOrder } from "../../../src/market/order.ts";
import type { Ticker } from "../../../src/market/ticker.ts";
import { testCredentials, testProfile } from "../builders/client.ts";

/** A ticker with the test's values, and plausible defaults. */
export function tickerOf(symbol: string, given: Partial<Ticker> = {}): Ticker {
  const [quote = "", base = ""] = symbol.split("_");
  return {
    symbol,
    pair: { quote, base },
    last: 100,
    bestBid: 99.5,
    bestAsk: 100.5,
    high: 110,
    low: 90,
    baseVolume: 1000,
    quoteVolume: 100_000,
    percentChange: 1.5,
    frozen: false,
    ...given,
  };
}

export function snapshotOf(...tickers: Ticker[]): MarketSnapshot {
  return { tickers: new Map(tickers.map((ticker) => [ticker.symbol, ticker])), unreadable: 0 };
}

/** A wallet of available amounts; "unreadable" marks a balance that could not be read. */
export function walletOf(balances: Record<string, string>): Wallet {
  const zero = new Decimal("0");
  return new Map(
    Object.entries(balances).map(([asset, text]) => [
      asset,
      text === "unreadable" ? text : { available: new Decimal(text), reserved: zero },
    ]),
  );
}

/** A client with canned responses, which counts its calls. */
export class FakeClient implements ExchangeClient {
  tickersAnswer: (gate?: ReadGate) => Promise<MarketSnapshot> = () =>
    Promise.resolve(snapshotOf(tickerOf("THB_BTC")));
  walletAnswer: () => Promise<Wallet> = () => Promise.resolve(walletOf({ THB: "1000" }));
  bidAnswer: (bid: LimitOrder, mayStillSend?: () => boolean) => Promise<OrderReceipt> = () =>
    Promise.resolve({ orderId: "1" });
  readonly calls = { serverTime: 0, measureClock: 0, forgetClock: 0, tickers: 0, wallet: 0, placeOrder: 0 };

  capabilities: Capabilities = {};

  clock: ClockSample | undefined = undefined;
  readonly adoptClock = (sample: ClockSample): void => {
    this.clock = { offset: sample.offset, at: sample.at };
  };

  readonly rateLimits: {
    readonly endpoint: Endpoint;
    readonly until: number;
    readonly limitsHost: boolean;
  }[] = [];
  isRateLimited = false;
  rateLimitedUntil(): number | undefined {
    return this.isRateLimited ? 1_795_000_000_000 : undefined;
  }

  adoptRateLimit(endpoint: Endpoint, until: number, limitsHost: boolean): void {
    this.rateLimits.push({ endpoint, until, limitsHost });
  }

  async serverTime(): Promise<number> {
    this.calls.serverTime += 1;
    return 1_795_000_000_000;
  }

  async measureClock(): Promise<number> {
    this.calls.measureClock += 1;
    return 0;
  }

  forgetClock(): void {
    this.calls.forgetClock += 1;
  }

  tickers(gate?: ReadGate): Promise<MarketSnapshot> {
    this.calls.tickers += 1;
    return this.tickersAnswer(gate);
  }

  wallet(): Promise<Wallet> {
    this.calls.wallet += 1;
    return this.walletAnswer();
  }

  /** Connections opened ahead of bids: whether each was closed, and whether a bid used it. */
  readonly prepared: { readonly way: OrderConnection; isClosed: boolean; isHandedIn: boolean }[] = [];
  prepareOrder(): OrderConnection {
    const way = { take: () => undefined, close: () => void (opened.isClosed = true) };
    const opened = { way, isClosed: false, isHandedIn: false };
    this.prepared.push(opened);
    return way;
  }

  placeOrder(
    bid: LimitOrder,
    mayStillSend?: () => boolean,
    prepared?: OrderConnection,
  ): Promise<OrderReceipt> {
    this.calls.placeOrder += 1;
    for (const each of this.prepared) each.isHandedIn ||= each.way === prepared;
    return this.bidAnswer(bid, mayStillSend);
  }
}

export function openingOf(baseUrl: string, given: Partial<VenueOpening> = {}): VenueOpening {
  return {
    name: new URL(baseUrl).host,
    profile: testProfile(baseUrl, { walletMethod: "GET" }),
    credentials: () => Promise.resolve(testCredentials),
    addressMayChange: false,
    ...given,
  };
}

/** The id of the live account. */
export const TEST_ACCOUNT = "1".repeat(16);
export const liveAccount: Account = { id: TEST_ACCOUNT, label: "Main", kind: "live" };

export const accountOfKind: Readonly<Record<Account["kind"], Account>> = {
  practice: practiceAccount,
  live: liveAccount,
};

/** Opens practice and live accounts each in their own way. */
export function byKind(
  open: Readonly<Record<Account["kind"], () => Promise<VenueOpening>>>,
): CurrentVenueOptions["open"] {
  return ({ kind }) => open[kind]();
}

/** A current venue on which no computer sleeps, and every key is the same. */
export function currentVenue(
  given: Pick<CurrentVenueOptions, "open" | "createClient"> & Partial<CurrentVenueOptions>,
): CurrentVenue {
  return new CurrentVenue({
    digestOf: async () => "d".repeat(16),
    admits: async () => true,
    timers: systemTimers,
    checkWake: () => undefined,
    ...given,
  });
}

/** A current venue in which practice and live use the given clients. */
export async function openVenue(
  practice: ExchangeClient,
  live: ExchangeClient = practice,
): Promise<CurrentVenue> {
  const venue = currentVenue({
    open: byKind({
      practice: () =>
        Promise.resolve(openingOf("http://127.0.0.1:1", { name: "Practice", addressMayChange: true })),
      live: () => Promise.resolve(openingOf("https://api.example.com")),
    }),
    createClient: ({ addressMayChange }) => (addressMayChange ? practice : live),
  });
  await venue.select(practiceAccount);
  return venue;
}

/** The practice exchange, which may restart on the next port: nothing listens on the old one any more. */
export class MovingExchange {
  readonly client: FakeClient;
  readonly #profile: Partial<ServiceProfile>;
  #port = 1;

  constructor(client: FakeClient, profile: Partial<ServiceProfile>) {
    this.client = client;
    this.#profile = profile;
  }

  move(): void {
    this.#port += 1;
  }

  readonly open = (): Promise<VenueOpening> => {
    const url = `http://127.0.0.1:${this.#port}`;
    const profile = testProfile(url, { walletMethod: "GET", ...this.#profile });
    return Promise.resolve(openingOf(url, { name: "Practice", addressMayChange: true, profile }));
  };

  /** A client of one address, which reads market and server time only while the exchange is running. */
  readonly createClient = ({ profile }: Pick<VenueOpening, "profile">): ExchangeClient => {
    const { client } = this;
    const isThere = (): boolean => profile.baseUrl.port === String(this.#port);
    const gone = (endpoint: Endpoint): Promise<never> =>
      Promise.reject(new NotSentError(endpoint, "unreachable", "refused"));
    const at = new FakeClient();
    at.capabilities = client.capabilities;
    at.tickersAnswer = (gate) => (isThere() ? client.tickersAnswer(gate) : gone("tickers"));
    at.serverTime = () => (isThere() ? client.serverTime() : gone("serverTime"));
    return at;
  };
}
