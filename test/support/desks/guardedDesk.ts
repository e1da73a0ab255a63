import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Desk } from "../../../src/desk/desk.ts";
import type { OrderOutcome } from "../../../src/desk/orders/orderPlacer.ts";
import { createClient } from "../../../src/exchange/client.ts";
import type { Depth } from "../../../src/market/book/book.ts";
import type { Decimal } from "../../../src/market/numbers/decimal.ts";
import { type OrderLimits, type Side, defaultLimits, defaultRules } from "../../../src/market/order.ts";
import type { Ticker } from "../../../src/market/ticker.ts";
import { depthOf } from "../builders/books.ts";
import { asksOffered, testCredentials } from "../builders/client.ts";
import { FakeTimers } from "../fakes/timers.ts";
import { FakeClient, snapshotOf, tickerOf, walletOf } from "../fakes/venue.ts";
import { window } from "../fakes/vscode.ts";
import { serveHttp, type SeenRequest } from "../servers/loopback.ts";
import { editorConfirmations } from "./editorConfirmations.ts";
import { close, liveAt, openTestDesk, submit, testSettings, unattended } from "./testDesk.ts";
import { unsyncedSystem } from "../fakes/operatingSystem.ts";

/** The desk's inputs. Tests change them between bids, and while a dialog is open. */
interface MarketNow {
  ticker: Partial<Ticker>;
  /** Undefined: the market was never polled. */
  ageMs: number | undefined;
  isStale: boolean;
  /** Whether the exchange responds when the desk polls the market again. */
  isReadable: boolean;
  /** Of quote and base asset alike. Undefined: the balance is unknown. */
  available: string | undefined;
  limits: Partial<OrderLimits>;
  minimumAmount: Decimal;
  /** The exchange's order book. Undefined: no book is shown. */
  depth: Depth | undefined;
}

/** A dialog as shown by the native modal. */
interface Dialog {
  readonly title: string;
  readonly detail: string;
  readonly button: string;
}

export interface GuardedDesk {
  readonly now: MarketNow;
  /** All dialogs since the last bid. */
  readonly asked: Dialog[];
  /** The user's choice; true sends. Afterwards the desk uses the values of `now`. */
  answer: (dialog: Dialog) => boolean;
  /** Orders that reached the server. */
  readonly posts: readonly SeenRequest[];
  /** Maximum number of bids per desk. Each bid makes its journal longer, and a test server stops after a minute. */
  place(amount: string, rate: string, side?: Side, postOnly?: boolean): Promise<OrderOutcome>;
  close(): Promise<void>;
}

/** Poll interval of the book in a window that is not in front. */
const A_DESK = 500;

/** The book of a window that is not in front is read this often. */
const BOOK_INTERVAL_MS = 4000;

/** The desk, with all parts that are recreated with it. */
interface Opened {
  readonly desk: Desk;
  close(): Promise<void>;
}

/**
 * The shipped desk with the extension's own dialogs and its own signed client before a real server. The market has only
 * THB_BTC, by default at 100.
 */
export async function openGuardedDesk(): Promise<GuardedDesk> {
  const timers = new FakeTimers();
  const now: MarketNow = {
    ticker: {},
    ageMs: 0,
    isStale: false,
    isReadable: true,
    available: undefined,
    limits: {},
    minimumAmount: defaultRules.minimumAmount,
    depth: undefined,
  };
  const posts: SeenRequest[] = [];
  const confirmations = await editorConfirmations();

  async function open(): Promise<Opened> {
    const server = await serveHttp((request, response) => {
      const isPost = request.method === "POST";
      if (isPost) posts.push(request);
      const body = isPost ? '{"error":0}' : `{"error":0,"result":${Math.floor(Date.now() / 1000)}}`;
      response.writeHead(200, { "Content-Type": "application/json", Connection: "close" }).end(body);
    });
    const storage = mkdtempSync(join(tmpdir(), "guarded-desk-"));
    const client = new FakeClient();
    client.tickersAnswer = async () => {
      now.isStale = !now.isReadable;
      if (now.isStale) throw new Error("The market cannot be read.");
      now.ageMs = 0;
      return snapshotOf(tickerOf("THB_BTC", now.ticker));
    };
    client.capabilities = { depth: () => Promise.resolve(now.depth ?? depthOf([], [])) };
    client.walletAnswer = async () => {
      const balance = now.available ?? "unreadable";
      return walletOf({ THB: balance, BTC: balance });
    };
    const desk = await openTestDesk({
      ...liveAt(server.url, undefined, { features: { ...asksOffered, postOnly: true } }),
      storage,
      timers,
      os: unsyncedSystem,
      window: unattended,
      createClient: (options) => {
        const real = createClient(options);
        const [prepareOrder, placeOrder] = [real.prepareOrder.bind(real), real.placeOrder.bind(real)];
        return Object.assign(client, { prepareOrder, placeOrder });
      },
      rules: {
        ...defaultRules,
        get minimumAmount() {
          return now.minimumAmount;
        },
      },
      settings: { ...testSettings, limits: () => ({ ...defaultLimits, ...now.limits }) },
      ask: confirmations,
    });
    return {
      desk,
      async close() {
        await close(desk);
        await server.close();
        rmSync(storage, { recursive: true, force: true });
      },
    };
  }

  let opened = await open();
  let placed = 0;

  /** The desk drops its market, and then receives a snapshot as if from another window. */
  function takeMarket(): void {
    const { tickers: feed } = opened.desk;
    const { tickers } = snapshotOf(tickerOf("THB_BTC", now.ticker));
    const readAt = now.ageMs === undefined ? undefined : timers.now() - now.ageMs;
    feed.clear();
    feed.adopt({ tickers, readAt, unreadable: 0, problem: now.isStale ? "stale" : undefined });
  }

  /** The user opens the pair's book, and it is polled. */
  async function takeBook(): Promise<void> {
    const { book } = opened.desk;
    const isShown = now.depth !== undefined;
    if (!isShown && !book.state) return;
    book.show(isShown ? "THB_BTC" : undefined);
    await timers.advance(BOOK_INTERVAL_MS);
  }

  const asked: Dialog[] = [];
  const ask = async (title: string, { detail }: { detail: string }, button: string) => {
    const dialog = { title, detail, button };
    asked.push(dialog);
    const isYes = guarded.answer(dialog);
    await takeBook();
    takeMarket();
    return isYes ? button : undefined;
  };
  const { showInformationMessage, showWarningMessage } = window;
  Object.assign(window, { showInformationMessage: ask, showWarningMessage: ask });
  const guarded: GuardedDesk = {
    now,
    asked,
    posts,
    answer: () => true,
    async place(amount, rate, side = "buy", postOnly = false) {
      asked.length = 0;
      placed += 1;
      if (placed % A_DESK === 0) {
        await opened.close();
        opened = await open();
      }
      await opened.desk.balances.refresh();
      takeMarket();
      await takeBook();
      takeMarket();
      return await submit(opened.desk, { side, symbol: "THB_BTC", amount, rate, postOnly });
    },
    async close() {
      Object.assign(window, { showInformationMessage, showWarningMessage });
      await opened.close();
    },
  };
  return guarded;
}

/** Whether the request's signature matches its own bytes (api.md 5.1), computed independently. */
export function isSignedOver({ method, path, headers, body }: SeenRequest): boolean {
  const timestamp = String(headers["x-svc-timestamp"]);
  const text = `${timestamp}${method}${path}${body.toString("latin1")}`;
  const expected = createHmac("sha256", testCredentials.apiSecret.reveal()).update(text).digest("hex");
  return headers["x-svc-sign"] === expected;
}

/** The problem codes of a bid; empty if the desk did not reject it. */
export function codesOf(outcome: OrderOutcome): string[] {
  return outcome.kind === "invalid" ? outcome.problems.map(({ field, code }) => `${field} ${code}`) : [];
}
