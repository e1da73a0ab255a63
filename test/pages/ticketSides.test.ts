import assert from "node:assert/strict";
import { marketOf, outcomeOf, quoteOf, TicketPage } from "../support/pages/ticket.ts";

const SYMBOLS = ["THB_ADA", "THB_BCH", "THB_BTC", "THB_ETH", "THB_WBTC", "USDT_BTC"];

describe("the side of the order ticket", () => {
  let ticket: TicketPage;
  const BOTH = {
    key: "practice",
    name: "Practice",
    live: false,
    offersAsks: true,
    offersPostOnly: true,
    offersBook: false,
  };

  beforeEach(async () => {
    ticket = await TicketPage.open();
  });
  afterEach(() => ticket.close());

  async function chooseBtc(): Promise<void> {
    await ticket.show(marketOf(SYMBOLS, { exchange: BOTH }));
    await ticket.choose("btc");
    await ticket.show(quoteOf("THB_BTC"));
  }
  const texts = (...ids: string[]): Promise<string[]> => Promise.all(ids.map((id) => ticket.text(id)));
  const isChecked = (id: string): Promise<boolean> => ticket.get(id).isChecked();

  it("is not there on an exchange without asks, whose tooltip says so", async () => {
    await ticket.show(marketOf(SYMBOLS));
    assert.equal(await ticket.get("sides").isVisible(), false);
    assert.equal(
      await ticket.get("heading").getAttribute("title"),
      "This exchange does not offer sell orders.",
    );
    await ticket.get("use-last").press("s");
    assert.equal(await ticket.text("heading"), "Buy");
  });

  it("changes labels, units, balance, totals and button, and the draft that is sent", async () => {
    await chooseBtc();
    await ticket.get("side-sell").check();
    assert.deepEqual(
      await texts(
        "heading",
        "amount-label",
        "amount-unit",
        "quantity-label",
        "quantity-unit",
        "available",
        "submit",
      ),
      ["Sell", "Amount to sell", "BTC", "To receive", "THB", "2 BTC", "Sell…"],
    );
    await ticket.get("rate").fill("100");
    await ticket.get("amount").fill("0.5");
    assert.equal(await ticket.get("quantity").inputValue(), "49.87");
    assert.equal(await ticket.text("submit"), "Sell 0.5 BTC for about 49.87 THB…");
    assert.deepEqual(await texts("fee-label", "fee", "total-label", "total", "left"), [
      "Fee (deducted)",
      "about 0.13 THB",
      "Value",
      "50.00 THB",
      "1.5 BTC",
    ]);
    await ticket.get("rate").fill("100.0123456");
    assert.deepEqual(await texts("fee", "total"), ["about 0.13 THB", "about 50.01 THB"]);
    await ticket.get("rate").fill("100");
    await ticket.get("submit").click();
    const { draft } = (await ticket.last("submit")) ?? assert.fail("nothing was submitted");
    assert.deepEqual([draft.side, draft.amount, draft.rate], ["sell", "0.5", "100"]);
  });

  it("follows the keys B and S, but not while a field is typed into", async () => {
    await chooseBtc();
    await ticket.get("use-last").press("s");
    assert.ok(await isChecked("side-sell"));
    await ticket.get("side-sell").press("b");
    assert.ok(await isChecked("side-buy"));
    await ticket.get("amount").press("s");
    assert.ok(await isChecked("side-buy"));
    await ticket.get("use-last").dispatchEvent("keydown", { key: "ห", code: "KeyS" });
    assert.ok(await isChecked("side-sell"), "a Thai layout has no S");
    await ticket.get("use-last").dispatchEvent("keydown", { key: "и", code: "KeyB" });
    assert.ok(await isChecked("side-buy"), "nor has a Russian one a B");
  });

  it("takes shares of its own balance, and keeps best bid and best ask in their places", async () => {
    await chooseBtc();
    const order = (): Promise<boolean> =>
      ticket.get("use-best-bid").evaluate((bid) => bid.nextElementSibling?.id === "use-best-ask");
    assert.equal(await order(), true);
    await ticket.get("side-sell").check();
    assert.equal(await order(), true);
    await ticket.page.locator('[data-share="0.25"]').click();
    assert.equal(await ticket.get("amount").inputValue(), "0.5");
    await ticket.get("side-buy").check();
    assert.equal(await ticket.get("amount").inputValue(), "", "an amount of another asset");
  });

  it("has a button with an arrow and an edge in the colour of its side, also with swapped colours", async () => {
    const look = () =>
      ticket.page.evaluate(() => {
        const { document, getComputedStyle } = globalThis as unknown as {
          document: {
            getElementById(id: string): unknown;
            documentElement: { style: { setProperty(name: string, value: string): void } };
          };
          getComputedStyle(element: unknown, part?: string): Record<string, string>;
        };
        const { style } = document.documentElement;
        style.setProperty("--vscode-bidside-up", "rgb(0, 128, 0)");
        style.setProperty("--vscode-bidside-down", "rgb(255, 0, 0)");
        const button = document.getElementById("submit");
        const arrow = getComputedStyle(button, "::before");
        return [arrow["content"]?.[1], arrow["color"], getComputedStyle(button)["borderTopColor"]];
      });
    const [green, red] = ["rgb(0, 128, 0)", "rgb(255, 0, 0)"];
    await chooseBtc();
    assert.deepEqual(await look(), ["▲", green, green]);
    await ticket.get("side-sell").check();
    assert.deepEqual(await look(), ["▼", red, red]);
    await ticket.show(marketOf(SYMBOLS, { exchange: BOTH, inverted: true }));
    assert.deepEqual(await look(), ["▼", green, green]);
  });

  it("has a box for post-only orders where the exchange takes them, and sends what the box says", async () => {
    await chooseBtc();
    await ticket.get("amount").fill("100");
    await ticket.get("post-only").press("Space");
    assert.ok(await isChecked("post-only"));
    await ticket.get("post-only").press("s");
    assert.ok(await isChecked("side-sell"), "the keys of the sides are usable on the box");
    await ticket.get("side-buy").check();
    await ticket.get("amount").fill("100");
    await ticket.get("submit").click();
    const { draft } = (await ticket.last("submit")) ?? assert.fail("nothing was submitted");
    assert.deepEqual([draft.side, draft.postOnly], ["buy", true]);
    await ticket.show(outcomeOf({ ended: draft.id, done: true }));
    await ticket.show({ type: "fill", fill: { amount: "50", postOnly: false } });
    assert.equal(await isChecked("post-only"), false, "an order again is like the order");
  });

  it("drops post-only on an exchange that does not offer it, and has no box there", async () => {
    await chooseBtc();
    await ticket.get("post-only").check();
    await ticket.show(marketOf(SYMBOLS, { exchange: { ...BOTH, offersPostOnly: false, offersBook: false } }));
    assert.equal(await ticket.get("post-only").isVisible(), false);
    assert.equal((await ticket.last("edited"))?.draft.postOnly, false);
  });

  it("is filled in by the host, and restored with a kept draft", async () => {
    await ticket.show(marketOf(SYMBOLS, { exchange: BOTH }));
    const fill = { side: "sell", symbol: "THB_BTC", rate: "90" } as const;
    await ticket.show({ type: "fill", fill }, quoteOf("THB_BTC"));
    assert.ok(await isChecked("side-sell"));
    assert.deepEqual(
      [await ticket.get("rate").inputValue(), await ticket.text("heading")],
      ["90.00", "Sell"],
    );
  });
});
