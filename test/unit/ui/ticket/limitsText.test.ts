import assert from "node:assert/strict";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { defaultRules, type OrderRules } from "../../../../src/market/order.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { formLimits } = await loadUi(() => import("../../../../src/ui/ticket/limitsText.ts"));

const pair = { quote: "THB", base: "BTC" };
const HOST = "api.example.com";

describe("the limits of a pair in the ticket", () => {
  const limitsOf = (given: Partial<OrderRules>) =>
    formLimits({ ...defaultRules, isOfExchange: true, ...given }, pair, HOST);

  it("are called default limits without the exchange's name if it states none", () => {
    const { text, tooltip, ...figures } = formLimits(defaultRules, pair, HOST);
    assert.equal(text, "Default limits: minimum 10.00 THB.");
    assert.match(tooltip, /The exchange checks each order\.$/);
    assert.deepEqual(figures, {
      feeShare: "0.0025",
      quantityPlaces: 8,
      amountPlaces: undefined,
      rateStep: undefined,
    });
  });

  it("name the exchange that states them, with minimum, price step and price limits", () => {
    const limits = limitsOf({
      minimumAmount: new Decimal("50"),
      quantityPlaces: 4,
      rateStep: new Decimal("0.00000001"),
      bandPercent: { buy: new Decimal("20"), sell: new Decimal("15.5") },
    });
    assert.deepEqual(limits, {
      feeShare: "0.0025",
      quantityPlaces: 4,
      amountPlaces: undefined,
      rateStep: "0.00000001",
      text: "Limits of api.example.com: minimum 50.00 THB, prices in steps of 0.00000001 THB.",
      tooltip:
        "A buy order may be at most 20% above or below the last price. A sell order may be at most 15.5% below or above the last price.",
    });
  });

  it("leave out what the exchange does not state", () => {
    const { text, tooltip } = limitsOf({ bandPercent: { buy: undefined, sell: new Decimal("5") } });
    assert.equal(text, "Limits of api.example.com: minimum 10.00 THB.");
    assert.equal(tooltip, "A sell order may be at most 5% below or above the last price.");
  });

  it("say first which sides are frozen", () => {
    const textFor = (frozenSides: OrderRules["frozenSides"]): string => limitsOf({ frozenSides }).text;
    const rest = " Limits of api.example.com: minimum 10.00 THB.";
    assert.equal(
      textFor(["buy"]),
      `api.example.com does not accept buy orders for BTC/THB at the moment.${rest}`,
    );
    assert.equal(
      textFor(["sell"]),
      `api.example.com does not accept sell orders for BTC/THB at the moment.${rest}`,
    );
    assert.equal(
      textFor(["buy", "sell"]),
      `api.example.com does not accept orders for BTC/THB at the moment.${rest}`,
    );
    assert.equal(textFor([]), rest.trim());
  });
});
