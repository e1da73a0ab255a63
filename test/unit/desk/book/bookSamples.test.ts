import assert from "node:assert/strict";
import { BookSamples } from "../../../../src/desk/book/bookSamples.ts";
import { depthOf } from "../../../support/builders/books.ts";

const START = 1_000_000;
const book = (ask: string, bid: string, size = "1") => depthOf([[ask, size]], [[bid, size]]);

function samplesOf(...told: readonly (readonly [at: number, depth: ReturnType<typeof book>])[]): BookSamples {
  const samples = new BookSamples();
  for (const [at, depth] of told) samples.note(depth, START + at);
  return samples;
}

describe("the comparison of a streamed book with a reading", () => {
  it("agrees with the newest book at the request of the reading, and with a later one", () => {
    const samples = samplesOf([0, book("101", "100")], [2000, book("110", "109")]);
    assert.equal(samples.compare(book("101", "100"), START + 1000), "agrees");
    assert.equal(samples.compare(book("110", "109"), START + 1000), "agrees");
    assert.equal(samples.compare(book("110", "109"), START + 3000), "agrees");
  });

  it("says that a reading shows an earlier book, or one that was never told", () => {
    const samples = samplesOf([0, book("101", "100")], [2000, book("110", "109")]);
    assert.equal(samples.compare(book("101", "100"), START + 3000), "earlier");
    assert.equal(samples.compare(book("105", "104"), START + 3000), "wrong");
  });

  it("allows half a percent between the best prices of a side, and not more", () => {
    const samples = samplesOf([0, book("200", "199")]);
    assert.equal(samples.compare(book("200.9", "199.9"), START), "agrees");
    assert.equal(samples.compare(book("201.1", "199"), START), "wrong");
    assert.equal(samples.compare(book("200", "197"), START), "wrong");
  });

  it("is wrong if sizes differ by more than ten times, as sizes in quote do", () => {
    const samples = samplesOf([0, book("200", "199", "1")]);
    assert.equal(samples.compare(book("200", "199", "9"), START), "agrees");
    assert.equal(samples.compare(book("200", "199", "11"), START), "wrong");
    assert.equal(samples.compare(book("200", "199", "0.09"), START), "wrong");
  });

  it("sums the sizes of the levels that both have", () => {
    const long = depthOf(
      Array.from({ length: 50 }, (_, index) => [String(200 + index / 100), "1"] as const),
      [],
    );
    assert.equal(samplesOf([0, long]).compare(depthOf([["200", "1"]], []), START), "agrees");
  });

  it("is wrong if only one of both has offers on a side", () => {
    const samples = samplesOf([0, book("101", "100")]);
    assert.equal(samples.compare(depthOf([["101", "1"]], []), START), "wrong");
    assert.equal(
      samplesOf([0, depthOf([["101", "1"]], [])]).compare(depthOf([["101", "1"]], []), START),
      "agrees",
    );
  });

  it("says nothing of a reading without a book in the ten seconds before", () => {
    const samples = samplesOf([0, book("101", "100")]);
    assert.equal(samples.compare(book("101", "100"), START + 10_000), "agrees");
    assert.equal(samples.compare(book("101", "100"), START + 10_001), undefined);
    samples.clear();
    assert.equal(samples.compare(book("101", "100"), START), undefined);
  });
});
