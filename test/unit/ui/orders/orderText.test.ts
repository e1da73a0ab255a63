import assert from "node:assert/strict";
import { settingKeys } from "../../../../src/contributions.ts";
import { RefusedError } from "../../../../src/exchange/errors.ts";
import type { OrderEvent } from "../../../../src/storage/orders/records.ts";
import type { OwnOrder } from "../../../../src/storage/orders/order.ts";
import { bidIntent, NOON } from "../../../support/builders/bidIntent.ts";
import { FakeClient, openVenue, walletOf } from "../../../support/fakes/venue.ts";
import { loadUi, userSettings } from "../../../support/fakes/vscode.ts";
import { ownOrder } from "../../../support/builders/ownOrder.ts";

const { orderDetails, orderTooltip } = await loadUi(() => import("../../../../src/ui/orders/orderText.ts"));
const { explain } = await loadUi(() => import("../../../../src/ui/text/errorText.ts"));
const { balanceContent } = await loadUi(() => import("../../../../src/ui/wallet/balanceContent.ts"));
const { shownAmounts } = await loadUi(() => import("../../../../src/ui/text/amountText.ts"));

/** A bid with these words in every text of the journal that a service or person can write. */
function bidWith(words: string): OwnOrder {
  const { id } = bidIntent();
  const evidence: OrderEvent[] = [
    { kind: "outcome", id, at: NOON, state: "unknown", reason: words },
    { kind: "check", id, at: NOON, text: words },
    { kind: "settled", id, at: NOON, by: "check", as: "unresolved", evidence: words },
    { kind: "outcome", id, at: NOON, state: "rejected", code: words },
    { kind: "outcome", id, at: NOON, state: "accepted", orderId: words.slice(0, 20) },
  ];
  return ownOrder({
    intent: bidIntent({ id }),
    state: "unresolved",
    since: NOON,
    orderId: undefined,
    evidence,
  });
}

describe("the texts of an order", () => {
  afterEach(() => userSettings.delete(settingKeys.hideAmounts));

  it("show no amount in the tooltip in privacy mode, in words or digits", () => {
    userSettings.set(settingKeys.hideAmounts, true);
    const { evidence, ...bid } = bidWith("only 1,234.50 THB, ๑๒๓๔ บาท, ١٢٣٤, 1 234 567.8, 9'876 left");
    const shown = orderTooltip({ ...bid, evidence: evidence.slice(0, 4) } as OwnOrder, shownAmounts()).value;
    assert.doesNotMatch(shown, /234|๑|١|567|876/);
    assert.equal(shown.match(/only ••• THB, ••• บาท, •••, •••, ••• left/g)?.length, 4);
  });

  it("show an error code while amounts are hidden, and mask the amount in a code that is a sentence", () => {
    userSettings.set(settingKeys.hideAmounts, true);
    const codes = { B1003: "B1003", "V1007-CW": "V1007-CW", "below 10 THB": "below ••• THB" };
    for (const [code, shown] of [...Object.entries(codes), [15, "15"] as const]) {
      const { intent } = bidWith("");
      const evidence: OrderEvent[] = [{ kind: "outcome", id: intent.id, at: NOON, state: "rejected", code }];
      const { value } = orderTooltip({ ...bidWith(""), evidence } as OwnOrder, shownAmounts());
      assert.ok(value.replaceAll("&nbsp;", " ").includes(`rejected with error ${shown}`), value);
      const { sentence } = explain(
        new RefusedError("wallet", { code, httpStatus: 200 }),
        shownAmounts(),
        "x",
      );
      assert.ok(sentence.includes(`error ${shown}:`), sentence);
    }
  });

  it("say that a check settled an order, and that an unresolved one is inconclusive", () => {
    const { intent } = bidWith("");
    const settledAs = (as: "accepted" | "notPlaced" | "unresolved"): string => {
      const settled = { kind: "settled", id: intent.id, at: NOON, by: "check", as, evidence: "x" } as const;
      return orderDetails({ ...bidWith(""), evidence: [settled] }).at(-1) ?? "";
    };
    assert.match(settledAs("accepted"), /: resolved by a check: x$/);
    assert.match(settledAs("notPlaced"), /: resolved by a check: x$/);
    assert.match(settledAs("unresolved"), /: the last check was inconclusive: x$/);
  });

  it("mask each figure as a whole, and two figures separately", () => {
    userSettings.set(settingKeys.hideAmounts, true);
    assert.equal(shownAmounts().maskIn("1 234 567.89 of 10, 20 and 5"), "••• of •••, ••• and •••");
    assert.equal(shownAmounts().maskIn("12 3456"), "••• •••");
    userSettings.delete(settingKeys.hideAmounts);
    assert.equal(shownAmounts().maskIn("๑๒๓ 1,000"), "๑๒๓ 1,000");
  });

  it("have no link and no icon in the tooltip, and are copied as they were recorded", () => {
    const words = "$(trash) www.evil.example https://evil.example me@evil.example";
    const { value } = orderTooltip(bidWith(words), shownAmounts());
    assert.doesNotMatch(value, /\$\(|www\.|:\/\/|\w@/);
    assert.ok(value.replaceAll("\u2060", "").includes(words));
    assert.ok(orderDetails(bidWith(words)).join("\n").includes(words));
  });

  it("have no link and no icon in the status bar's tooltip, for any error or asset name", async () => {
    const { state } = await openVenue(new FakeClient());
    const words = "see www.evil.example or http://a.b $(x)";
    const problem = new RefusedError("wallet", { code: words, httpStatus: 200, serviceMessage: words });
    const wallet = walletOf({ THB: "1", "WWW.EVIL.EXAMPLE": "1", "WWW.BAD": "unreadable" });
    const { tooltip } = balanceContent({
      tickers: [],
      elsewhere: [],
      today: undefined,
      figure: "available",
      state,
      balance: { wallet, readAt: 0, problem },
      needsCredentials: false,
      attention: 0,
      amounts: shownAmounts(),
      quote: "THB",
    });
    assert.doesNotMatch(tooltip.value, /\$\(|www\.|:\/\//i);
  });
});
