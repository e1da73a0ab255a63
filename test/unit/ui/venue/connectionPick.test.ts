import assert from "node:assert/strict";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { successText } = await loadUi(() => import("../../../../src/ui/venue/connectionPick.ts"));

describe("the result of a connection test, in words", () => {
  // U10
  it("uses the singular for one asset and one pair", () => {
    const texts = [0, 1, 2].flatMap((count) => [
      successText({ check: "wallet", ok: true, assets: count, tookMs: 5 }),
      successText({ check: "ticker", ok: true, pairs: count, unreadable: 0, tookMs: 5 }),
      successText({ check: "ticker", ok: true, pairs: count, unreadable: 1, tookMs: 5 }),
    ]);
    assert.deepEqual(
      texts.map((text) => text.split(",", 1)[0]),
      ["0 assets", "0 pairs", "0 pairs", "1 asset", "1 pair", "1 pair", "2 assets", "2 pairs", "2 pairs"],
    );
  });
});
