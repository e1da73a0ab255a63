import assert from "node:assert/strict";
import { NoResponseError } from "../../../../src/exchange/errors.ts";
import { fillFromBook } from "../../../../src/market/book/bookFill.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import type { Side } from "../../../../src/market/order.ts";
import { bookOf } from "../../../support/builders/books.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { averageWords, bookProblemText, bookFillLines, bookFillTexts } = await loadUi(
  () => import("../../../../src/ui/ticket/bookText.ts"),
);
const { shownAmounts } = await loadUi(() => import("../../../../src/ui/text/amountText.ts"));

const pair = { quote: "THB", base: "BTC" };
const book = bookOf(
  [
    ["3000000", "0.001"],
    ["3003000", "0.002"],
    ["3100000", "1"],
  ],
  [
    ["2999000", "0.001"],
    ["2990000", "1"],
  ],
);

function bookFill(side: Side, amount: string, rate: string) {
  return fillFromBook({ side, amount: new Decimal(amount), rate: new Decimal(rate) }, book, new Decimal("0"));
}

describe("the text of an order's immediate fill", () => {
  it("names the filled share, the average rate and its distance from the best offer", () => {
    assert.deepEqual(bookFillLines(bookFill("buy", "9006", "3003000"), { side: "buy", pair }, 2), [
      "Fills immediately: all",
      "Average price: 3,002,000.00 THB per BTC, 0.07% above the best ask",
    ]);
    assert.deepEqual(bookFillLines(bookFill("sell", "0.002", "2990000"), { side: "sell", pair }, 2), [
      "Fills immediately: all",
      "Average price: 2,994,500.00 THB per BTC, 0.16% below the best bid",
    ]);
  });

  it('says "at the best offer" if the average is that, and "about" if it is rounded', () => {
    assert.equal(
      averageWords(bookFill("buy", "1000", "3000000"), { side: "buy", pair }, 2),
      "Average price: 3,000,000.00 THB per BTC, at the best ask",
    );
    assert.equal(
      averageWords(bookFill("sell", "0.0005", "2999000"), { side: "sell", pair }, 2),
      "Average price: 2,999,000.00 THB per BTC, at the best bid",
    );
    assert.equal(
      averageWords(bookFill("buy", "4000", "3003000"), { side: "buy", pair }, 2),
      "Average price: about 3,000,749.44 THB per BTC, 0.03% above the best ask",
    );
  });

  it("truncates the share, so that only a complete fill shows as all", () => {
    assert.deepEqual(bookFillTexts(bookFill("buy", "12010", "3003000"), 2), {
      share: "74.9%",
      average: "3,002,000.00",
      slippage: "0.07%",
    });
    const tiny = bookFillTexts(bookFill("buy", "900600000", "3003000"), 2);
    assert.equal(tiny.share, "less than 0.1%");
  });

  it("shows no figure of an order that is a share of a hidden balance", () => {
    const texts = bookFillTexts(bookFill("buy", "9006000", "3003000"), 2, true);
    assert.deepEqual(texts, { share: "•••", average: "•••", slippage: "•••" });
  });

  it("says that nothing fills now, and is empty without a book", () => {
    const waiting = bookFill("buy", "1000", "2900000");
    assert.deepEqual(bookFillLines(waiting, { side: "buy", pair }, 2), ["Fills immediately: nothing"]);
    assert.deepEqual(bookFillTexts("nothing", 2), { share: "nothing", average: "", slippage: "" });
    assert.deepEqual(bookFillLines(undefined, { side: "buy", pair }, 2), []);
  });

  it("says why there is no book", () => {
    const text = (problem: Parameters<typeof bookProblemText>[0]) =>
      bookProblemText(problem, shownAmounts(), "api.example.com");
    assert.match(text({ fault: "empty" }), /is empty/);
    assert.match(text({ fault: "crossed" }), /best bid is not below its best ask/);
    assert.match(text({ fault: "odd" }), /invalid entries/);
    assert.equal(
      text({ error: new NoResponseError("depth", "timeout", "10 s") }),
      "The order book could not be read. api.example.com did not respond in time.",
    );
  });
});
