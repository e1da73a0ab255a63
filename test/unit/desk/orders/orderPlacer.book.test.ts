import assert from "node:assert/strict";
import type { OrderPlacerOptions, OrderQuestion } from "../../../../src/desk/orders/orderPlacer.ts";
import type { Book } from "../../../../src/market/book/book.ts";
import { bookOf } from "../../../support/builders/books.ts";
import { draft as usual, placerOf } from "../../../support/fakes/orderPlacer.ts";

const draft = { ...usual, rate: "101" };
/** The whole amount at the best offer. */
const deep = bookOf([["100", "1000"]], [["99", "1000"]]);
/** A little at the best offer and the rest at 101, which is 1 % above the last price. */
const thinFrom = (best: string): Book =>
  bookOf(
    [
      [best, "0.1"],
      ["101", "1000"],
    ],
    [["80", "1"]],
  );
/** On average 12 % above the best offer. */
const thin = thinFrom("90");

describe("an order that takes from the order book", () => {
  /** Places the draft; `then` is the book at the end of the confirmation. */
  async function place(book: Book, answer: boolean, then = book) {
    const questions: (readonly [string, OrderQuestion["bookFill"]])[] = [];
    let current = book;
    const given: Partial<OrderPlacerOptions> = {
      book: (symbol) => (symbol === draft.symbol ? current : undefined),
      confirmBeyond: async ({ bookFill }) => questions.push(["beyond", bookFill]) > 0 && answer,
    };
    const confirm = async ({ bookFill }: OrderQuestion): Promise<boolean> => {
      questions.push(["order", bookFill]);
      current = then;
      return true;
    };
    const { placer, client } = await placerOf(confirm, given);
    const outcome = await placer.place(draft);
    return { outcome, questions, posts: client.calls.placeOrder };
  }

  it("has one confirmation, with what the order takes, if the book has enough at the best offer", async () => {
    const { outcome, questions, posts } = await place(deep, false);
    assert.equal(outcome.kind, "accepted");
    assert.deepEqual(
      questions.map(([name, bookFill]) => [name, typeof bookFill]),
      [["order", "object"]],
    );
    assert.equal(posts, 1);
  });

  it("has another confirmation first if its average rate is far from the best offer", async () => {
    const declined = await place(thin, false);
    assert.deepEqual([declined.outcome, declined.posts], [{ kind: "cancelled" }, 0]);
    const confirmed = await place(thin, true);
    assert.deepEqual(
      confirmed.questions.map(([name]) => name),
      ["beyond", "order"],
    );
    assert.deepEqual([confirmed.outcome.kind, confirmed.posts], ["accepted", 1]);
  });

  it("is not sent if the book thinned while the confirmation was open", async () => {
    const { outcome, posts } = await place(deep, true, thin);
    assert.deepEqual(outcome, { kind: "invalid", problems: [{ field: "rate", code: "bookThinnedNow" }] });
    assert.equal(posts, 0);
  });

  it("is not sent if the confirmed slippage then grew by more than the limit", async () => {
    const nearly = await place(thin, true, thinFrom("89"));
    assert.deepEqual([nearly.outcome.kind, nearly.posts], ["accepted", 1]);
    const { outcome, posts } = await place(thin, true, thinFrom("87"));
    assert.deepEqual(outcome, { kind: "invalid", problems: [{ field: "rate", code: "bookThinnedNow" }] });
    assert.equal(posts, 0);
  });

  it("is known to the ticket before the user submits, as far as the draft has no problem", async () => {
    const { placer } = await placerOf(undefined, { book: () => deep });
    const bookFill = placer.bookFill(draft);
    assert.ok(typeof bookFill === "object");
    assert.equal(placer.bookFill({ ...draft, rate: "99.5" }), "nothing");
    assert.equal(placer.bookFill({ ...draft, rate: "1,5" }), undefined);
    const { placer: withoutBook } = await placerOf();
    assert.equal(withoutBook.bookFill(draft), undefined);
  });
});
