import { createHmac, randomUUID } from "node:crypto";
import { OrderPlacer, type BidOutcome } from "../../../src/desk/orders/orderPlacer.ts";
import { createClient } from "../../../src/exchange/client.ts";
import { Decimal } from "../../../src/market/numbers/decimal.ts";
import { type BidLimits, type BidRules, usualLimits, usualRules } from "../../../src/market/order.ts";
import type { Ticker } from "../../../src/market/ticker.ts";
import { testCredentials, testProfile } from "../builders/client.ts";
import { noOrders } from "../fakes/bidDesk.ts";
import { FakeClient, openVenue, tickerOf } from "../fakes/venue.ts";
import { loadUi, window } from "../fakes/vscode.ts";
import { serveHttp, type LoopbackServer, type SeenRequest } from "../servers/loopback.ts";

/** What the desk goes by; changed at will between bids, and while a question is open. */
interface MarketNow {
  ticker: Partial<Ticker>;
  ageMs: number | undefined;
  isStale: boolean;
  available: string | undefined;
  limits: Partial<BidLimits>;
  rules: Partial<BidRules>;
}

/** A question to the person, as the native modal shows it. */
interface Question {
  readonly title: string;
  readonly detail: string;
  readonly button: string;
}

export interface GuardedDesk {
  readonly now: MarketNow;
  /** Every question since the last bid. */
  readonly asked: Question[];
  /** What the person answers; true sends. */
  answer: (question: Question) => boolean;
  /** Bids that reached the server. */
  readonly posts: readonly SeenRequest[];
  place(amount: string, rate: string): Promise<BidOutcome>;
  close(): Promise<void>;
}

/** The product's own desk, questions and signed client before a real server: a market of THB_BTC, at 100 unless said otherwise. */
export async function openGuardedDesk(): Promise<GuardedDesk> {
  const server: LoopbackServer = await serveHttp(({ method }, response) => {
    const body = method === "POST" ? '{"error":0}' : `{"error":0,"result":${Math.floor(Date.now() / 1000)}}`;
    response.writeHead(200, { "Content-Type": "application/json", Connection: "close" }).end(body);
  });
  const client = createClient({
    profile: testProfile(server.url),
    credentials: () => Promise.resolve(testCredentials),
    now: Date.now,
  });
  const venue = await openVenue(
    Object.assign(new FakeClient(), {
      prepareBid: client.prepareBid.bind(client),
      placeBid: client.placeBid.bind(client),
    }),
  );
  const { confirmAbove, confirmBid } = await loadUi(() => import("../../../src/ui/ticket/confirmation.ts"));
  const now: MarketNow = {
    ticker: {},
    ageMs: 0,
    isStale: false,
    available: undefined,
    limits: {},
    rules: {},
  };
  const asked: Question[] = [];
  const ask = (title: string, { detail }: { detail: string }, button: string) => {
    const question = { title, detail, button };
    asked.push(question);
    return Promise.resolve(guarded.answer(question) ? button : undefined);
  };
  const { showInformationMessage, showWarningMessage } = window;
  Object.assign(window, { showInformationMessage: ask, showWarningMessage: ask });
  const tickerNow = () => tickerOf("THB_BTC", now.ticker);
  const available = () => (now.available === undefined ? undefined : new Decimal(now.available));
  const desk = new OrderPlacer({
    get rules() {
      return { ...usualRules, ...now.rules };
    },
    now: Date.now,
    limits: () => ({ ...usualLimits, ...now.limits }),
    prices: {
      get ageMs() {
        return now.ageMs;
      },
      get isStale() {
        return now.isStale;
      },
    },
    orders: noOrders,
    venue,
    ticker: tickerNow,
    available,
    confirmAbove: (bid, at, open) => confirmAbove(bid, at, { ticker: tickerNow(), open, now: Date.now() }),
    confirm: (bid, at, open) =>
      confirmBid(bid, at, { ticker: tickerNow(), available: available(), open, now: Date.now() }),
    afterSending: () => undefined,
  });
  const guarded: GuardedDesk = {
    now,
    asked,
    answer: () => true,
    get posts() {
      return server.seen.filter(({ method }) => method === "POST");
    },
    place(amount, rate) {
      asked.length = 0;
      return desk.place({ id: randomUUID(), symbol: "THB_BTC", amount, rate });
    },
    async close() {
      Object.assign(window, { showInformationMessage, showWarningMessage });
      await server.close();
    },
  };
  return guarded;
}

/** Whether the request carries the signature of the very bytes it carries (spec 5.1), by a reading of its own. */
export function isSignedOver({ method, path, headers, body }: SeenRequest): boolean {
  const timestamp = String(headers["x-svc-timestamp"]);
  const text = `${timestamp}${method}${path}${body.toString("latin1")}`;
  const expected = createHmac("sha256", testCredentials.apiSecret.reveal()).update(text).digest("hex");
  return headers["x-svc-sign"] === expected;
}

/** The codes that stand against a bid; none where it was not refused here. */
export function codesOf(outcome: BidOutcome): string[] {
  return outcome.kind === "invalid" ? outcome.problems.map(({ field, code }) => `${field} ${code}`) : [];
}
