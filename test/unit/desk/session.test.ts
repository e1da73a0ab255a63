import assert from "node:assert/strict";
import { createClient, type ExchangeClient } from "../../../src/exchange/client.ts";
import { NotSentError } from "../../../src/exchange/errors.ts";
import type { Credentials } from "../../../src/exchange/signing/credentials.ts";
import { pairOf, testBid } from "../../support/builders/client.ts";
import { draft, placerOf } from "../../support/fakes/orderPlacer.ts";
import { FakeTimers, settle } from "../../support/fakes/timers.ts";
import {
  FakeClient,
  openingOf,
  walletOf,
  currentVenue,
  byKind,
  liveAccount,
} from "../../support/fakes/venue.ts";
import { balanceFeed } from "../../support/fakes/feeds.ts";

/** A live venue whose stored key a test replaces; `client` makes the client of each session. */
async function liveOf(
  client: (credentials: () => Promise<Credentials | undefined>) => ExchangeClient = () => new FakeClient(),
) {
  const store: { pair: Credentials | undefined } = { pair: pairOf("first", "secret") };
  const timers = new FakeTimers();
  /** The keys that belong to the account. */
  const admitted = new Set(["first", "second"]);
  const venue = currentVenue({
    open: byKind({
      practice: () => Promise.reject(new Error("unused")),
      live: async () =>
        openingOf("https://api.example.com", { credentials: () => Promise.resolve(store.pair) }),
    }),
    createClient: ({ credentials }) => client(credentials),
    digestOf: async (apiKey) => apiKey.reveal(),
    admits: async (_, digest) => admitted.has(digest),
    timers,
  });
  await venue.select(liveAccount);
  const signIn = () => venue.signIn("wallet");
  const isSignedIn = () => venue.signedIn !== undefined;
  return { venue, store, timers, admitted, signIn, isSignedIn };
}

describe("a session at a live exchange", () => {
  it("uses the first key that is read, and refuses every other key", async () => {
    const { venue, store, signIn, isSignedIn } = await liveOf();
    let learned = 0;
    venue.onDidSignIn(() => (learned += 1));
    assert.ok(!isSignedIn());
    const first = await signIn();
    assert.equal(await signIn(), first);
    assert.deepEqual([isSignedIn(), learned], [true, 1]);
    store.pair = pairOf("second", "secret");
    await assert.rejects(first.credentials(), { name: "OtherKeyError" });
    assert.equal(venue.signedIn, undefined, "another key begins another session");
    assert.notEqual(await signIn(), first);
    assert.ok(isSignedIn());
    await assert.rejects(first.credentials(), { name: "OtherKeyError" });
    assert.ok(isSignedIn(), "an earlier session ends no other");
  });

  it("does not use a key that may belong to another account", async () => {
    const { venue, store, admitted, signIn, isSignedIn } = await liveOf();
    const { client } = await signIn();
    store.pair = pairOf("third", "secret");
    venue.changeKey();
    await assert.rejects(signIn(), { reason: "keyOwnerUnknown", endpoint: "wallet" });
    assert.ok(!isSignedIn());
    admitted.add("third");
    assert.notEqual((await signIn()).client, client);
  });

  it("has no account without a key, and waits for a locked keyring for a limited time", async () => {
    const { store, signIn, isSignedIn } = await liveOf();
    store.pair = undefined;
    await assert.rejects(signIn(), { reason: "noCredentials", endpoint: "wallet" });
    assert.ok(!isSignedIn());
    const locked = await liveOf();
    let unlock: (pair: Credentials) => void = () => assert.fail();
    Object.assign(locked.store, { pair: new Promise((resolve) => (unlock = resolve)) });
    const failed = assert.rejects(locked.signIn(), { reason: "credentialsUnreadable" });
    await locked.timers.advance(10_000);
    await failed;
    assert.equal(locked.timers.nextIn, undefined);
    unlock(pairOf("first", "secret"));
    await settle();
    assert.ok(locked.isSignedIn(), "the key is used once the keyring responds");
  });

  it("reads the keyring again where no key was stored", async () => {
    const { store, signIn, isSignedIn } = await liveOf();
    store.pair = undefined;
    await assert.rejects(signIn(), { reason: "noCredentials" });
    Object.assign(store, { pair: Promise.reject(new Error("locked")) });
    await assert.rejects(signIn(), { reason: "credentialsUnreadable" });
    store.pair = pairOf("first", "secret");
    await signIn();
    assert.ok(isSignedIn());
  });

  it("does not sign in to an exchange that was replaced while the keyring was locked", async () => {
    const { venue, store, signIn } = await liveOf();
    let unlock: (pair: Credentials) => void = () => assert.fail();
    Object.assign(store, { pair: new Promise((resolve) => (unlock = resolve)) });
    const failed = assert.rejects(signIn(), { reason: "keyChanged" });
    const selected = venue.select(liveAccount);
    unlock(pairOf("first", "secret"));
    await failed;
    await selected;
    assert.equal(venue.signedIn, undefined);
  });

  it("sends no order with a key that was stored after the confirmation, whether or not an event reported it", async () => {
    const requests: string[] = [];
    const { store, signIn } = await liveOf((credentials) =>
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
    const { client } = await signIn();
    store.pair = pairOf("second", "secret");
    await assert.rejects(client.placeOrder(testBid()), (error) => {
      assert.ok(error instanceof NotSentError && error.provesNothingHappened);
      return error.reason === "keyChanged";
    });
    assert.ok(!requests.includes("placeBid"));
  });

  it("ends an order whose key changed during its question, and asks nothing without a key", async () => {
    const { venue, store } = await liveOf();
    const begun: unknown[] = [];
    const confirm = async (): Promise<boolean> => {
      store.pair = pairOf("second", "secret");
      venue.changeKey();
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
    const live = { ...draft, account: liveAccount.id };
    const { placer } = await placerOf(confirm, { venue, orders });
    assert.deepEqual(await placer.place(live), { kind: "accountChanged" });
    const again = await placerOf(undefined, { venue, orders });
    assert.equal((await again.placer.place(live)).kind, "accepted");
    assert.equal(begun.length, 1);
    const asksNothing = await placerOf(() => assert.fail("asked"), { venue, orders });
    for (const [pair, reason] of [
      [undefined, "noCredentials"],
      [Promise.reject(new Error("locked")), "credentialsUnreadable"],
    ] as const) {
      Object.assign(store, { pair });
      venue.changeKey();
      const outcome = await asksNothing.placer.place(live);
      assert.ok(outcome.kind === "notSignedIn" && outcome.error instanceof NotSentError);
      assert.deepEqual([outcome.error.reason, outcome.error.endpoint], [reason, "placeBid"]);
    }
    assert.equal(begun.length, 1, "nothing is recorded without an account");
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
      await venue.signIn("wallet");
      void feed.refresh();
      store.pair = pairOf("second", "secret");
      venue.changeKey();
      answers[0]?.();
      await settle();
      assert.deepEqual(feed.state, { wallet: undefined, readAt: undefined, problem: undefined });
    }
  });
});
