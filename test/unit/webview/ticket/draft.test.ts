import assert from "node:assert/strict";
import fc from "fast-check";
import { Decimal, parseDecimal } from "../../../../src/market/numbers/decimal.ts";
import { defaultRules } from "../../../../src/market/order.ts";
import { shareOfBalance, TicketDraft, type StoredDraft } from "../../../../src/webview/ticket/draft.ts";

function draftOf(stored?: Partial<StoredDraft>, rules = () => defaultRules): TicketDraft {
  let made = 0;
  const quoteOf = (symbol: string): string | undefined => symbol.split("_")[0];
  return new TicketDraft({ newId: () => `id-${(made += 1)}`, rules, quoteOf }, stored);
}

/** A draft of BTC on the practice exchange with its own rate. */
function typed(): TicketDraft {
  const draft = draftOf();
  draft.moveTo("practice");
  draft.choosePair("THB_BTC");
  draft.takeLast("3101800.53");
  draft.setAmount("1000");
  return draft;
}

describe("the draft of a ticket", () => {
  it("takes the last price of a new pair, for any rate typed for the previous pair", () => {
    const draft = typed();
    draft.setRate("3000000");
    draft.choosePair("THB_ETH");
    assert.equal(draft.state.rate, "");
    draft.takeLast("103810.46");
    assert.equal(draft.state.rate, "103810.46");
    draft.takeLast("103999");
    assert.equal(draft.state.rate, "103810.46", "later prices do not change the rate");
  });

  it("starts empty for a new pair, and restores its figures when its pair is chosen again", () => {
    const draft = typed();
    const { id } = draft.state;
    draft.choosePair("THB_ETH");
    assert.deepEqual([draft.state.amount, draft.state.quantity], ["", ""]);
    assert.notEqual(draft.state.id, id);
    draft.takeLast("3000");
    draft.setShare("0.5", new Decimal("2000"), "THB");
    draft.choosePair("THB_XRP");
    assert.deepEqual([draft.state.amount, draft.state.share], ["", ""]);
    draft.choosePair("THB_ETH");
    assert.deepEqual([draft.state.amount, draft.state.share, draft.state.rate], ["1000", "0.5", "3000"]);
    draft.choosePair("THB_BTC");
    assert.deepEqual([draft.state.amount, draft.state.id], ["1000", id]);
  });

  it("takes a new last price when its pair is chosen again without typed figures", () => {
    const draft = typed();
    draft.setAmount("");
    draft.choosePair("THB_ETH");
    draft.choosePair("THB_BTC");
    assert.equal(draft.state.rate, "");
    draft.setRate("3000000");
    draft.choosePair("THB_ETH");
    draft.choosePair("THB_BTC");
    draft.takeLast("3101800.53");
    assert.equal(draft.state.rate, "3000000");
  });

  it("has the figures that were typed before any pair was chosen", () => {
    const draft = draftOf();
    draft.moveTo("practice");
    draft.setAmount("1000");
    draft.choosePair("THB_BTC");
    assert.equal(draft.state.amount, "1000");
  });

  it("does not come back with its figures after its order was placed while another pair was shown", () => {
    const draft = typed();
    const { id } = draft.submit();
    draft.choosePair("THB_ETH");
    draft.end(id, true);
    draft.choosePair("THB_BTC");
    assert.equal(draft.state.amount, "");
  });

  it("comes back under a new id after its order failed while another pair was shown", () => {
    const draft = typed();
    const { id } = draft.submit();
    draft.choosePair("THB_ETH");
    draft.end(id, false);
    draft.choosePair("THB_BTC");
    assert.equal(draft.state.amount, "1000");
    assert.notEqual(draft.state.id, id);
  });

  it("applies the rules of its pair once known, and stays the same draft if they change nothing", () => {
    let places = 8;
    const draft = draftOf(undefined, () => ({ ...defaultRules, quantityPlaces: places }));
    draft.moveTo("practice");
    draft.choosePair("THB_BTC");
    draft.setRate("300");
    draft.setAmount("1000");
    assert.equal(draft.state.quantity, "3.325");
    const { state } = draft;
    draft.follow();
    assert.equal(draft.state, state);
    places = 2;
    draft.follow();
    assert.equal(draft.state.quantity, "3.32");
    draft.chooseSide("sell");
    draft.setQuantity("100");
    assert.equal(draft.state.amount, "0.34", "the amount to sell has the decimals of the pair");
    draft.setShare("0.5", new Decimal("1.2345"), "BTC");
    assert.equal(draft.state.amount, "0.61");
  });

  it("is set aside for another account, and shown again with its own", () => {
    const [first, second] = ["1".repeat(16), "2".repeat(16)];
    const draft = typed();
    assert.equal(draft.moveTo(first), true);
    draft.setAmount("7");
    assert.equal(draft.moveTo(first), false);
    draft.choosePair("THB_ETH");
    draft.choosePair("THB_BTC");
    assert.deepEqual([draft.state.account, draft.state.amount], [first, "7"]);
    assert.equal(draft.moveTo(second), true);
    assert.deepEqual([draft.state.symbol, draft.state.amount], ["THB_BTC", ""]);
    draft.setAmount("8");
    draft.moveTo("practice");
    assert.equal(draft.state.amount, "1000");
    draft.moveTo(first);
    assert.equal(draft.state.amount, "7");
    draft.moveTo("practice");
    assert.equal(draft.moveTo(second), true);
    assert.equal(draft.state.amount, "8");
  });

  it("shows none of its figures for another account, and keeps its pair", () => {
    const draft = typed();
    const { id } = draft.state;
    draft.moveTo("practice");
    assert.equal(draft.state.amount, "1000", "the same account, opened again");
    draft.choosePair("THB_ETH");
    draft.choosePair("THB_BTC");
    draft.moveTo("1".repeat(16));
    const { symbol, amount, rate, quantity, account } = draft.state;
    assert.deepEqual([symbol, amount, rate, quantity, account], ["THB_BTC", "", "", "", "1".repeat(16)]);
    assert.notEqual(draft.state.id, id);
    draft.takeLast("2900000");
    assert.equal(draft.state.rate, "2900000");
  });

  it("is empty if a page left figures without their exchange", () => {
    assert.equal(draftOf({ amount: "1000", rate: "5" }).state.amount, "");
    assert.equal(draftOf(typed().state).state.amount, "1000");
  });

  it("is filled with the figures of an order of its own pair", () => {
    const draft = typed();
    draft.fillIn({ symbol: "THB_XRP", amount: "500", rate: "17.1" });
    const { symbol, amount, rate, quantity } = draft.state;
    assert.deepEqual([symbol, amount, rate, quantity], ["THB_XRP", "500", "17.1", "29.16666666"]);
    draft.takeLast("18");
    assert.equal(draft.state.rate, "17.1");
  });
});

describe("amount and quantity", () => {
  it("follow each other: the field typed last sizes the draft", () => {
    const draft = typed();
    draft.setRate("3000000");
    assert.equal(draft.state.quantity, "0.0003325");
    draft.setQuantity("0.001");
    assert.equal(draft.state.amount, "3007.52");
    draft.setAmount("1000");
    assert.equal(draft.state.quantity, "0.0003325");
  });

  it("follow the rate: the field typed last stays, and the other field is computed again", () => {
    const draft = typed();
    draft.setQuantity("0.001");
    draft.setRate("2000000");
    assert.deepEqual([draft.state.quantity, draft.state.amount], ["0.001", "2005.02"]);
    draft.setAmount("1000");
    draft.setRate("1000000");
    assert.deepEqual([draft.state.quantity, draft.state.amount], ["0.0009975", "1000"]);
  });

  it("agree to eight decimals if the quote asset is no currency", () => {
    const draft = typed();
    draft.choosePair("BTC_ETH");
    draft.setRate("0.03471");
    draft.setQuantity("2.5");
    assert.equal(draft.state.amount, "0.08699249");
    draft.setShare("0.25", new Decimal("1.5"), "BTC");
    assert.equal(draft.state.amount, "0.375");
  });

  it("are empty if the other field and the rate do not determine them", () => {
    const draft = typed();
    draft.setAmount("1k");
    assert.equal(draft.state.quantity, "");
    draft.setQuantity("0.5");
    draft.setRate("");
    assert.deepEqual([draft.state.quantity, draft.state.amount], ["0.5", ""]);
    draft.setRate("0");
    assert.equal(draft.state.amount, "");
  });

  it("buy at least the requested quantity", () => {
    const figure = (most: number) => fc.integer({ min: 1, max: most }).map((units) => `${units / 100}`);
    fc.assert(
      fc.property(figure(10_000_000), figure(1_000_000), (rate, quantity) => {
        const draft = typed();
        draft.setRate(rate);
        draft.setQuantity(quantity);
        const { amount } = draft.state;
        draft.setAmount(amount);
        const bought = parseDecimal(draft.state.quantity) ?? assert.fail(amount);
        assert.ok(bought.gte(quantity));
      }),
    );
  });
});

describe("a submitted draft", () => {
  it("becomes another draft after an edit of pair, amount or rate", () => {
    for (const edit of [
      (draft: TicketDraft) => draft.setAmount("1001"),
      (draft: TicketDraft) => draft.setRate("3000000"),
      (draft: TicketDraft) => draft.choosePair("THB_ETH"),
      (draft: TicketDraft) => draft.setQuantity("1"),
    ]) {
      const draft = typed();
      const { id } = draft.submit();
      edit(draft);
      const edited = draft.state.id;
      assert.notEqual(edited, id);
      draft.setAmount("7");
      assert.equal(draft.state.id, edited, "the new draft was not submitted yet");
    }
  });

  it("stays the same draft with the same figures, even after a crash of the page", () => {
    const draft = typed();
    const { id } = draft.submit();
    draft.setAmount("1000");
    assert.equal(draft.state.id, id);
    const back = draftOf(draft.state);
    assert.equal(back.state.id, id);
    back.setAmount("2000");
    assert.notEqual(back.state.id, id);
  });

  it("ends with its order, and keeps its figures under a new id if no order was placed", () => {
    const refused = typed();
    const { id } = refused.submit();
    refused.end(id, false);
    assert.notEqual(refused.state.id, id);
    assert.equal(refused.state.amount, "1000");
    const accepted = typed();
    accepted.end(accepted.submit().id, true);
    const { amount, quantity, rate, symbol } = accepted.state;
    assert.deepEqual([amount, quantity, rate, symbol], ["", "", "3101800.53", "THB_BTC"]);
  });

  it("does not end with an order whose figures were edited afterwards", () => {
    const draft = typed();
    const { id } = draft.submit();
    draft.setAmount("2000");
    draft.end(id, true);
    assert.equal(draft.state.amount, "2000");
  });
});

describe("a share of the available balance", () => {
  it("is truncated to its asset's decimals, and 100% is the whole balance", () => {
    assert.equal(shareOfBalance("0.25", new Decimal("1234.567"), "THB", undefined), "308.641");
    assert.equal(shareOfBalance("0.25", new Decimal("1234.567"), "THB", 2), "308.64");
    assert.equal(shareOfBalance("1", new Decimal("1234.567"), "THB", 2), "1234.56");
    // MNT is an asset here, and a currency elsewhere.
    assert.equal(shareOfBalance("0.25", new Decimal("10.12345678"), "MNT", undefined), "2.53086419");
    assert.equal(shareOfBalance("1", new Decimal("1234.567"), "THB", undefined), "1234.567");
    assert.equal(shareOfBalance("0.5", new Decimal("0.0045"), "THB", undefined), "0.0022");
    assert.equal(shareOfBalance("0.5", new Decimal("0.0045"), "BTC", undefined), "0.00225");
    assert.equal(shareOfBalance("0.5", new Decimal("0.0000000003"), "BTC", undefined), "0.0000000001");
  });

  it("is no longer a share after another amount is typed", () => {
    const draft = typed();
    draft.setShare("0.5", new Decimal("1000000"), "THB");
    assert.deepEqual([draft.state.amount, draft.state.share], ["500000", "0.5"]);
    draft.setRate("3000000");
    assert.equal(draft.state.share, "0.5");
    draft.setAmount("500000");
    assert.equal(draft.state.share, "");
  });

  it("of the other side has no amount yet, keeps the rate, and is another draft once submitted", () => {
    const draft = typed();
    const { id } = draft.submit();
    const { rate } = draft.state;
    draft.chooseSide("buy");
    assert.equal(draft.state.id, id);
    draft.chooseSide("sell");
    assert.notEqual(draft.state.id, id);
    assert.deepEqual(
      [draft.state.side, draft.state.amount, draft.state.quantity, draft.state.rate],
      ["sell", "", "", rate],
    );
  });

  it("of an ask computes the quote that arrives, and the base for a typed quote", () => {
    const draft = typed();
    draft.chooseSide("sell");
    draft.setRate("3000000");
    draft.setAmount("0.001");
    assert.equal(draft.state.quantity, "2992.5");
    draft.setQuantity("2992.51");
    assert.equal(draft.state.amount, "0.00100001");
    draft.setShare("1", new Decimal("0.1234567891"), "BTC");
    assert.deepEqual([draft.state.amount, draft.state.share], ["0.12345678", "1"]);
  });

  it("keeps its side after its order was placed, and drops the amount of an ask with another pair", () => {
    const draft = typed();
    draft.fillIn({ side: "sell", symbol: "THB_BTC", rate: "3000000", amount: "1" });
    assert.deepEqual([draft.state.side, draft.state.amount], ["sell", "1"]);
    draft.choosePair("THB_ETH");
    assert.deepEqual([draft.state.side, draft.state.amount], ["sell", ""]);
    draft.end(draft.state.id, true);
    assert.equal(draft.state.side, "sell");
  });
});

describe("a draft that somebody else filled in", () => {
  const filled = (): TicketDraft => {
    const draft = draftOf();
    draft.moveTo("practice");
    draft.fillIn({ side: "buy", symbol: "THB_BTC", amount: "1000", rate: "100", preparedBy: "assistant" });
    return draft;
  };

  it("stays marked after edits and a rate from a chart, until its order is placed or the user enters figures", () => {
    const draft = filled();
    draft.setAmount("900");
    draft.fillIn({ rate: "99" });
    assert.equal(draft.message.preparedBy, "assistant");
    draft.fillIn({ amount: "5", rate: "99" });
    assert.equal(draft.message.preparedBy, undefined);
    const sent = filled();
    sent.end(sent.state.id, true);
    assert.equal(sent.message.preparedBy, undefined);
  });

  it("is dropped when the user chooses another pair", () => {
    const draft = filled();
    draft.choosePair("THB_ETH");
    assert.deepEqual([draft.message.amount, draft.message.preparedBy], ["", undefined]);
    draft.choosePair("THB_BTC");
    assert.deepEqual([draft.message.amount, draft.message.preparedBy], ["", undefined]);
  });

  it("is withdrawn with all figures but the pair; the user's own draft stays", () => {
    const draft = filled();
    const { id } = draft.state;
    draft.withdraw();
    const { symbol, amount, rate, account, preparedBy } = draft.message;
    assert.deepEqual([symbol, amount, rate, account, preparedBy], ["THB_BTC", "", "", "practice", undefined]);
    assert.notEqual(draft.state.id, id);
    const own = typed();
    own.withdraw();
    assert.equal(own.message.amount, "1000");
  });
});
