import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { HeldElsewhereList, TooManyHoldingsError } from "../../../../src/desk/portfolio/heldElsewhereList.ts";
import { type HeldElsewhere, MAX_HELD_ELSEWHERE } from "../../../../src/market/holdings/heldElsewhere.ts";
import { HeldElsewhereFile } from "../../../../src/storage/heldElsewhereFile.ts";
import { heldElsewhere } from "../../../support/builders/heldElsewhere.ts";
import { DeskWindows } from "../../../support/desks/windows.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, liveAccount, openVenue } from "../../../support/fakes/venue.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";
import { waitFor } from "../../../support/waitFor.ts";

describe("the holdings elsewhere", () => {
  let path: string;
  let errors: unknown[];
  beforeEach(() => {
    path = join(temporaryFolder(), "holdings.json");
    errors = [];
  });

  const open = async () => {
    const venue = await openVenue(new FakeClient());
    const file = new HeldElsewhereFile(path);
    return { venue, list: new HeldElsewhereList({ file, venue, onError: (error) => errors.push(error) }) };
  };
  const assets = (all: readonly HeldElsewhere[]): string[] => all.map(({ asset }) => asset);

  it("are added, changed and removed, each on what another window wrote", async () => {
    const { list } = await open();
    const { list: other } = await open();
    const btc = heldElsewhere();
    list.put(btc);
    other.put(heldElsewhere({ asset: "ETH" }));
    list.put({ ...btc, place: "vault" });
    assert.deepEqual(assets(list.list), ["BTC", "ETH"]);
    assert.equal(list.list[0]?.place, "vault");
    other.remove(btc.id);
    list.reread();
    assert.deepEqual(assets(list.list), ["ETH"]);
    assert.deepEqual(errors, []);
  });

  it("of practice are not those of live accounts", async () => {
    const { venue, list } = await open();
    list.put(heldElsewhere());
    list.put(heldElsewhere({ asset: "ETH", venue: "live" }));
    assert.deepEqual(assets(list.list), ["BTC"]);
    await venue.select(liveAccount);
    assert.deepEqual(assets(list.list), ["ETH"]);
  });

  it("are unknown while their file is damaged, which no change overwrites", async () => {
    const { list } = await open();
    list.put(heldElsewhere());
    writeFileSync(path, '{"version":1,"holdings":[{}]}');
    list.reread();
    list.reread();
    assert.deepEqual([list.list, errors.length], [[], 1]);
    assert.ok(list.problem instanceof Error);
    assert.throws(() => list.put(heldElsewhere()));
    assert.match(readFileSync(path, "utf8"), /\{\}/);
    writeFileSync(path, '{"version":1,"holdings":[]}');
    list.reread();
    assert.equal(list.problem, undefined);
  });

  it("are limited, but a full list can still be edited", async () => {
    const all = Array.from({ length: MAX_HELD_ELSEWHERE }, () => heldElsewhere());
    new HeldElsewhereFile(path).write(all);
    const { list } = await open();
    assert.throws(() => list.put(heldElsewhere()), TooManyHoldingsError);
    const [first = assert.fail()] = all;
    list.put({ ...first, asset: "ETH" });
    assert.equal(list.list[0]?.asset, "ETH");
  });

  it("appear in the other windows at once", async () => {
    const machine = new DeskWindows();
    try {
      const timers = new FakeTimers();
      const openWindow = () => machine.open({ client: new FakeClient(), timers });
      const [one, other] = [await openWindow(), await openWindow()];
      one.elsewhere.put(heldElsewhere());
      await waitFor("the holding", () => other.elsewhere.list.length === 1);
    } finally {
      machine.close();
    }
  });
});
