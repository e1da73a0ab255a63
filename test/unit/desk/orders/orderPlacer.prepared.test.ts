import assert from "node:assert/strict";
import { type OrderQuestion, SHORTEST_READING_MS } from "../../../../src/desk/orders/orderPlacer.ts";
import { draft, placerOf } from "../../../support/fakes/orderPlacer.ts";

describe("a prepared order", () => {
  /** Places a draft for a person who answers yes after `ms`; returns the outcome, the question and the requests. */
  async function place(preparedBy: "assistant" | "link" | undefined, ms: number) {
    let now = 1_795_000_000_000;
    let asked: OrderQuestion | undefined;
    const confirm = async (question: OrderQuestion): Promise<boolean> => {
      asked = question;
      now += ms;
      return true;
    };
    const { placer, client } = await placerOf(confirm, { now: () => now });
    const { kind } = await placer.place({ ...draft, preparedBy });
    return { kind, preparedBy: asked?.preparedBy, posts: client.calls.placeOrder };
  }

  for (const by of ["assistant", "link"] as const)
    it(`is not sent if the confirmation was answered within a second: ${by}`, async () => {
      for (const ms of [0, 30, SHORTEST_READING_MS - 1, -3_600_000])
        assert.deepEqual(await place(by, ms), { kind: "answeredTooSoon", preparedBy: by, posts: 0 });
      assert.deepEqual(await place(by, SHORTEST_READING_MS), { kind: "accepted", preparedBy: by, posts: 1 });
    });

  it("is the only one with a shortest time: a person may confirm their own figures at once", async () => {
    assert.deepEqual(await place(undefined, 0), { kind: "accepted", preparedBy: undefined, posts: 1 });
  });
});
