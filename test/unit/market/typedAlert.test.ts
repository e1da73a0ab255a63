import assert from "node:assert/strict";
import fc from "fast-check";
import type { AlertRule } from "../../../src/market/alertRule.ts";
import { Decimal } from "../../../src/market/numbers/decimal.ts";
import {
  readTypedAlert,
  readTypedVolume,
  rulesFromCost,
  typedTextOf,
  typedVolume,
} from "../../../src/market/typedAlert.ts";
import { tickerOf } from "../../support/fakes/venue.ts";

const above = (price: string) => ({ kind: "above", price }) as const;
const below = (price: string) => ({ kind: "below", price }) as const;
const move = (percent: string, minutes: number) => ({ kind: "change", percent, minutes }) as const;

describe("the text of an alert", () => {
  it("is a price above or below the last one, in every notation of a typed number", () => {
    for (const text of ["3030000", "3,030,000", "3.030.000,00", "3 030 000", "3.03m", "3030k"]) {
      const read = readTypedAlert(text, 3_000_000);
      assert.ok("rules" in read, text);
      assert.deepEqual(
        read.rules.map((rule) => rule.kind === "above" && Number(rule.price)),
        [3_030_000],
        text,
      );
    }
    assert.deepEqual(readTypedAlert("2.95m", 3_000_000), { rules: [below("2950000")] });
  });

  it("may be in the digits and signs of any script, and name the currency of each of its prices", () => {
    for (const [text, rule] of [
      ["２，５％", move("2.5", 15)],
      ["\u200E๕%", move("5", 15)],
      ["٥٪", move("5", 15)],
      ["5% ๖๐", move("5", 60)],
      ["\u22125%", move("5", 15)],
      ["฿200 +5%", above("210")],
      ["２００　－　５％", above("190")],
      ["฿200 - ฿300", { kind: "within", low: "200", high: "300" }],
      ["２００－３００", { kind: "within", low: "200", high: "300" }],
      ["200 THB – 300 THB", { kind: "within", low: "200", high: "300" }],
    ] as const)
      assert.deepEqual(readTypedAlert(text, 100, ["THB", "฿"]), { rules: [rule] }, text);
    assert.equal(typedVolume("ｖｏｌｕｍｅ　๑๐ｍ"), "10m");
    assert.deepEqual(rulesFromCost("＋５０％", new Decimal("80"), 100, 2), [above("120")]);
    for (const text of ["$200 +5%", "-5", "THB - 5%", "฿ - 300"])
      assert.deepEqual(readTypedAlert(text, 100, ["THB", "฿"]), { problem: "notANumber" }, text);
  });

  it("offers each meaning of an ambiguous figure, and both sides of a pair without trades", () => {
    assert.deepEqual(readTypedAlert("5,000", 100), { rules: [above("5000"), below("5.000")] });
    assert.deepEqual(readTypedAlert("5", undefined), { rules: [above("5"), below("5")] });
  });

  it("is a move in percent, within 15 minutes unless a time follows", () => {
    for (const [text, percent, minutes] of [
      ["5%", "5", 15],
      ["2.5 %", "2.5", 15],
      ["-3%", "3", 15],
      ["5% 60", "5", 60],
      ["5% 30 min", "5", 30],
      ["5% 2h", "5", 120],
    ] as const)
      assert.deepEqual(readTypedAlert(text, 100), { rules: [move(percent, minutes)] }, text);
  });

  it("as a percentage is also a price so far from the average cost, on the side where the last price is not", () => {
    const rules = (text: string, last: number | undefined = 100) =>
      rulesFromCost(text, new Decimal("80"), last, 2);
    assert.deepEqual(rules("+50%"), [above("120")]);
    assert.deepEqual(rules("-2.5 %"), [below("78")]);
    assert.deepEqual(rules("50%"), [above("120"), below("40")]);
    assert.deepEqual(rules("+5%"), [below("84")]);
    assert.deepEqual(rules("+25%"), [], "the last price");
    for (const text of ["5", "5% 60", "100%", "0%", "abc%", "70 +5%"])
      assert.deepEqual(rules(text), [], text);
  });

  it("as a percentage from cost is what exact arithmetic says, for any cost", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 1, max: 999 }), (cents, tenths) => {
        const [rule] = rulesFromCost(`+${tenths / 10}%`, new Decimal(`${cents}e-2`), undefined, 2);
        const expected = (BigInt(cents) * BigInt(1000 + tenths) * 2n + 1000n) / 2000n;
        assert.ok(rule?.kind === "above");
        assert.equal(Math.round(Number(rule.price) * 100), Number(expected));
      }),
    );
  });

  it("is a volume in the asset that it names, else in each asset of the pair that it can still rise to", () => {
    const ticker = tickerOf("THB_BTC", { baseVolume: 800, quoteVolume: 50_000 });
    const read = (text: string, of = ticker) => readTypedVolume(typedVolume(text) ?? assert.fail(text), of);
    const volume = (figure: string, asset: string) => ({ kind: "volume", volume: figure, asset }) as const;
    for (const text of ["volume 1,000 BTC", "Vol>1k btc", "vol 1000BTC", "volume: 1 000 BTC"])
      assert.deepEqual(read(text), { rules: [volume("1000", "BTC")] }, text);
    assert.deepEqual(read("volume 900"), { rules: [volume("900", "BTC")] }, "of THB there is more");
    assert.deepEqual(read("volume 1m"), { rules: [volume("1000000", "BTC"), volume("1000000", "THB")] });
    assert.deepEqual(read("volume ฿60k"), { rules: [volume("60000", "THB")] });
    for (const [text, problem] of [
      ["volume", "notANumber"],
      ["volume abc", "notANumber"],
      ["volume 5 ETH", "notANumber"],
      ["volume 0", "zero"],
      ["volume 800", "volumeReached"],
      ["vol 50,000 THB", "volumeReached"],
    ] as const)
      assert.deepEqual(read(text), { problem }, text);
    const unknown = tickerOf("THB_BTC", { baseVolume: undefined, quoteVolume: undefined });
    assert.deepEqual(read("volume 5", unknown), { problem: "noVolume" });
    for (const text of ["5", "5%", "volumes 5", "1,000 BTC"])
      assert.equal(typedVolume(text), undefined, text);
    const rule = volume("1000.5", "BTC");
    assert.deepEqual(read(typedTextOf(rule)), { rules: [rule] });
  });

  it("is refused with the reason", () => {
    for (const [text, problem] of [
      ["abc", "notANumber"],
      ["5%%", "notANumber"],
      ["0", "zero"],
      ["0%", "zero"],
      ["100", "alreadyThere"],
      ["100%", "tooMuch"],
      ["5% 0", "notMinutes"],
      ["5% 25h", "notMinutes"],
    ] as const)
      assert.deepEqual(readTypedAlert(text, 100), { problem }, text);
  });

  it("reads a rule's own text as the same rule", () => {
    for (const rule of [above("110.5"), below("90"), move("2.5", 30)] satisfies AlertRule[])
      assert.deepEqual(readTypedAlert(typedTextOf(rule), 100), { rules: [rule] });
  });
});
