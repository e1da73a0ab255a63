import assert from "node:assert/strict";
import { settingKeys } from "../../../src/contributions.ts";
import { RefusedError } from "../../../src/exchange/errors.ts";
import type { BidRecord } from "../../../src/journal/foldBids.ts";
import type { BidEvent } from "../../../src/journal/orderRecords.ts";
import { bidIntent, NOON } from "../../support/bidIntents.ts";
import { FakeClient, openVenue, walletOf } from "../../support/fakeVenue.ts";
import { loadUi, userSettings } from "../../support/hollowEditor.ts";

const { orderDetails, orderTooltip } = await loadUi(() => import("../../../src/ui/orderText.ts"));
const { balanceContent } = await loadUi(() => import("../../../src/ui/balanceContent.ts"));
const { withoutAmounts } = await loadUi(() => import("../../../src/ui/numberText.ts"));

/** A bid of which the journal holds these words in every free text. */
function bidWith(words: string): BidRecord {
  const { id } = bidIntent();
  const evidence: BidEvent[] = [
    { kind: "outcome", id, at: NOON, state: "unknown", reason: words },
    { kind: "check", id, at: NOON, text: words, verdict: "inconclusive" },
    { kind: "settled", id, at: NOON, by: "check", as: "unresolved", evidence: words },
    { kind: "outcome", id, at: NOON, state: "rejected", code: words },
    { kind: "outcome", id, at: NOON, state: "accepted", orderId: words.slice(0, 20) },
  ];
  return { intent: bidIntent({ id }), state: "unresolved", since: NOON, orderId: undefined, evidence };
}

describe("the words of an order", () => {
  afterEach(() => userSettings.delete(settingKeys.hideAmounts));

  // P1
  it("show no amount in the tooltip while amounts are hidden, whoever wrote them and in whatever digits", () => {
    userSettings.set(settingKeys.hideAmounts, true);
    const { evidence, ...bid } = bidWith("only 1,234.50 THB, ๑๒๓๔ บาท, ١٢٣٤, 1 234 567.8, 9'876 left");
    const shown = orderTooltip({ ...bid, evidence: evidence.slice(0, 3) }).value;
    assert.doesNotMatch(shown, /234|๑|١|567|876/);
    assert.equal(shown.match(/only ••• THB, ••• บาท, •••, •••, ••• left/g)?.length, 3);
  });

  it("mask a figure as one, and take two figures for two", () => {
    userSettings.set(settingKeys.hideAmounts, true);
    assert.equal(withoutAmounts("1 234 567.89 of 10, 20 and 5"), "••• of •••, ••• and •••");
    assert.equal(withoutAmounts("12 3456"), "••• •••");
    userSettings.delete(settingKeys.hideAmounts);
    assert.equal(withoutAmounts("๑๒๓ 1,000"), "๑๒๓ 1,000");
  });

  // P2
  it("hold no live address and no icon in the tooltip, and are copied as they were recorded", () => {
    const words = "$(trash) www.evil.example https://evil.example me@evil.example";
    const { value } = orderTooltip(bidWith(words));
    assert.doesNotMatch(value, /\$\(|www\.|:\/\/|\w@/);
    assert.ok(value.replaceAll("\u2060", "").includes(words));
    assert.ok(orderDetails(bidWith(words)).join("\n").includes(words));
  });

  // P2
  it("hold none in the status bar's tooltip either, be they the service's own or an asset's name", async () => {
    const { state } = await openVenue(new FakeClient());
    const words = "see www.evil.example or http://a.b $(x)";
    const problem = new RefusedError("wallet", { code: words, httpStatus: 200, serviceMessage: words });
    const wallet = walletOf({ THB: "1", "WWW.EVIL.EXAMPLE": "1", "WWW.BAD": "unreadable" });
    const { tooltip } = balanceContent({
      state,
      balance: { wallet, readAt: 0, problem },
      needsCredentials: false,
      attention: 0,
      quote: "THB",
    });
    assert.doesNotMatch(tooltip.value, /\$\(|www\.|:\/\//i);
  });
});
