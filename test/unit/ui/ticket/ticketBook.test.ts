import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Depth } from "../../../../src/market/book/book.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { FromTicket, ToTicket } from "../../../../src/protocol/ticket.ts";
import { root } from "../../../../tools/paths.ts";
import { depthOf } from "../../../support/builders/books.ts";
import { formDraft } from "../../../support/builders/formDraft.ts";
import { testReport } from "../../../support/builders/reports.ts";
import { editorConfirmations } from "../../../support/desks/editorConfirmations.ts";
import { newTestDesk } from "../../../support/desks/testDesk.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { ticketWindow } from "../../../support/fakes/ticketWindow.ts";
import { FakeClient, snapshotOf, tickerOf, walletOf } from "../../../support/fakes/venue.ts";
import { loadUi, panels } from "../../../support/fakes/vscode.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const { TicketPanel } = await loadUi(() => import("../../../../src/ui/ticket/ticketPanel.ts"));

const SECOND = 1000;
const LEVELS = Array.from({ length: 40 }, (_, index) => index);
const DEEP = depthOf(
  LEVELS.map((step) => [String(3_000_000 + 100 * step), "0.1"] as const),
  LEVELS.map((step) => [String(2_999_000 - 100 * step), "0.2"] as const),
);

/** The ticket over a desk on a driven clock, on an exchange with books. */
async function openTicket() {
  const directory = temporaryFolder();
  const timers = new FakeTimers();
  const client = new FakeClient();
  const answers = { depth: (): Promise<Depth> => Promise.resolve(DEEP) };
  let asked = 0;
  client.capabilities = {
    depth: () => {
      asked += 1;
      return answers.depth();
    },
    trades: () =>
      Promise.resolve([
        { at: 1, rate: new Decimal("3000000"), size: new Decimal("0.5"), side: "buy" as const },
      ]),
  };
  client.tickersAnswer = async () =>
    snapshotOf(tickerOf("THB_BTC", { last: 3_000_000 }), tickerOf("THB_ETH"));
  client.walletAnswer = async () => walletOf({ THB: "1000000" });
  const desk = newTestDesk({ client, storage: directory, timers, ask: await editorConfirmations() });
  await timers.advance(SECOND);
  await desk.tickers.refresh();
  await desk.balances.refresh();
  const ticket = new TicketPanel(desk, { fsPath: root } as never, ticketWindow(desk));
  const sent: ToTicket[] = [];
  ticket.open({});
  const panel = panels.pop() ?? assert.fail("The ticket did not open.");
  panel.onDidPost((message) => sent.push(message as ToTicket));
  await panel.page;
  panel.setVisible(true);
  const receive = (message: FromTicket): void => panel.receive(message);
  receive({ type: "ready", symbol: "" });
  const of = <Type extends ToTicket["type"]>(type: Type) =>
    sent.filter((message): message is Extract<ToTicket, { type: Type }> => message.type === type);
  return {
    desk,
    timers,
    answers,
    panel,
    receive,
    sent,
    books: () => of("book").map(({ book }) => book),
    bookFill: () => of("problems").at(-1)?.bookFill,
    problems: () => of("problems").at(-1)?.problems,
    asked: () => asked,
    offersBook: () => of("market").at(-1)?.exchange.offersBook,
    async close() {
      ticket.dispose();
      desk.dispose();
      await desk.orders.close();
    },
  };
}

describe("the order book of the ticket", () => {
  let opened: Awaited<ReturnType<typeof openTicket>>;
  beforeEach(async () => {
    opened = await openTicket();
  });
  afterEach(() => opened.close());

  it("is polled once a second for the shown pair, and not before a pair is chosen", async () => {
    const { timers, receive, asked, books, offersBook } = opened;
    await timers.advance(10 * SECOND);
    assert.deepEqual([asked(), books().length, offersBook()], [0, 0, true]);
    receive({ type: "select", symbol: "THB_BTC" });
    await timers.advance(3 * SECOND);
    assert.equal(asked(), 4);
    assert.deepEqual([...new Set(books().map(({ symbol }) => symbol))], ["THB_BTC"]);
  });

  it("sends a loading notice first, then fifteen levels per side with spread and trades", async () => {
    const { timers, receive, books } = opened;
    receive({ type: "select", symbol: "THB_BTC" });
    assert.deepEqual(books()[0]?.note, "Loading the order book…");
    await timers.advance(100);
    const book = books().at(-1) ?? assert.fail("no book was sent");
    assert.deepEqual([book.asks.length, book.bids.length, book.note, book.isOld], [15, 15, "", false]);
    assert.deepEqual(book.asks[1], { price: "3000100", size: "0.1", isOwn: false });
    assert.deepEqual(book.spread, { quote: "1000", percent: "0.03" });
    assert.deepEqual(book.trades, [{ at: 1, rate: "3000000", size: "0.5", side: "buy" }]);
  });

  it("marks levels with own open orders, but not with stop orders that wait for their trigger", async () => {
    const { desk, timers, receive, books } = opened;
    receive({ type: "select", symbol: "THB_BTC" });
    const venue = desk.venue.signedIn ?? assert.fail("no exchange is open");
    const open = (orderId: string, rate: string, trigger?: Decimal) =>
      testReport({ orderId, status: "open", rate: new Decimal(rate), trigger });
    await desk.orders.recordReports(
      [open("1", "3000100"), open("2", "3000200", new Decimal("2900000"))],
      venue,
    );
    await timers.advance(2 * SECOND);
    const own = books()
      .at(-1)
      ?.asks.filter(({ isOwn }) => isOwn);
    assert.deepEqual(
      own?.map(({ price }) => price),
      ["3000100"],
    );
  });

  it("is neither polled nor sent while the ticket is hidden, and is sent at once when it is shown again", async () => {
    const { timers, receive, panel, asked, books } = opened;
    receive({ type: "select", symbol: "THB_BTC" });
    await timers.advance(SECOND);
    panel.setVisible(false);
    const [before, sent] = [asked(), books().length];
    await timers.advance(60 * SECOND);
    assert.deepEqual([asked(), books().length], [before, sent]);
    panel.setVisible(true);
    receive({ type: "ready", symbol: "THB_BTC" });
    assert.equal(books().length, sent + 1, "a snapshot");
    await timers.advance(100);
    assert.equal(books().at(-1)?.asks.length, 15);
  });

  it("sends at most one message per frame", async () => {
    const { timers, receive, books, desk } = opened;
    receive({ type: "select", symbol: "THB_BTC" });
    await timers.advance(100);
    const before = books().length;
    const notify = (): void => {
      // Each change of the orders may move a mark.
      for (let change = 0; change < 50; change += 1) desk.book.show(change % 2 === 0 ? "THB_ETH" : "THB_BTC");
    };
    notify();
    assert.equal(books().length - before, 1, "the first change at once");
    await timers.advance(16);
    assert.equal(books().length - before, 2, "the others together");
  });

  it("says why the book is stale, and keeps its levels", async () => {
    const { timers, receive, answers, books } = opened;
    receive({ type: "select", symbol: "THB_BTC" });
    await timers.advance(100);
    answers.depth = () => Promise.reject(new Error("lost"));
    await timers.advance(2 * SECOND);
    const failed = books().at(-1);
    assert.match(failed?.note ?? "", /^The order book could not be read\./);
    assert.deepEqual([failed?.asks.length, failed?.isOld], [15, true]);
    answers.depth = () => Promise.resolve(depthOf([["100", "1"]], [["100", "1"]]));
    await timers.advance(10 * SECOND);
    const crossed = books().at(-1);
    assert.match(crossed?.note ?? "", /is inconsistent/);
    assert.deepEqual([crossed?.asks, crossed?.bids], [[], []]);
  });

  it("shows the draft's immediate fill, updated with each book, and none without a fresh one", async () => {
    const { timers, receive, answers, bookFill, problems } = opened;
    receive({ type: "select", symbol: "THB_BTC" });
    await timers.advance(SECOND);
    await opened.desk.tickers.refresh();
    const draft = formDraft(
      { id: randomUUID(), symbol: "THB_BTC", amount: "401013.54", rate: "3000100" },
      "practice",
    );
    receive({ type: "edited", draft });
    assert.deepEqual(problems(), {});
    assert.deepEqual(bookFill(), { share: "all", average: "about 3,000,025.00", slippage: "0.01%" });
    answers.depth = () => Promise.resolve(depthOf([["3100000", "1"]], [["2999000", "1"]]));
    await timers.advance(SECOND);
    assert.deepEqual(bookFill(), { share: "nothing", average: "", slippage: "" });
    answers.depth = () => Promise.reject(new Error("lost"));
    await timers.advance(2 * SECOND);
    assert.equal(bookFill(), undefined);
  });

  it("shows an error beside the price of a draft that would fill far from the best offer", async () => {
    const { timers, receive, answers, problems } = opened;
    answers.depth = () =>
      Promise.resolve(
        depthOf(
          [
            ["2400000", "0.01"],
            ["3100000", "10"],
          ],
          [["2399000", "1"]],
        ),
      );
    receive({ type: "select", symbol: "THB_BTC" });
    await timers.advance(SECOND);
    await opened.desk.tickers.refresh();
    const draft = formDraft(
      { id: randomUUID(), symbol: "THB_BTC", amount: "900000", rate: "3200000" },
      "practice",
    );
    receive({ type: "edited", draft });
    assert.match(
      problems()?.rate?.text ?? "",
      /^The order book would fill this order at an average price more than 20% above its best ask\./,
    );
  });
});
