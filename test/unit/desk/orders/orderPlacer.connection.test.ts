import assert from "node:assert/strict";
import { placerOf, draft, noOrders } from "../../../support/fakes/orderPlacer.ts";
import type { FakeClient } from "../../../support/fakes/venue.ts";
import { liveAccount } from "../../../support/fakes/venue.ts";

describe("the connection of a bid", () => {
  it("is checked for a sleep of the computer after the confirmation and right before the first byte", async () => {
    const points: string[] = [];
    const asked = async (): Promise<boolean> => points.push("question") > 0;
    const { placer, client } = await placerOf(asked, { checkWake: () => points.push("look") });
    client.bidAnswer = async (_bid, mayStillSend) => {
      points.push("connected");
      assert.equal(mayStillSend?.(), true);
      points.push("sent");
      return { orderId: "1" };
    };
    await placer.place(draft);
    assert.deepEqual(points, ["question", "look", "connected", "look", "sent"]);
  });

  it("is opened before the first confirmation, and closed once the bid has its outcome", async () => {
    const seen: string[] = [];
    const note = (when: string): boolean => {
      const states = client.prepared.map(({ isClosed, isHandedIn }) =>
        isClosed ? "closed" : isHandedIn ? "handed in" : "open",
      );
      return seen.push(`${when}: ${states.join() || "none"}`) > 0;
    };
    const { placer, client } = await placerOf(async () => note("confirming"), {
      confirmBeyond: async () => note("asking about the rate"),
      orders: { ...noOrders, isClaimed: async () => !note("checking the draft") },
      afterSending: () => note("sent"),
    });
    client.bidAnswer = async () => {
      note("sending");
      return { orderId: "1" };
    };
    await placer.place({ ...draft, rate: "103" });
    note("afterwards");
    assert.deepEqual(seen, [
      "checking the draft: none",
      "asking about the rate: open",
      "confirming: open",
      "sending: handed in",
      "sent: handed in",
      "afterwards: closed",
    ]);
  });

  it("is closed without a bid if the user declines, the venue changes or the desk closes", async () => {
    const isOpen = (client: FakeClient): boolean => client.prepared.some(({ isClosed }) => !isClosed);
    const declined = await placerOf(() => Promise.resolve(false));
    await declined.placer.place(draft);
    assert.deepEqual([declined.client.prepared.length, isOpen(declined.client)], [1, false]);

    const moved = await placerOf(async () => {
      assert.equal(isOpen(moved.client), true);
      void moved.venue.select(liveAccount);
      assert.equal(isOpen(moved.client), false, "at once, while the confirmation is still open");
      return true;
    });
    await moved.placer.place(draft);

    const left = await placerOf(async () => {
      left.placer.dispose();
      assert.equal(isOpen(left.client), false);
      return false;
    });
    await left.placer.place(draft);

    const failing = await placerOf(() => Promise.reject(new Error("the editor is gone")));
    await assert.rejects(failing.placer.place(draft));
    assert.equal(isOpen(failing.client), false);
    const clients = [declined, moved, left, failing].map(({ client }) => client);
    for (const { calls } of clients) assert.equal(calls.placeOrder, 0);
  });

  it("stops watching the venue once the bid has its outcome", async () => {
    const listeners = new Set<unknown>();
    const { placer, venue, seen } = await placerOf(undefined, {
      venue: {
        get venue() {
          return venue.venue;
        },
        get signedIn() {
          return venue.signedIn;
        },
        signIn: (endpoint) => venue.signIn(endpoint),
        onDidChange: (listener) => {
          listeners.add(listener);
          return () => void listeners.delete(listener);
        },
      },
      afterSending: () => (seen.afterSending += listeners.size),
    });
    await placer.place(draft);
    assert.deepEqual([seen.afterSending, listeners.size], [1, 0]);
  });

  it("may be missing when the desk closes", async () => {
    const { placer, client } = await placerOf();
    placer.dispose();
    assert.deepEqual(client.prepared, []);
  });

  it("is not opened for a draft that leads to no confirmation", async () => {
    for (const orders of [
      noOrders,
      { ...noOrders, waitMs: () => 1 },
      { ...noOrders, isClaimed: () => Promise.resolve(true) },
    ]) {
      const { placer, client } = await placerOf(() => assert.fail("asked"), { orders });
      await placer.place(orders === noOrders ? { ...draft, amount: "" } : draft);
      assert.deepEqual(client.prepared, []);
    }
  });
});
