import assert from "node:assert/strict";
import type { Desk } from "../../../../src/desk/desk.ts";
import type { ValueSnapshot } from "../../../../src/market/holdings/valueSnapshot.ts";
import { Decimal } from "../../../../src/market/numbers/decimal.ts";
import { accountsOf } from "../../../support/fakes/accounts.ts";
import { FakeClient, liveAccount, openVenue } from "../../../support/fakes/venue.ts";
import { changeSetting, loadUi, userSettings } from "../../../support/fakes/vscode.ts";

const { accountEntries } = await loadUi(() => import("../../../../src/ui/venue/accountPick.ts"));

const NOW = new Date(2026, 10, 21, 12).getTime();

describe("the accounts to switch to", () => {
  afterEach(() => userSettings.clear());

  async function entriesWith(snapshots: readonly ValueSnapshot[]) {
    const baseUrl = "https://api.example.com";
    const accounts = accountsOf([
      { id: liveAccount.id, label: "Main", profile: { baseUrl } },
      { id: "2".repeat(16), label: "Savings", profile: { baseUrl } },
    ]);
    accounts.choose(liveAccount);
    const venue = await openVenue(new FakeClient());
    await venue.select(liveAccount);
    const values = { latest: () => new Map(snapshots.map((each) => [each.account, each])) };
    const desk = { accounts, venue, values, timers: { now: () => NOW } } as unknown as Desk;
    return accountEntries(desk).map(({ label, description }) => [label, description]);
  }

  const snapshot: ValueSnapshot = {
    at: NOW - 3_600_000,
    account: "2".repeat(16),
    quote: "THB",
    balances: [{ asset: "THB", quantity: new Decimal("1250.5"), price: new Decimal("1") }],
    elsewhere: [],
  };

  it("are those chosen last first, with the value that was recorded last", async () => {
    assert.deepEqual(await entriesWith([snapshot]), [
      ["$(broadcast) Main", "current"],
      ["$(beaker) Practice", ""],
      ["$(broadcast) Savings", "1,250.50 THB · 11:00 AM"],
      ["$(add) Add Account…", undefined],
    ]);
  });

  it("show no amount in privacy mode", async () => {
    changeSetting("bidside.wallet.hideAmounts", true);
    const [, , savings] = await entriesWith([snapshot]);
    assert.doesNotMatch(savings?.[1] ?? "", /\d THB/);
  });
});
