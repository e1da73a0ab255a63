import assert from "node:assert/strict";
import { Canceller, type CancelQuestion } from "../../../../src/desk/tracking/canceller.ts";
import type { KnownOrder } from "../../../../src/market/orders/knownOrder.ts";
import { FakeClient, openVenue } from "../../../support/fakes/venue.ts";
import { loadUi, person, shownMessages } from "../../../support/fakes/vscode.ts";

const { confirmCancel } = await loadUi(() => import("../../../../src/ui/orders/cancelQuestion.ts"));

const known = {
  orderId: "289",
  symbol: "THB_BTC",
  pair: { quote: "THB", base: "BTC" },
  side: "sell",
  status: "open",
  fills: [],
} as unknown as KnownOrder;

/** The question before a cancellation on an exchange with these frozen pairs. The user says no. */
async function questionWith(...frozen: readonly string[]): Promise<CancelQuestion> {
  const client = new FakeClient();
  client.capabilities = { cancelOrder: () => assert.fail("nothing is sent without a yes") };
  const venue = await openVenue(client);
  const asked: CancelQuestion[] = [];
  const canceller = new Canceller({
    orders: { get: () => undefined } as never,
    venue,
    now: () => 0,
    checkWake: () => undefined,
    isFrozen: ({ base }) => frozen.includes(base),
    confirm: (question) => {
      asked.push(question);
      return Promise.resolve(false);
    },
    check: () => Promise.resolve(),
  });
  const name = { venue: "practice", origin: "", orderId: "289", side: "sell" } as never;
  assert.deepEqual(await canceller.cancel([{ name, known }]), { kind: "declined" });
  return asked[0] ?? assert.fail("nothing was asked");
}

describe("the question before a cancellation", () => {
  afterEach(() => (person.choose = () => undefined));

  it("warns that the exchange accepts no cancellations for the pair, and can still be confirmed", async () => {
    person.choose = ([yes]) => yes;
    assert.equal(await confirmCancel(await questionWith("BTC")), true);
    assert.match(
      shownMessages.at(-1)?.more ?? "",
      /Practice does not cancel orders for this pair at the moment, so it may reject the request\./,
    );
  });

  it("does not warn if another pair is frozen", async () => {
    await confirmCancel(await questionWith("ETH"));
    assert.doesNotMatch(shownMessages.at(-1)?.more ?? "", /does not cancel orders/);
  });
});
