import assert from "node:assert/strict";
import type { FormQuote } from "../../../../src/protocol/ticket.ts";
import { fullSize, shownBook, shownSize } from "../../../../src/webview/ticket/book/shownBook.ts";
import { formBook } from "../../../support/builders/formBook.ts";

const quote = { quote: "THB", base: "SHIB", places: 2 } as FormQuote;

describe("the sizes of the order book", () => {
  const placesOf = (...sizes: string[]): number =>
    shownBook(
      formBook(
        sizes.map((size, index) => [String(index + 1), size]),
        [],
      ),
      quote,
    ).sizePlaces;

  it("have at most eight digits, and no size is shown as nothing", () => {
    assert.equal(placesOf("7724076.00729635", "12.5"), 1);
    assert.equal(shownSize("7724076.00729635", 1), "7724076.1");
    assert.equal(shownSize("0.00000001", 1), "0.1");
    assert.equal(placesOf("0.12345678"), 8);
    assert.equal(placesOf("0.5", "2"), 1);
  });

  it("give full bars by the offers of others, and never by one huge order", () => {
    const level = (size: string, isOwn = false) => ({ size, isOwn });
    assert.equal(fullSize([level("1"), level("2"), level("3"), level("900", true)]).toFixed(), "3");
    assert.equal(fullSize([level("1"), level("2"), level("3"), level("900")]).toFixed(), "8");
    assert.equal(fullSize([level("5", true)]).toFixed(), "5");
  });
});
