import assert from "node:assert/strict";
import { NotSentError } from "../../../../src/exchange/errors.ts";
import { draft, placerOf } from "../../../support/fakes/orderPlacer.ts";
import { tickerOf, liveAccount } from "../../../support/fakes/venue.ts";

describe("a confirmed bid that is delayed", () => {
  const heldWorld = () => ({
    now: 1_795_000_000_000,
    prices: { ageMs: 0, isStale: false },
    last: 100,
  });

  /** Whether the bid may still be sent after `happen`, which runs between its record and its first byte. */
  async function mayGoAfter(happen: (world: ReturnType<typeof heldWorld>) => void): Promise<boolean> {
    const held = heldWorld();
    const { placer, client } = await placerOf(undefined, {
      now: () => held.now,
      prices: held.prices,
      ticker: (symbol) => tickerOf(symbol, { last: held.last }),
    });
    let may: boolean | undefined;
    client.bidAnswer = async (_bid, mayStillSend) => {
      happen(held);
      may = mayStillSend?.();
      return { orderId: "1" };
    };
    await placer.place(draft);
    return may ?? assert.fail("nobody asked");
  }

  it("is sent within ten seconds of its confirmation or never, for every change of the clock", async () => {
    for (const [ms, goes] of [
      [0, true],
      [10_000, true],
      [10_001, false],
      [28_800_000, false],
      [-1, false],
    ] as const) {
      assert.equal(await mayGoAfter((held) => (held.now += ms)), goes, String(ms));
    }
  });

  it("is not sent if the price is too old, in doubt, or too far below the rate", async () => {
    assert.equal(await mayGoAfter((held) => (held.prices.ageMs = 10_001)), false);
    assert.equal(await mayGoAfter((held) => (held.prices.isStale = true)), false);
    assert.equal(await mayGoAfter((held) => (held.last = 98)), false);
    assert.equal(await mayGoAfter((held) => (held.last = 99)), true);
  });

  it("is not sent once another exchange is open, whose prices prove nothing about the bid", async () => {
    const { placer, client, venue } = await placerOf();
    let may: boolean | undefined;
    client.bidAnswer = async (_bid, mayStillSend) => {
      await venue.select(liveAccount);
      may = mayStillSend?.();
      return { orderId: "1" };
    };
    await placer.place(draft);
    assert.equal(may, false);
  });

  it("counts as not sent", async () => {
    const { placer, client } = await placerOf();
    client.bidAnswer = () => Promise.reject(new NotSentError("placeBid", "tooLate", "held up"));
    assert.equal((await placer.place(draft)).kind, "notSent");
  });
});
