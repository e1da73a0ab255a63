import assert from "node:assert/strict";
import type { FormDraft } from "../../src/protocol/ticket.ts";
import { marketOf, quoteOf, TicketPage } from "../support/pages/ticket.ts";

describe("the limits in the order ticket", () => {
  let ticket: TicketPage;

  beforeEach(async () => {
    ticket = await TicketPage.open();
    await ticket.show(marketOf(["THB_BTC", "THB_ETH"]));
  });
  afterEach(() => ticket.close());

  const value = (id: string): Promise<string> => ticket.get(id).inputValue();
  const draft = async (): Promise<FormDraft> =>
    (await ticket.last("edited"))?.draft ?? assert.fail("no draft was sent");

  async function chooseBtc(): Promise<void> {
    await ticket.choose("btc");
    await ticket.show(quoteOf("THB_BTC"));
  }

  const limits = {
    feeShare: "0.0025",
    quantityPlaces: 2,
    rateStep: "0.25",
    text: "Limits of Practice: minimum 50.00 THB, prices in steps of 0.25 THB.",
    tooltip: "A buy order may be at most 5% above the last price.",
  };

  it("say whose they are, in one line with a tooltip, and the line is empty for a new pair until its limits are known", async () => {
    assert.equal(await ticket.text("limits"), "");
    await chooseBtc();
    assert.equal(await ticket.text("limits"), "Default limits: minimum 10.00 THB.");
    await ticket.show(quoteOf("THB_BTC", { limits }));
    assert.equal(await ticket.text("limits"), limits.text);
    assert.equal(await ticket.get("limits").getAttribute("title"), limits.tooltip);
    await ticket.choose("eth");
    assert.equal(await ticket.text("limits"), "");
    await ticket.show(quoteOf("THB_BTC", { limits }), quoteOf("THB_ETH"));
    assert.equal(await ticket.text("limits"), "Default limits: minimum 10.00 THB.");
  });

  it("have the fee that the account pays", async () => {
    await chooseBtc();
    await ticket.get("amount").fill("1000");
    await ticket.get("rate").fill("300");
    assert.equal(await ticket.text("fee"), "2.50 THB");
    await ticket.show(quoteOf("THB_BTC", { limits: { ...limits, quantityPlaces: 8, feeShare: "0.001" } }));
    assert.equal(await ticket.text("fee"), "1.00 THB");
    assert.equal(await value("quantity"), "3.33");
  });

  it("lead quantity and rate as soon as they are known", async () => {
    await chooseBtc();
    await ticket.get("amount").fill("1000");
    await ticket.get("rate").fill("300");
    assert.equal(await value("quantity"), "3.325");
    await ticket.show(quoteOf("THB_BTC", { limits }));
    assert.equal(await value("quantity"), "3.32");
    assert.equal((await draft()).quantity, "3.32");
    for (const [key, wanted] of [
      ["ArrowUp", "300.25"],
      ["Shift+ArrowDown", "297.75"],
    ] as const) {
      await ticket.get("rate").press(key);
      assert.equal(await value("rate"), wanted, key);
    }
    await ticket.get("rate").fill("300.1");
    await ticket.get("rate-up").click();
    assert.equal(await value("rate"), "300.25");
  });
});
