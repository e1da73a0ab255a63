import assert from "node:assert/strict";
import { NotSentError } from "../../../../src/exchange/errors.ts";
import type { Credentials } from "../../../../src/exchange/signing/credentials.ts";
import { knownBalance } from "../../../../src/market/balance.ts";
import { Decimal, plainText } from "../../../../src/market/numbers/decimal.ts";
import { pairOf } from "../../../support/builders/client.ts";
import { type DeskOptions, type DeskWindow, DeskWindows, openDesk } from "../../../support/desks/windows.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, walletOf } from "../../../support/fakes/venue.ts";
import { waitFor } from "../../../support/waitFor.ts";
import type { Account } from "../../../../src/market/account.ts";

const KEY = pairOf("first", "secret");

const savings: Account = { id: "2".repeat(16), label: "Savings", kind: "live" };

describe("the balance of several windows", () => {
  let machine: DeskWindows;
  let timers: FakeTimers;
  let client: FakeClient;
  beforeEach(() => {
    machine = new DeskWindows();
    timers = new FakeTimers();
    client = new FakeClient();
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "1000", BTC: "0.00000001" }));
  });
  afterEach(() => machine.close());

  const open = (given: Partial<DeskOptions> = {}): Promise<DeskWindow> =>
    machine.open({ client, timers, credentials: KEY, ...given });
  const thb = ({ balances }: DeskWindow): string | undefined => {
    const available = knownBalance(balances.state.wallet, "THB")?.available;
    return available && plainText(available);
  };
  const shows = (window: DeskWindow, amount: string): Promise<true> =>
    waitFor(`${amount} THB to be shown`, async () => {
      await timers.advance(0);
      return thb(window) === amount;
    });

  /** A client whose window has no key, or another key. */
  function clientWithout(key: boolean): FakeClient {
    const other = new FakeClient();
    other.walletAnswer = async () => {
      if (key) return walletOf({ THB: "7" });
      throw new NotSentError("wallet", "noCredentials", "none");
    };
    return other;
  }

  it("is read exactly once for all windows", async () => {
    const windows = [await open(), await open(), await open()];
    await Promise.all(windows.map((window) => shows(window, "1000")));
    assert.equal(client.calls.wallet, 1);
    const [first, ...others] = windows.map(({ balances }) => balances.state);
    for (const other of others) assert.deepEqual(other, first);
    await timers.advance(30_000);
    assert.equal(client.calls.wallet, 2);
  });

  it("includes reserved amounts in every window, with every digit", async () => {
    const reserved = new Decimal("0.000000000000000001");
    client.walletAnswer = () =>
      Promise.resolve(new Map([["THB", { available: new Decimal("1000"), reserved }]]));
    const [leader, follower] = [await open(), await open()];
    await Promise.all([shows(leader, "1000"), shows(follower, "1000")]);
    const held = knownBalance(follower.balances.state.wallet, "THB")?.reserved;
    assert.equal(held && plainText(held), "0.000000000000000001");
    assert.equal(client.calls.wallet, 1);
  });

  it("is unreadable in all windows if the leader could not read it", async () => {
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "1000", BTC: "unreadable" }));
    const [leader, follower] = [await open(), await open()];
    await Promise.all([shows(leader, "1000"), shows(follower, "1000")]);
    assert.equal(follower.balances.state.wallet?.get("BTC"), "unreadable");
  });

  it("is read while a person works in any window, less often while only visible", async () => {
    const hidden = { isVisible: false, window: { focused: false, active: false } };
    const [leader, follower] = [await open(hidden), await open(hidden)];
    await timers.advance(3_600_000);
    assert.equal(client.calls.wallet, 0);
    leader.windows.setDemand({ visible: true });
    await timers.advance(600_000);
    assert.equal(client.calls.wallet, 6);
    leader.windows.setDemand({ visible: false });
    client.calls.wallet = 0;
    await timers.advance(600_000);
    follower.windows.setDemand({ focused: true, active: true });
    await waitFor("the leader to know the demand", () => leader.balances.polled.intervalMs);
    await timers.advance(0);
    await shows(follower, "1000");
    assert.equal(client.calls.wallet, 1);
  });

  it("is read again for all windows after a bid in one window, by one request", async () => {
    const windows = [await open(), await open(), await open()];
    await Promise.all(windows.map((window) => shows(window, "1000")));
    for (const [index, window] of windows.entries()) {
      const left = String(900 - index);
      client.walletAnswer = () => Promise.resolve(walletOf({ THB: left }));
      window.balances.refreshEverywhere();
      await Promise.all(windows.map((each) => shows(each, left)));
      assert.equal(client.calls.wallet, 2 + index);
    }
  });

  it("is read again also after a bid that was sent while there was no leader", async () => {
    const [leader, follower] = [await open(), await open()];
    await shows(follower, "1000");
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "900" }));
    follower.windows.onDidChangeRole((role) => {
      if (role === "joining") follower.balances.refreshEverywhere();
    });
    leader.dispose();
    await shows(follower, "900");
    assert.equal(client.calls.wallet, 2);
  });

  it("is polled again also after a bid that the closing leader missed", async () => {
    const [leader, follower] = [await open(), await open()];
    await shows(follower, "1000");
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "900" }));
    follower.balances.refreshEverywhere();
    leader.dispose();
    await shows(follower, "900");
    assert.equal(client.calls.wallet, 2);
  });

  it("is refreshed by the leader when a follower asks", async () => {
    const [leader, follower] = [await open(), await open()];
    await shows(follower, "1000");
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "901" }));
    void follower.balances.refresh();
    await shows(follower, "901");
    assert.equal(thb(leader), "901");
  });

  it("is not shared with a window on another account, which reads and shows its own balance", async () => {
    const other = clientWithout(true);
    const leader = await open();
    const follower = await open({ client: other, credentials: pairOf("second", "secret"), account: savings });
    await shows(leader, "1000");
    await shows(follower, "7");
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "950" }));
    await timers.advance(30_000);
    await shows(leader, "950");
    assert.equal(thb(follower), "7");
    assert.deepEqual([client.calls.wallet, other.calls.wallet], [2, 2]);
  });

  it("is read by the window that has a key if the leader has no key", async () => {
    const keyless = clientWithout(false);
    const leader = await open({ client: keyless, credentials: undefined });
    const follower = await open();
    await shows(follower, "1000");
    assert.equal(leader.balances.needsCredentials, true);
    assert.equal(follower.balances.needsCredentials, false);
    assert.equal(thb(leader), undefined);
  });

  it("is read at once in a window with another account, also right after the leader's poll", async () => {
    await shows(await open(), "1000");
    const { promise, resolve } = Promise.withResolvers<Credentials>();
    const other = clientWithout(true);
    const follower = openDesk(machine.hubs.directory, {
      client: other,
      timers,
      account: savings,
      readCredentials: () => promise,
    });
    // The window has received the leader's balance, and does not know its own account yet.
    await waitFor("the leader's market", () => follower.tickers.state.readAt);
    resolve(pairOf("second", "secret"));
    await shows(follower, "7");
    follower.dispose();
  });

  it("is read by the next leader an interval after the last request and not sooner", async () => {
    const [leader, follower] = [await open(), await open()];
    await shows(follower, "1000");
    await timers.advance(10_000);
    leader.dispose();
    await waitFor("the takeover", () => follower.windows.role === "leader");
    await timers.advance(19_999);
    assert.equal(client.calls.wallet, 1);
    await timers.advance(1);
    assert.equal(client.calls.wallet, 2);
  });

  it("is read at once after the exchange changed, also if a former leader read it a moment ago", async () => {
    const [leader, follower] = [await open(), await open()];
    await shows(follower, "1000");
    leader.dispose();
    await waitFor("the takeover", () => follower.windows.role === "leader");
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "5" }));
    follower.balances.clear();
    await shows(follower, "5");
    assert.equal(client.calls.wallet, 2);
  });

  it("needs a key in all windows if no window has a key", async () => {
    const keyless = clientWithout(false);
    await open({ client: keyless, credentials: undefined });
    const follower = await open({ client: keyless, credentials: undefined });
    await timers.advance(0);
    await waitFor("the state that asks for a key", () => follower.balances.needsCredentials);
    assert.equal(keyless.calls.wallet, 0);
  });

  it("is forgotten with the key, and read with the new key", async () => {
    const window = await open();
    await shows(window, "1000");
    const before = window.windows.demand.account;
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "5" }));
    window.balances.clear();
    assert.equal(thb(window), undefined);
    await waitFor("the account", () => window.windows.demand.account);
    assert.equal(window.windows.demand.account, before);
    await shows(window, "5");
  });

  it("is read again when a failed keyring works again, although the keyring sends no event", async () => {
    let isLocked = true;
    const credentials = (): Promise<Credentials> =>
      isLocked ? Promise.reject(new Error("locked")) : Promise.resolve(KEY);
    client.walletAnswer = async () => {
      if (isLocked) throw new NotSentError("wallet", "credentialsUnreadable", "locked");
      return walletOf({ THB: "1000" });
    };
    const window = await open({ readCredentials: credentials });
    await timers.advance(0);
    assert.deepEqual([window.windows.demand.account, window.windows.actsForAccount()], ["none", false]);
    isLocked = false;
    await timers.advance(600_000);
    await shows(window, "1000");
    await waitFor("the account", () => window.windows.demand.account !== "none");
    assert.equal(window.windows.actsForAccount(), true);
  });

  it("appears at once in all windows if a secret storage that was locked at the start is unlocked", async () => {
    const { promise, resolve } = Promise.withResolvers<Credentials>();
    const windows: DeskWindow[] = [];
    for (const _ of [1, 2])
      void open({ readCredentials: () => promise }).then((window) => windows.push(window));
    await waitFor("both windows to need a key", async () => {
      await timers.advance(1000);
      return windows.length === 2 && windows.every(({ balances }) => balances.needsCredentials);
    });
    resolve(KEY);
    await Promise.all(windows.map((window) => shows(window, "1000")));
  });

  it("appears at once in all windows after one of them got another key of the same account", async () => {
    let pair = KEY;
    const stored = { readCredentials: () => Promise.resolve(pair) };
    const windows = [await open(stored), await open(stored)];
    await Promise.all(windows.map((window) => shows(window, "1000")));
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "5" }));
    pair = pairOf("second", "secret");
    // The secret storage notifies all windows before the journal has the owner of the key.
    for (const { venue } of windows) venue.changeKey();
    await waitFor("the key to be refused in both", () =>
      windows.every((window) => window.windows.demand.account === "none"),
    );
    const [, { orders, venue } = assert.fail()] = windows;
    await orders.recordAccountKey(venue.account, await orders.digestOf(pair.apiKey));
    await Promise.all(windows.map((window) => shows(window, "5")));
  });

  it("is read only after a keyring that waits for its password has answered", async () => {
    const { promise, resolve } = Promise.withResolvers<Credentials>();
    let isAsked = false;
    const opened = open({
      readCredentials: () => {
        isAsked = true;
        return promise;
      },
    });
    await waitFor("the keyring to be asked", () => isAsked);
    await timers.advance(10_000);
    const window = await opened;
    assert.equal(window.windows.demand.account, "none");
    resolve(KEY);
    await waitFor("the account", () => window.windows.demand.account !== "none");
  });

  it("comes with the exchange's clock, so that all windows sign with the last measurement", async () => {
    const [first, second] = [new FakeClient(), new FakeClient()];
    first.clock = { offset: 1234, at: timers.now() };
    const leader = await open({ client: first });
    await open({ client: second });
    await waitFor("the clock", () => second.clock);
    assert.deepEqual(second.clock, first.clock);
    first.clock = { offset: 1300, at: timers.now() + 1 };
    void leader.balances.refresh();
    await waitFor("the newer measurement", () => second.clock?.offset === 1300);
  });

  it("is read by exactly one window: the leader, in front or not", async () => {
    const unfocused = { focused: false, active: false };
    const windows = [await open({ window: unfocused }), await open(), await open()];
    assert.deepEqual(
      windows.map(({ windows: each }) => each.actsForAccount()),
      [true, false, false],
    );
    windows[0]?.dispose();
    await waitFor(
      "a new one",
      () => windows.filter(({ windows: each }) => each.actsForAccount()).length === 1,
    );
    assert.equal(windows[0]?.windows.actsForAccount(), false);
  });

  it("is read by the window in front if the leader does not have that window's key", async () => {
    const leader = await open({ client: clientWithout(false), credentials: undefined });
    const follower = await open();
    assert.equal(leader.windows.actsForAccount(), false);
    assert.equal(follower.windows.actsForAccount(), true);
    follower.windows.setDemand({ focused: false });
    assert.equal(follower.windows.actsForAccount(), false);
  });
});
