import assert from "node:assert/strict";
import { decodeDepth } from "../../../../src/exchange/wire/depth.ts";
import { isFeeCredits, isStatus } from "../../../../src/exchange/wire/status.ts";
import { decodeTrades } from "../../../../src/exchange/wire/trades.ts";
import { answerRead, inEnvelope, withPlainDecimals } from "../../../support/builders/answers.ts";

const read = (content: unknown, isBare = false) =>
  answerRead(isBare ? JSON.stringify(content) : inEnvelope(content, "B"), "depth");

describe("decodeDepth", () => {
  const book = {
    asks: [
      [101, "2"],
      ["102.5", 0.1],
    ],
    bids: [["100", "1e-8"]],
  };
  const asks = [
    { price: "101", size: "2" },
    { price: "102.5", size: "0.1" },
  ];
  const bids = [{ price: "100", size: "0.00000001" }];

  it("reads a bare book and one in an envelope, with numbers or text", () => {
    for (const isBare of [true, false])
      assert.deepEqual(withPlainDecimals(decodeDepth(read(book, isBare))), { asks, bids, unreadable: 0 });
  });

  it("puts the best level of each side first", () => {
    const mixed = { asks: book.asks.toReversed(), bids: [[90, 1], ...book.bids] };
    const depth = decodeDepth(read(mixed));
    assert.deepEqual(
      depth?.asks.map(({ price }) => price.toFixed()),
      ["101", "102.5"],
    );
    assert.deepEqual(
      depth?.bids.map(({ price }) => price.toFixed()),
      ["100", "90"],
    );
  });

  it("skips invalid levels", () => {
    const odd = [[0, 1], [-1, 1], ["x", 1], [1], 5, null, {}];
    assert.equal(decodeDepth(read({ ...book, asks: [...book.asks, ...odd] }))?.unreadable, odd.length);
    assert.equal(decodeDepth(read({ asks: odd, bids: [] })), undefined);
  });

  it("treats a price with nothing offered as no level, not as an unreadable one", () => {
    const gone = { ...book, asks: [[100.5, 0], ...book.asks, ["103", "0.00"]] };
    assert.deepEqual(withPlainDecimals(decodeDepth(read(gone))), { asks, bids, unreadable: 0 });
  });

  it("reads an empty side, and treats a missing side as another shape", () => {
    assert.equal(decodeDepth(read({ asks: [], bids: null }))?.unreadable, 0);
    for (const content of [{ asks: [] }, [], null, "x"]) assert.equal(decodeDepth(read(content)), undefined);
  });
});

describe("decodeTrades", () => {
  it("reads times in seconds and in ms, the newest first", () => {
    const rows = [
      [1_700_000_000, 100, "0.5", "BUY"],
      ["1700000001000", "101", 1, "sell"],
    ];
    assert.deepEqual(withPlainDecimals(decodeTrades(read(rows))), [
      { at: 1_700_000_001_000, rate: "101", size: "1", side: "sell" },
      { at: 1_700_000_000_000, rate: "100", size: "0.5", side: "buy" },
    ]);
  });

  it("skips invalid rows, and treats another shape as unknown", () => {
    const good = [1_700_000_000, 100, 1, "BUY"];
    const odd = [[0, 1, 1, "BUY"], [1, 0, 1, "BUY"], [1, 1, 1, "HOLD"], [1, 1, 1], {}, null, "x"];
    assert.equal(decodeTrades(read([good, ...odd]))?.length, 1);
    for (const content of [odd, {}, "x"]) assert.equal(decodeTrades(read(content)), undefined);
  });
});

describe("a status", () => {
  it("is a list with a named component, or an empty one", () => {
    const rows = [{ name: "Secure endpoints", status: "ok", message: "" }, { status: "ok" }, null];
    for (const content of [rows, []]) assert.equal(isStatus(read(content, true)), true);
    for (const content of [{}, [{}], [{ name: "" }], "ok"]) assert.equal(isStatus(read(content)), false);
  });
});

describe("fee credits", () => {
  it("are a number or text in an envelope", () => {
    for (const credits of [1000, "1000"]) assert.equal(isFeeCredits(read(credits)), true);
    for (const [content, isBare] of [
      [1000, true],
      [-1, false],
      ["x", false],
      [null, false],
      [{}, false],
    ] as const)
      assert.equal(isFeeCredits(read(content, isBare)), false);
  });
});
