import assert from "node:assert/strict";
import type { Orders } from "../../../src/desk/orders/orders.ts";
import type { SignedIn, VenueOpening, VenueState } from "../../../src/desk/venue.ts";
import { NotSentError } from "../../../src/exchange/errors.ts";
import { testBid } from "../../support/builders/client.ts";
import {
  currentVenue,
  FakeClient,
  openingOf,
  openVenue,
  TEST_ACCOUNT,
  byKind,
  liveAccount,
} from "../../support/fakes/venue.ts";
import { practiceAccount } from "../../../src/market/account.ts";

const unreachable = (): NotSentError => new NotSentError("tickers", "unreachable", "refused");

const NAMED = { symbol: "THB_BTC", pair: { quote: "THB", base: "BTC" } };

describe("the current venue", () => {
  it("is unusable, with the reason, when it cannot be opened", async () => {
    const reason = new Error("no base URL");
    const venue = currentVenue({
      open: byKind({ practice: () => Promise.reject(reason), live: () => Promise.reject(reason) }),
      createClient: () => new FakeClient(),
    });
    await venue.select(liveAccount);
    assert.deepEqual(venue.state, { kind: "unusable", account: liveAccount, error: reason });
    assert.equal(venue.venue, undefined);
  });

  it("has no account before its key was read, which the compiler checks", async () => {
    const venue = await openVenue(new FakeClient());
    await venue.select(liveAccount);
    const watching = venue.venue ?? assert.fail();
    const signedIn = await venue.signIn("wallet");
    // Compiled, and never called.
    void (async (orders: Orders, { openOrders }: SignedIn["client"]["capabilities"]) => {
      // @ts-expect-error A balance needs a key.
      await watching.client.wallet();
      // @ts-expect-error So does an order,
      await watching.client.placeOrder(testBid());
      // @ts-expect-error a list of orders,
      await watching.client.capabilities.openOrders?.(NAMED);
      // @ts-expect-error the record of an order,
      await orders.recordIntent(testBid(), watching, undefined);
      // @ts-expect-error and what the exchange reports.
      await orders.recordReports([], watching);
      await venue.read(signedIn, (client) => client.wallet());
      await openOrders?.(NAMED);
      await orders.recordIntent(testBid(), signedIn, undefined);
    });
    assert.deepEqual(signedIn.ref, {
      venue: "live",
      origin: "https://api.example.com",
      account: TEST_ACCOUNT,
    });
    assert.equal("credentials" in watching, false);
  });

  it("is the venue that was selected last, for every order in which venues open", async () => {
    let openSlowly: (opening: VenueOpening) => void = () => assert.fail();
    const venue = currentVenue({
      open: byKind({
        practice: () => new Promise((resolve) => (openSlowly = resolve)),
        live: () => Promise.resolve(openingOf("https://api.example.com")),
      }),
      createClient: () => new FakeClient(),
    });
    const slow = venue.select(practiceAccount);
    await venue.select(liveAccount);
    openSlowly(openingOf("http://127.0.0.1:1", { name: "Practice" }));
    await slow;
    assert.equal(venue.venue?.name, "api.example.com");
  });

  const clockUnknown = (): NotSentError =>
    new NotSentError("wallet", "clockUnknown", "server time could not be measured", { cause: unreachable() });
  for (const [read, failure] of [
    ["a read", unreachable],
    ["a signed read that cannot ask for the server time", clockUnknown],
  ] as const)
    it(`reopens a venue whose address may have changed, once for all callers of ${read}, and reports only the new address`, async () => {
      const clients: FakeClient[] = [];
      let opened = 0;
      const venue = currentVenue({
        open: byKind({
          practice: async () =>
            openingOf(`http://127.0.0.1:${(opened += 1)}`, { name: "Practice", addressMayChange: true }),
          live: () => Promise.reject(new Error("unused")),
        }),
        createClient: () => {
          const client = new FakeClient();
          clients.push(client);
          return client;
        },
      });
      await venue.select(practiceAccount);
      const events: (VenueState | "moved")[] = [];
      venue.onDidChange((state) => events.push(state));
      venue.onDidChangeAddress(() => events.push("moved"));
      const before = venue.venue ?? assert.fail();
      const readOnce = (): Promise<string> =>
        venue.read(before, async (client) => {
          if (client === clients[0]) throw failure();
          return "read";
        });
      assert.deepEqual(await Promise.all([readOnce(), readOnce()]), ["read", "read"]);
      assert.equal(opened, 2);
      assert.deepEqual(events, ["moved"]);
      assert.equal(venue.venue?.profile.baseUrl.port, "2");
    });

  it("checks for a sleep after each answer, also after a venue was opened again", async () => {
    let [opened, checks] = [0, 0];
    const venue = currentVenue({
      open: byKind({
        practice: async () => openingOf(`http://127.0.0.1:${(opened += 1)}`, { addressMayChange: true }),
        live: () => Promise.reject(new Error("unused")),
      }),
      createClient: () => new FakeClient(),
      checkWake: () => (checks += 1),
    });
    await venue.select(practiceAccount);
    const before = venue.venue ?? assert.fail();
    await venue.read(before, async (client) => {
      if (client === before.client) throw unreachable();
    });
    assert.equal(checks, 2);
  });

  it("does not open a live venue again, because its address is in the settings", async () => {
    let opened = 0;
    const venue = currentVenue({
      open: byKind({
        practice: () => Promise.reject(new Error("unused")),
        live: async () => {
          opened += 1;
          return openingOf("https://api.example.com");
        },
      }),
      createClient: () => new FakeClient(),
    });
    await venue.select(liveAccount);
    await assert.rejects(
      venue.read(venue.venue ?? assert.fail(), async () => {
        throw unreachable();
      }),
      NotSentError,
    );
    assert.equal(opened, 1);
  });

  it("reports no new address while an unreachable venue keeps its address", async () => {
    const venue = await openVenue(new FakeClient());
    let moves = 0;
    venue.onDidChangeAddress(() => (moves += 1));
    await assert.rejects(
      venue.read(venue.venue ?? assert.fail(), async () => {
        throw unreachable();
      }),
      NotSentError,
    );
    assert.equal(moves, 0);
  });
});
