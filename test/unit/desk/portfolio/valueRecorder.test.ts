import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Desk } from "../../../../src/desk/desk.ts";
import { NotSentError } from "../../../../src/exchange/errors.ts";
import { totalValue } from "../../../../src/market/holdings/valueSnapshot.ts";
import { plainText } from "../../../../src/market/numbers/decimal.ts";
import { heldElsewhere } from "../../../support/builders/heldElsewhere.ts";
import {
  close,
  openTestDesk,
  readAll,
  testLog,
  testSettings,
  unattended,
} from "../../../support/desks/testDesk.ts";
import { FakeTimers } from "../../../support/fakes/timers.ts";
import { FakeClient, liveAccount, snapshotOf, tickerOf, walletOf } from "../../../support/fakes/venue.ts";
import { temporaryFolder } from "../../../support/temporaryFolder.ts";

const HOUR_MS = 3_600_000;
/** Shortly after noon of the user, so that nothing is due at a full hour. */
const NOON = new Date(2026, 10, 21, 12, 12).getTime();

describe("recording what the account is worth", () => {
  let folder: string;
  let client: FakeClient;
  let timers: FakeTimers;
  let errors: string[];
  let desk: Desk;
  let held: Record<string, string>;
  let price: number;
  let valuesIn: string;

  beforeEach(() => {
    folder = temporaryFolder();
    errors = [];
    client = new FakeClient();
    timers = new FakeTimers(NOON);
    held = { THB: "1000", BTC: "0.5" };
    price = 4000;
    valuesIn = "";
    client.walletAnswer = () => Promise.resolve(walletOf(held));
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC", { last: price })));
  });
  afterEach(() => close(desk));

  const open = async (maximumBytes = 100_000): Promise<void> => {
    desk = await openTestDesk({
      client,
      timers,
      window: unattended,
      storage: folder,
      settings: { ...testSettings, valuesIn: () => valuesIn, historyMaximumBytes: () => maximumBytes },
      log: { ...testLog, error: (line) => errors.push(line) },
    });
  };
  const totals = (): string[] => desk.values.read().map((each) => plainText(totalValue(each)));
  const today = (): unknown => {
    const found = desk.values.today();
    return found && [plainText(found.result), plainText(found.from), found.since];
  };

  it("begins with the first balance and price, and goes on once an hour though nobody looks", async () => {
    await open();
    assert.equal(today(), undefined);
    await readAll(desk);
    assert.deepEqual([totals(), today()], [["3000"], ["0", "3000", NOON]]);
    price = 4400;
    await timers.advance(3 * HOUR_MS);
    assert.deepEqual(totals(), ["3000", "3200", "3200", "3200"]);
    assert.deepEqual(today(), ["200", "3000", NOON]);
    assert.ok(client.calls.tickers <= 5, `${client.calls.tickers} requests in three hours`);
  });

  it("goes on in another asset that the user chooses to see values in", async () => {
    await open();
    await readAll(desk);
    price = 5000;
    await timers.advance(HOUR_MS);
    assert.deepEqual(today(), ["500", "3000", NOON]);
    valuesIn = "BTC";
    // 0.75 BTC at noon, and 0.7 BTC now.
    assert.deepEqual(today(), ["-0.05", "0.75", NOON]);
  });

  it("says which assets today's result leaves out, because they never had a price", async () => {
    held = { THB: "1000", AIR: "5" };
    await open();
    await readAll(desk);
    assert.deepEqual(desk.values.today()?.leftOut, ["AIR"]);
  });

  it("counts a deposit and a holding elsewhere as steps", async () => {
    await open();
    await readAll(desk);
    held = { THB: "51000", BTC: "0.5" };
    desk.elsewhere.put(heldElsewhere({ quantity: "2" }));
    await desk.balances.refresh();
    assert.deepEqual(today(), ["0", "3000", NOON]);
    await timers.advance(HOUR_MS);
    price = 4100;
    await readAll(desk);
    assert.deepEqual(totals(), ["3000", "61000"]);
    assert.deepEqual(today(), ["250", "3000", NOON]);
  });

  it("begins a day with the value nearest to midnight, and not with one of before a gap", async () => {
    await open();
    await readAll(desk);
    price = 4400;
    await timers.advance(12 * HOUR_MS);
    const [, , since] = today() as [string, string, number];
    assert.equal(since, NOON + 11 * HOUR_MS + 50 * 60_000);
    await close(desk);
    timers = new FakeTimers(NOON + 44 * HOUR_MS);
    await open();
    await readAll(desk);
    assert.deepEqual(
      today(),
      ["0", "3200", NOON + 44 * HOUR_MS],
      "a gap in the record is no result of today",
    );
  });

  it("leaves a gap while a balance, a price or the entries are unknown", async () => {
    await open();
    held = { THB: "1000", BTC: "unreadable" };
    await readAll(desk);
    client.walletAnswer = () => Promise.reject(new Error("offline"));
    await timers.advance(HOUR_MS);
    client.walletAnswer = () => Promise.resolve(walletOf({ THB: "1000" }));
    client.tickersAnswer = () => Promise.reject(new Error("offline"));
    await timers.advance(2 * HOUR_MS);
    client.tickersAnswer = () => Promise.resolve(snapshotOf(tickerOf("THB_BTC")));
    writeFileSync(join(folder, "holdings.json"), "{");
    desk.elsewhere.reread();
    await timers.advance(2 * HOUR_MS);
    assert.deepEqual(totals(), []);
    rmSync(join(folder, "holdings.json"));
    desk.elsewhere.reread();
    await timers.advance(HOUR_MS);
    assert.ok(totals().length >= 1);
  });

  it("leaves a gap while an asset has no price that had one, until it was missing for a day", async () => {
    await open();
    await readAll(desk);
    const listed = client.tickersAnswer;
    const lost = (): ReturnType<typeof listed> => Promise.resolve(snapshotOf(tickerOf("THB_ETH")));
    client.tickersAnswer = lost;
    await timers.advance(3 * HOUR_MS);
    assert.deepEqual([totals(), today()], [["3000"], undefined]);
    client.tickersAnswer = listed;
    await timers.advance(HOUR_MS);
    assert.deepEqual([new Set(totals()), today()], [new Set(["3000"]), ["0", "3000", NOON]]);
    client.tickersAnswer = lost;
    await timers.advance(23 * HOUR_MS);
    const recorded = totals();
    assert.deepEqual([new Set(recorded), recorded.length <= 4], [new Set(["3000"]), true]);
    await timers.advance(3 * HOUR_MS);
    assert.equal(totals().at(-1), "1000");
  });

  it("works without a key for what is held elsewhere", async () => {
    client.walletAnswer = () => Promise.reject(new NotSentError("wallet", "noCredentials", "none"));
    await open();
    await readAll(desk);
    assert.deepEqual(totals(), []);
    desk.elsewhere.put(heldElsewhere({ quantity: "2" }));
    assert.deepEqual(totals(), ["8000"]);
  });

  it("keeps the values of accounts apart", async () => {
    await open();
    await readAll(desk);
    await desk.venue.select(liveAccount);
    await readAll(desk);
    assert.deepEqual(totals(), ["3000"]);
    assert.equal(desk.values.read()[0]?.account, liveAccount.id);
  });

  it("records nothing while the user turned recording off", async () => {
    await open(0);
    await readAll(desk);
    await timers.advance(2 * HOUR_MS);
    assert.deepEqual([totals(), client.calls.tickers], [[], 1]);
  });

  it("reports a disk that fails once, and goes on when it works again", async () => {
    writeFileSync(join(folder, "values"), "");
    await open();
    await readAll(desk);
    await timers.advance(HOUR_MS);
    assert.equal(errors.length, 1, errors.join());
    rmSync(join(folder, "values"));
    mkdirSync(join(folder, "values"));
    await timers.advance(HOUR_MS);
    assert.ok(totals().length >= 1);
  });
});
