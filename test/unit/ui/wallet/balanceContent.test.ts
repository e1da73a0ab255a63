import assert from "node:assert/strict";
import { openTestDesk } from "../../../support/desks/testDesk.ts";
import { allFeatures } from "../../../support/builders/features.ts";
import type { Features } from "../../../../src/exchange/features.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient } from "../../../support/fakes/venue.ts";
import { loadUi } from "../../../support/fakes/vscode.ts";

const { balanceContent } = await loadUi(() => import("../../../../src/ui/wallet/balanceContent.ts"));
const { AmountText } = await loadUi(() => import("../../../../src/ui/text/amountText.ts"));

async function tooltipWith(features: Features): Promise<string> {
  const desk = await openTestDesk({ client: new FakeClient(), timers: new FakeTimers() });
  const { venue } = desk;
  if (venue.state.kind !== "ready") assert.fail(venue.state.kind);
  const ready = venue.state.venue;
  const { tooltip } = balanceContent({
    state: { kind: "ready", venue: { ...ready, profile: { ...ready.profile, features } } },
    balance: desk.balances.state,
    needsCredentials: false,
    attention: 0,
    amounts: new AmountText(false),
    quote: "THB",
  });
  return tooltip.value;
}

describe("the tooltip of the balance", () => {
  it("says in one quiet line what the exchange does not offer", async () => {
    assert.match(
      await tooltipWith({}),
      /\n\nNot offered by this exchange: Sell orders, Cancelling orders, Open orders, Order history with fills\.$/,
    );
    const { placeAsk: _, ...others } = allFeatures("A");
    assert.match(await tooltipWith(others), /\n\nNot offered by this exchange: Sell orders\.$/);
  });

  it("has no such line if the exchange supports everything", async () => {
    assert.doesNotMatch(await tooltipWith(allFeatures("A")), /offered/);
  });
});
