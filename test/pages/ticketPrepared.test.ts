import assert from "node:assert/strict";
import { marketOf, quoteOf, TicketPage } from "../support/pages/ticket.ts";

const FILL = { side: "buy", symbol: "THB_BTC", amount: "500", rate: "99", postOnly: false } as const;

describe("the page of the order ticket, filled in by an assistant", () => {
  let ticket: TicketPage;

  beforeEach(async () => {
    ticket = await TicketPage.open();
    await ticket.show(marketOf(["THB_BTC", "THB_ETH"]));
    await ticket.show({ type: "fill", fill: { ...FILL, preparedBy: "assistant" } });
    await ticket.show(quoteOf("THB_BTC"));
  });
  afterEach(() => ticket.close());

  const value = (id: string): Promise<string> => ticket.get(id).inputValue();
  const press = (type: "keydown" | "keyup", repeat: boolean): Promise<void> =>
    ticket.get("amount").dispatchEvent(type, { key: "Enter", repeat, bubbles: true, cancelable: true });

  it("has the figures and the mark, also after an edit and in the submitted draft", async () => {
    assert.deepEqual([await value("amount"), await value("rate")], ["500.00", "99.00"]);
    await ticket.get("amount").fill("600");
    assert.match(await ticket.text("prepared"), /^Prepared by an assistant\./);
    await ticket.get("submit").click();
    const { amount, preparedBy } =
      (await ticket.last("submit"))?.draft ?? assert.fail("nothing was submitted");
    assert.deepEqual([amount, preparedBy], ["600", "assistant"]);
  });

  it("has no focus in a field until the user chooses one", async () => {
    assert.equal(await ticket.page.locator(":focus").count(), 0);
    await ticket.get("rate").focus();
    assert.equal(await ticket.page.locator(":focus").count(), 1);
  });

  it("is not submitted by a key that was pressed before and is still held", async () => {
    await press("keydown", true);
    await press("keyup", false);
    assert.equal(await ticket.last("submit"), undefined);
    await press("keydown", false);
    await press("keydown", true);
    await press("keyup", false);
    assert.ok(await ticket.last("submit"));
  });

  it("is emptied when the draft is withdrawn, and figures of the user are not", async () => {
    await ticket.show({ type: "withdraw" });
    assert.deepEqual([await value("amount"), await ticket.text("prepared")], ["", ""]);
    await ticket.get("amount").fill("700");
    await ticket.show({ type: "withdraw" });
    assert.equal(await value("amount"), "700");
  });
});
