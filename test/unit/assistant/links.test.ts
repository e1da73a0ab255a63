import assert from "node:assert/strict";
import { readLink } from "../../../src/assistant/links.ts";

describe("a link", () => {
  it("opens a pair", () => {
    assert.deepEqual(readLink("/pair/THB_BTC", ""), { kind: "pair", pair: "THB_BTC" });
  });

  it("fills in an order, with or without figures", () => {
    const order = { kind: "order", side: "buy", pair: "THB_BTC" };
    assert.deepEqual(readLink("/order", "side=buy&pair=THB_BTC&amount=1000&rate=2950000.5"), {
      ...order,
      amount: "1000",
      rate: "2950000.5",
    });
    assert.deepEqual(readLink("/order", "side=buy&pair=THB_BTC&amount=1,000.50&rate=2.950.000,5"), {
      ...order,
      amount: "1000.50",
      rate: "2950000.5",
    });
    assert.deepEqual(readLink("/order", "pair=THB_BTC&side=buy"), { ...order, amount: "", rate: "" });
  });

  for (const [path, query, problem] of [
    ["", "", { kind: "unknownPath" }],
    ["/", "", { kind: "unknownPath" }],
    ["/pair", "", { kind: "unknownPath" }],
    ["/pair/", "", { kind: "unknownPath" }],
    ["/pair/THB_BTC/", "", { kind: "unknownPath" }],
    ["/place", "side=buy&pair=THB_BTC", { kind: "unknownPath" }],
    ["/order/confirm", "side=buy&pair=THB_BTC", { kind: "unknownPath" }],
    ["/order", `side=buy&pair=THB_BTC&amount=${"1".repeat(600)}`, { kind: "unknownPath" }],
    ["/pair/THB", "", { kind: "wrongPart", part: "pair" }],
    ["/pair/<b>_BTC", "", { kind: "wrongPart", part: "pair" }],
    ["/pair/THB_BTC", "x=1", { kind: "unknownPart", part: "x 1" }],
    ["/order", "pair=THB_BTC", { kind: "missingPart", part: "side" }],
    ["/order", "side=buy", { kind: "missingPart", part: "pair" }],
    ["/order", "side=BUY&pair=THB_BTC", { kind: "wrongPart", part: "side" }],
    ["/order", "side=buy&side=sell&pair=THB_BTC", { kind: "repeatedPart", part: "side" }],
    ["/order", "side=buy&pair=THB_BTC&confirm=yes", { kind: "unknownPart", part: "confirm" }],
    ["/order", "side=buy&pair=THB_BTC&amount=1e9", { kind: "wrongPart", part: "amount" }],
    ["/order", "side=buy&pair=THB_BTC&amount=5,000", { kind: "wrongPart", part: "amount" }],
    ["/order", "side=buy&pair=THB_BTC&amount=0", { kind: "wrongPart", part: "amount" }],
    ["/order", "side=buy&pair=THB_BTC&amount=", { kind: "wrongPart", part: "amount" }],
    ["/order", "side=buy&pair=THB_BTC&rate=-1", { kind: "wrongPart", part: "rate" }],
    ["/order", "side=buy&pair=THB_BTC&rate=ten", { kind: "wrongPart", part: "rate" }],
  ] as const)
    it(`is refused: ${path}?${query.slice(0, 60)}`, () => {
      assert.deepEqual(readLink(path, query), problem);
    });
});
