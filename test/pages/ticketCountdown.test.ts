import assert from "node:assert/strict";
import { marketOf, quoteOf, TicketPage } from "../support/pages/ticket.ts";

describe("the order ticket during a rate limit", () => {
  let ticket: TicketPage;

  beforeEach(async () => {
    ticket = await TicketPage.open(undefined, true);
    await ticket.show(marketOf(["THB_BTC"]));
    await ticket.choose("btc");
    await ticket.show(quoteOf("THB_BTC"));
    await ticket.get("amount").fill("100");
  });
  afterEach(() => ticket.close());

  it("counts down, submits nothing and keeps the draft, until the limit ends", async () => {
    await ticket.show({ type: "wait", ms: 8000 });
    assert.match(await ticket.text("wait"), /\b8 s\b/);
    assert.equal(await ticket.get("submit").isDisabled(), true);
    await ticket.get("amount").press("Enter");
    assert.equal(await ticket.last("submit"), undefined);
    await ticket.page.clock.runFor(7000);
    assert.match(await ticket.text("wait"), /\b1 s\b/);
    await ticket.page.clock.runFor(1000);
    assert.equal(await ticket.text("wait"), "");
    assert.equal(await ticket.get("amount").inputValue(), "100");
    await ticket.get("submit").click();
    assert.equal((await ticket.last("submit"))?.draft.amount, "100");
  });

  it("ends the countdown if the exchange accepts orders again earlier", async () => {
    await ticket.show({ type: "wait", ms: 30_000 }, { type: "wait", ms: 0 });
    assert.equal(await ticket.text("wait"), "");
    assert.equal(await ticket.get("submit").isEnabled(), true);
  });
});
