import assert from "node:assert/strict";
import type { FormDraft } from "../../src/protocol/ticket.ts";
import type { FormBook } from "../../src/protocol/ticketBook.ts";
import { formBook, formTrade } from "../support/builders/formBook.ts";
import { PRACTICE } from "../support/builders/formDraft.ts";
import { cutOff } from "../support/pages/cutOff.ts";
import { fontNames } from "../support/pages/fonts.ts";
import { marketOf, quoteOf, TicketPage } from "../support/pages/ticket.ts";

const WITH_BOOK = { ...PRACTICE, offersBook: true };
const BOOK = formBook(
  [
    ["101", "0.5"],
    ["101.5", "2"],
    ["103", "0.25", true],
  ],
  [
    ["100", "1"],
    ["99.25", "0.125"],
  ],
  { spread: { quote: "1", percent: "0.99" } },
);

describe("the order book in the ticket", () => {
  let ticket: TicketPage;

  beforeEach(async () => {
    ticket = await TicketPage.open();
  });
  afterEach(() => ticket.close());

  /** Chooses BTC on an exchange with a book, and shows one. */
  async function chooseBtc(book: FormBook | undefined = BOOK): Promise<void> {
    await ticket.show(marketOf(["THB_BTC", "THB_ETH"], { exchange: WITH_BOOK }));
    await ticket.choose("btc");
    await ticket.show(quoteOf("THB_BTC"));
    if (book) await show(book);
  }

  const show = (book: FormBook): Promise<void> => ticket.show({ type: "book", book });
  /** What a screen reader says of the levels on screen, from the top. */
  const levels = (): Promise<string[]> =>
    ticket.page.locator("#ladder .level:visible .sr-only").allTextContents();
  const rate = (): Promise<string> => ticket.get("rate").inputValue();
  /** What a screen reader says of the active level. */
  async function active(): Promise<string | undefined> {
    const id = await ticket.get("ladder").getAttribute("aria-activedescendant");
    return id === null ? undefined : await ticket.text(`${id} .sr-only`);
  }
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await ticket.get("ladder").press(key);
  };

  it("is not there on an exchange without a book", async () => {
    await ticket.show(marketOf(["THB_BTC"]));
    await ticket.choose("btc");
    await ticket.show(quoteOf("THB_BTC"), { type: "book", book: BOOK });
    assert.equal(await ticket.get("book").isVisible(), false);
    assert.equal(await ticket.get("book-fill-share").isVisible(), false);
  });

  it("has no Cut, Copy and Paste in its context menu; the fields keep them", async () => {
    const menu = (id: string): Promise<string | null> => ticket.get(id).getAttribute("data-vscode-context");
    assert.deepEqual(JSON.parse((await menu("book")) ?? ""), { preventDefaultContextMenuItems: true });
    assert.equal(await ticket.page.locator("form :is([data-vscode-context])").count(), 0);
  });

  it("has the worst ask at the top, the worst bid at the bottom, and words for each level", async () => {
    await chooseBtc();
    assert.deepEqual(await levels(), [
      "Ask at 103.00 THB: 0.25 BTC, your order",
      "Ask at 101.50 THB: 2 BTC",
      "Ask at 101.00 THB: 0.5 BTC",
      "Bid at 100.00 THB: 1 BTC",
      "Bid at 99.25 THB: 0.125 BTC",
    ]);
    assert.equal(await ticket.text("spread"), "Spread 1.00 (0.99%)");
    assert.equal(await ticket.page.locator(".level.own:visible .mark").textContent(), "●");
    const widths = await ticket.page
      .locator("#ladder .level:visible .bar")
      .evaluateAll((bars) => bars.map((bar) => (bar as unknown as { style: { width: string } }).style.width));
    assert.deepEqual(widths, ["12.5%", "100%", "25%", "50%", "6.2%"]);
  });

  it("sets the rate by a click on a level, and sends nothing", async () => {
    await chooseBtc();
    await ticket.page.locator("#ask-1").click();
    assert.equal(await rate(), "101.50");
    assert.equal(await ticket.text("ladder-spoken"), "The limit price is now 101.5.");
    assert.equal(await ticket.last("submit"), undefined);
    assert.equal((await ticket.last("edited"))?.draft.rate, "101.5");
  });

  it("is walked through by keys from the best bid, and sets the rate by Enter or Space, never sends", async () => {
    await chooseBtc();
    await ticket.get("amount").fill("500");
    await ticket.get("ladder").focus();
    assert.equal(await active(), "Bid at 100.00 THB: 1 BTC");
    await press("ArrowUp", "ArrowUp");
    assert.equal(await active(), "Ask at 101.50 THB: 2 BTC");
    await press("Enter");
    assert.equal(await rate(), "101.50");
    await press("End", "Space");
    assert.equal(await rate(), "99.25");
    await press("ArrowDown");
    assert.equal(await active(), "Bid at 99.25 THB: 0.125 BTC", "the end of the list");
    await press("Home", "ArrowUp");
    assert.equal(await active(), "Ask at 103.00 THB: 0.25 BTC, your order");
    await press("PageDown");
    assert.equal(await active(), "Bid at 99.25 THB: 0.125 BTC");
    assert.equal(await ticket.last("submit"), undefined);
  });

  it("keeps the active level at its price while the book changes, so that Enter takes the price that was read", async () => {
    await chooseBtc();
    await ticket.get("ladder").focus();
    await press("ArrowUp");
    assert.equal(await active(), "Ask at 101.00 THB: 0.5 BTC");
    const better = formBook(
      [
        ["100.75", "9"],
        ["101", "0.75"],
      ],
      [["100", "1"]],
    );
    await show(better);
    assert.equal(await active(), "Ask at 101.00 THB: 0.75 BTC");
    await press("Enter");
    assert.equal(await rate(), "101.00");
    await show(formBook([["100.75", "9"]], [["100", "1"]]));
    assert.equal(await active(), "Ask at 100.75 THB: 9 BTC", "the nearest level of its side");
    await show(formBook([], [["100", "1"]]));
    assert.equal(await active(), undefined);
    await press("Enter");
    assert.equal(await rate(), "101.00", "no level is active");
  });

  it("takes the price that the pointer went down on, although the level moved before the click ended", async () => {
    await chooseBtc();
    await ticket.get("ask-0").scrollIntoViewIfNeeded();
    const box = (await ticket.page.locator("#ask-0").boundingBox()) ?? assert.fail();
    await ticket.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await ticket.page.mouse.down();
    await show(formBook([["50", "1"]], [["49", "1"]]));
    await ticket.page.mouse.up();
    assert.equal(await rate(), "101.00");
  });

  it("draws only the newest of the books that came within a frame", async () => {
    await chooseBtc();
    const books = Array.from({ length: 200 }, (_, index) => ({
      ...BOOK,
      asks: [{ price: String(201 + index), size: "1", isOwn: false }],
    }));
    const changes = await ticket.changesOf(
      "#ask-0 .price",
      ...books.map((book) => ({ type: "book", book }) as const),
    );
    assert.equal(changes, 1);
    assert.equal((await levels())[0], "Ask at 400.00 THB: 1 BTC");
  });

  it("shows the book of the chosen pair only, and none for a new pair until its book comes", async () => {
    await chooseBtc();
    await ticket.choose("eth");
    await ticket.show(quoteOf("THB_ETH"));
    assert.deepEqual(await levels(), []);
    await show(BOOK);
    assert.deepEqual(await levels(), [], "a late book of the pair before");
    await show({ ...BOOK, symbol: "THB_ETH" });
    assert.equal((await levels())[4], "Bid at 99.25 THB: 0.125 ETH");
  });

  it("says why there is no newer book, and does not move for it", async () => {
    await chooseBtc();
    const top = async (): Promise<number | undefined> => (await ticket.get("ladder").boundingBox())?.y;
    const height = async (): Promise<number | undefined> =>
      (await ticket.get("ladder").boundingBox())?.height;
    const before = [await top(), await height()];
    assert.equal(await ticket.text("book-note"), "Click a price or press Enter to use it.");
    await show({ ...BOOK, note: "The order book could not be read.", isOld: true });
    assert.equal(await ticket.text("book-note"), "The order book could not be read.");
    assert.equal((await levels()).length, 5);
    assert.ok(await ticket.get("ladder").evaluate((list) => list.className.includes("old")));
    await show(formBook([], [], { note: "Loading the order book…" }));
    assert.deepEqual([await levels(), await ticket.text("spread")], [[], ""]);
    assert.equal(await ticket.get("ladder").getAttribute("aria-busy"), "true");
    await show(formBook([["101", "1"]], []));
    assert.equal(await ticket.get("bids").getAttribute("data-empty"), "No bids");
    assert.equal(await ticket.text("spread"), "No spread");
    assert.deepEqual([await top(), await height()], before);
  });

  it("shows the last trades with time, rate, size and side in words", async () => {
    await chooseBtc();
    assert.equal(await ticket.get("trades-part").isVisible(), false);
    await show({ ...BOOK, trades: [formTrade(), formTrade({ side: "sell", rate: "100", size: "1" })] });
    assert.deepEqual(await ticket.page.locator("#trades .sr-only").allTextContents(), [
      "09:07:05: bought 0.25 BTC at 100.50",
      "09:07:05: sold 1 BTC at 100.00",
    ]);
    assert.deepEqual(await ticket.page.locator("#trades .mark").allTextContents(), ["▲", "▼"]);
    await show({ ...BOOK, trades: [] });
    assert.equal(await ticket.text("no-trades"), "No trades yet");
  });

  it("offers the book's best prices to take, and the ticker's only while the book is loading or old", async () => {
    const best = (): Promise<string[]> => Promise.all(["best-bid", "best-ask"].map((id) => ticket.text(id)));
    const ofTicker = ["99.50", "100.50"];
    await chooseBtc({ ...BOOK, asks: [], bids: [], note: "Loading the order book…" });
    assert.deepEqual(await best(), ofTicker);
    await show(BOOK);
    assert.deepEqual(await best(), ["100.00", "101.00"]);
    await ticket.show(quoteOf("THB_BTC", { last: "101" }));
    assert.deepEqual(await best(), ["100.00", "101.00"]);
    await ticket.get("use-best-ask").click();
    assert.equal(await rate(), "101.00");
    await show({ ...BOOK, asks: [] });
    assert.deepEqual(await best(), ["100.00", "–"]);
    await show({ ...BOOK, note: "The order book is 20 s old.", isOld: true });
    assert.deepEqual(await best(), ofTicker);
  });

  it("shows what the draft takes from the book, and dashes for another draft", async () => {
    await chooseBtc();
    await ticket.get("amount").fill("500");
    const draft = (): Promise<FormDraft> =>
      ticket.last("edited").then((message) => message?.draft ?? assert.fail("no draft was sent"));
    const bookFill = { share: "all", average: "about 101.25", slippage: "0.25%" };
    const texts = () =>
      Promise.all(
        ["book-fill-share", "book-fill-average", "book-fill-slippage"].map((id) => ticket.text(id)),
      );
    await ticket.show({ type: "problems", draft: await draft(), problems: {}, bookFill });
    assert.deepEqual(await texts(), ["all", "about 101.25", "0.25%"]);
    const nothing = { share: "nothing", average: "", slippage: "" };
    await ticket.show({ type: "problems", draft: await draft(), problems: {}, bookFill: nothing });
    assert.deepEqual(await texts(), ["nothing", "–", "–"]);
    await ticket.show({ type: "problems", draft: await draft(), problems: {}, bookFill });
    const before = await draft();
    await ticket.get("amount").fill("600");
    await ticket.show({ type: "problems", draft: before, problems: {}, bookFill: nothing });
    assert.deepEqual(await texts(), ["all", "about 101.25", "0.25%"], "an answer to an earlier draft");
    await ticket.choose("eth");
    assert.deepEqual(await texts(), ["–", "–", "–"]);
  });

  it("fits into 300 px without a line that is wider than the page", async () => {
    await ticket.page.setViewportSize({ width: 300, height: 900 });
    const long = formBook([["3101800.53123456", "123456.12345678", true]], [["3101799.5", "0.00000001"]], {
      trades: [formTrade({ rate: "3101800.53", size: "123456.12345678" })],
    });
    await chooseBtc(long);
    for (const font of fontNames) {
      await ticket.useLook("dark2026", font);
      const width = await ticket.page.locator("html").evaluate(({ scrollWidth }) => scrollWidth);
      assert.ok(width <= 300, `${width} px in the ${font} font`);
    }
  });

  it("fits beside the order in half of a usual window, with complete figures in any font", async () => {
    await ticket.page.setViewportSize({ width: 545, height: 860 });
    const trades = [formTrade({ rate: "3101800.53", size: "12.12345678" })];
    const bids = [["3101799.53", "12.12345678"]] as const;
    await chooseBtc(formBook([["3101800.53", "0.12345678", true]], bids, { trades, hourCycle: "h12" }));
    for (const font of fontNames) {
      await ticket.useLook("dark2026", font);
      const [order, book] = await Promise.all([
        ticket.get("form").boundingBox(),
        ticket.get("ladder").boundingBox(),
      ]);
      assert.ok(order && book && book.x > order.x + order.width && book.y < 100, JSON.stringify(book));
      assert.deepEqual(await cutOff(ticket.page.locator("html")), []);
    }
  });
});
