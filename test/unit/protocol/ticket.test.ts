import assert from "node:assert/strict";
import fc from "fast-check";
import { readFromTicket, readTicketState } from "../../../src/protocol/ticket.ts";

const draft = {
  id: "4f2c8d1e-0b6a-4c35-9d07-5a1e2f3b4c6d",
  side: "buy",
  symbol: "THB_BTC",
  amount: "1000",
  rate: "15000.5",
  rateIsTyped: true,
  account: "1".repeat(16),
  quantity: "0.0665",
  sizedBy: "amount",
  share: "",
  postOnly: false,
};

describe("messages from the order ticket", () => {
  it("are accepted unchanged if they are the ticket's own", () => {
    for (const message of [
      { type: "ready", symbol: "" },
      { type: "select", symbol: "THB_BTC" },
      { type: "edited", draft },
      { type: "submit", draft },
      { type: "dismissed" },
      { type: "lock", locked: true },
      { type: "input" },
      { type: "action", action: "showLog" },
    ]) {
      assert.deepEqual(readFromTicket(message), message);
    }
  });

  it("are refused if a field is missing, added, of another type or too long", () => {
    for (const message of [
      undefined,
      "submit",
      { type: "submit" },
      { type: "submit", draft: { ...draft, amount: 1000 } },
      { type: "submit", draft: { ...draft, confirmed: true } },
      { type: "submit", draft: { ...draft, side: "short" } },
      { type: "submit", draft, confirmed: true },
      { type: "submit", draft: { ...draft, id: "../../orders" } },
      { type: "submit", draft: { ...draft, id: undefined } },
      { type: "submit", draft: { ...draft, rate: "1".repeat(81) } },
      { type: "submit", draft: { ...draft, account: undefined } },
      { type: "submit", draft: { ...draft, sizedBy: "fee" } },
      { type: "action", action: "workbench.action.terminal.new" },
      { type: "placeBid", draft },
    ]) {
      assert.equal(readFromTicket(message), undefined, JSON.stringify(message));
    }
  });

  it("never make the check itself fail", () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withObjectString: true }), (message) => {
        readFromTicket(message);
      }),
    );
  });
});

describe("an order ticket's stored state", () => {
  it("has the draft on screen, or none if it cannot be read", () => {
    assert.deepEqual(readTicketState({ draft: { ...draft, submitted: {} }, others: [] }), draft);
    for (const state of [undefined, {}, { draft: { ...draft, amount: 1000 } }])
      assert.equal(readTicketState(state), undefined);
  });
});
