import assert from "node:assert/strict";
import { Session } from "../../../src/desk/session.ts";
import { CurrentVenue } from "../../../src/desk/venue.ts";
import { createClient, type ExchangeClient } from "../../../src/exchange/client.ts";
import { NotSentError } from "../../../src/exchange/errors.ts";
import type { Credentials } from "../../../src/exchange/signing/credentials.ts";
import { pairOf, testBid } from "../../support/builders/client.ts";
import { draft, placerOf } from "../../support/fakes/orderPlacer.ts";
import { FakeTimers, settle } from "../../support/fakes/timers.ts";
import { FakeClient, openingOf, walletOf } from "../../support/fakes/venue.ts";
import { balanceFeed } from "../../support/fakes/feeds.ts";

/** A live venue whose stored key a test replaces; `client` makes the client of each session. */
async function liveOf(
  client: (credentials: () => Promise<Credentials | undefined>) => ExchangeClient = () => new FakeClient(),
) {
  const store: { pair: Credentials | undefined } = { pair: pairOf("first", "secret") };
  const timers = new FakeTimers();
  const venue = new CurrentVenue({
    open: {
      practice: () => Promise.reject(new Error("unused")),
      live: async () =>
        openingOf("https://api.example.com", { credentials: () => Promise.resolve(store.pair) }),
    },
    createClient: ({ credentials }) => client(credentials),
    beginSession: ({ credentials }, events) =>
      new Session({
        credentials,
        identify: async (apiKey) => ({ digest: apiKey.reveal(), account: `account of ${apiKey.reveal()}` }),
        timers,
        ...events,
      }),
    checkWake: () => undefined,
  });
  await venue.select("live");
  const current = () => venue.venue ?? assert.fail();
  return { venue, store, timers, current };
}

describe("a session at a live exchange", () => {
  it("names the account of the first key that is read, and refuses every other key", async () => {
    const { venue, store, current } = await liveOf();
    let learned = 0;
    venue.onDidLearnAccount(() => (learned += 1));
    const { session } = current();
    assert.equal(session?.account, undefined);
    await session?.ready();
    assert.deepEqual([session?.account, learned], ["account of first", 1]);
    store.pair = pairOf("second", "secret");
    await assert.rejects(current().credentials(), { name: "OtherKeyError" });
    await settle();
    assert.notEqual(current().session, session, "another key begins another session");
    await current().session?.ready();
    assert.equal(current().session?.account, "account of second");
    await assert.rejects(session?.credentials() ?? assert.fail(), { name: "OtherKeyError" });
  });

  it("is one of no account without a key, and waits for a locked keyring for a limited time", async () => {
    const { store, current, timers } = await liveOf();
    store.pair = undefined;
    await current().session?.ready();
    assert.equal(current().session?.account, "none");
    const locked = await liveOf();
    Object.assign(locked.store, { pair: new Promise(() => undefined) });
    const ready = locked.current().session?.ready() ?? assert.fail();
    const failed = assert.rejects(ready);
    await locked.timers.advance(10_000);
    await failed;
    assert.equal(timers.nextIn, undefined);
  });

  it("reads the keyring again before an order where no key was stored", async () => {
    const { store, current } = await liveOf();
    store.pair = undefined;
    const { session } = current();
    await session?.ready();
    Object.assign(store, { pair: Promise.reject(new Error("locked")) });
    await assert.rejects(session?.ready() ?? assert.fail(), /locked/);
    store.pair = pairOf("first", "secret");
    await assert.rejects(session?.ready() ?? assert.fail(), { name: "OtherKeyError" });
  });

  it("sends no order with a key that was stored after the confirmation, whether or not an event reported it", async () => {
    const requests: string[] = [];
    const { store, current } = await liveOf((credentials) =>
      createClient({
        profile: openingOf("https://api.example.com").profile,
        credentials,
        now: () => 1_795_000_000_000,
        transport: async ({ label }) => {
          requests.push(label);
          return { status: 200, retryAfter: undefined, body: Buffer.from("1795000000000") };
        },
      }),
    );
    const { client, session } = current();
    await session?.ready();
    store.pair = pairOf("second", "secret");
    await assert.rejects(client.placeOrder(testBid()), (error) => {
      assert.ok(error instanceof NotSentError && error.provesNothingHappened);
      return error.reason === "keyChanged";
    });
    assert.ok(!requests.includes("placeBid"));
  });

  it("ends an order whose key changed during its question, is missing or cannot be read", async () => {
    const { venue, store } = await liveOf();
    const begun: unknown[] = [];
    const confirm = async (): Promise<boolean> => {
      store.pair = pairOf("second", "secret");
      await venue.changeKey();
      return true;
    };
    const orders = {
      waitMs: () => 0,
      openLike: async () => [],
      isClaimed: async () => false,
      claim: async () => true,
      recordIntent: async () => String(begun.push("begun")),
      clientIdOf: () => undefined,
      recordOutcome: async () => undefined,
    };
    await venue.venue?.session?.ready();
    const { placer } = await placerOf(confirm, { venue, orders });
    assert.deepEqual(await placer.place(draft), { kind: "accountChanged" });
    const again = await placerOf(undefined, { venue, orders });
    assert.equal((await again.placer.place(draft)).kind, "accepted");
    assert.equal(begun.length, 1);
    store.pair = undefined;
    await venue.changeKey();
    const outcome = await again.placer.place(draft);
    assert.ok(outcome.kind === "notSignedIn" && outcome.error instanceof NotSentError);
    assert.deepEqual([outcome.error.reason, outcome.error.endpoint], ["noCredentials", "placeBid"]);
    Object.assign(store, { pair: Promise.reject(new Error("locked")) });
    const locked = await again.placer.place(draft);
    assert.ok(locked.kind === "notSignedIn" && locked.error instanceof NotSentError);
    assert.equal(locked.error.reason, "credentialsUnreadable");
    // Stored without an announcement: the keyring is read first when the order is confirmed.
    const unannounced = await placerOf(
      async () => {
        store.pair = pairOf("third", "secret");
        return true;
      },
      { venue, orders },
    );
    assert.deepEqual(await unannounced.placer.place(draft), { kind: "accountChanged" });
    assert.equal(begun.length, 1, "nothing is recorded for a session without an account");
  });

  it("ignores a balance that was requested with the previous key", async () => {
    for (const isLost of [false, true]) {
      const answers: (() => void)[] = [];
      const client = new FakeClient();
      client.walletAnswer = () =>
        new Promise((resolve, reject) =>
          answers.push(() => (isLost ? reject(new Error("lost")) : resolve(walletOf({ THB: "1" })))),
        );
      const { venue, store, timers } = await liveOf(() => client);
      const feed = balanceFeed(venue, timers);
      await venue.venue?.session?.ready();
      void feed.refresh();
      store.pair = pairOf("second", "secret");
      await venue.changeKey();
      answers[0]?.();
      await settle();
      assert.deepEqual(feed.state, { wallet: undefined, readAt: undefined, problem: undefined });
    }
  });
});
