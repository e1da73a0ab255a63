import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { OrderEvent, OrderRecord } from "../../../../src/storage/orders/records.ts";
import type { SkippedLine } from "../../../../src/storage/orders/skippedLines.ts";
import type { OwnOrder } from "../../../../src/storage/orders/order.ts";
import { FoldedOrders } from "../../../../src/storage/orders/foldedOrders.ts";
import { recordsOf } from "../../../../src/storage/orders/placedOrderRecords.ts";
import { bidIntent, NOON } from "../../../support/builders/bidIntent.ts";
import { fold as addTo, foldedOrders } from "../../../support/builders/foldedOrders.ts";
import { testReport } from "../../../support/builders/reports.ts";

const ids = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
const at = fc.integer({ min: NOON, max: NOON + 5 });
const id = fc.constantFrom(...ids);

const intent = fc
  .record({ id, at, amount: fc.constantFrom("1000", "2000") })
  .map((fields): OrderRecord => ({ kind: "intent", ...bidIntent(fields) }));
const anyEvent: fc.Arbitrary<OrderEvent> = fc.oneof(
  fc.record({ kind: fc.constant("outcome" as const), id, at, state: fc.constant("accepted" as const) }),
  fc.record({
    kind: fc.constant("outcome" as const),
    id,
    at,
    state: fc.constant("rejected" as const),
    code: fc.nat(99),
  }),
  fc.record({
    kind: fc.constant("outcome" as const),
    id,
    at,
    state: fc.constantFrom("notSent" as const, "unknown" as const),
    reason: fc.constant("timeout"),
  }),
  fc.record({
    kind: fc.constant("check" as const),
    id,
    at,
    text: fc.constant(""),
    state: fc.constantFrom("accepted" as const, "unknown" as const),
  }),
  fc.record({
    kind: fc.constant("settled" as const),
    id,
    at,
    by: fc.constantFrom("check" as const, "user" as const),
    as: fc.constantFrom("accepted" as const, "notPlaced" as const, "unresolved" as const),
    evidence: fc.constant(""),
  }),
);
const event = anyEvent.map((fields): OrderEvent => ({ ...fields }));
const records = fc.array(fc.oneof(intent, event), { maxLength: 20 });

interface Folded {
  readonly orders: readonly OwnOrder[];
  readonly skippedLines: readonly SkippedLine[];
}

/** What the records say together, each array from a file of an ended process. */
function fold(...files: OrderRecord[][]): Folded {
  const folded = new FoldedOrders({ now: () => NOON, isRunning: () => false });
  const source = { name: undefined, pid: undefined };
  for (const record of files.flat()) folded.add(source, { line: undefined, record });
  return { orders: folded.own, skippedLines: folded.skippedLines };
}

describe("folded bids", () => {
  it("are the same for every order, repetition and distribution of the records over files", () => {
    const spread = records.chain((all) =>
      fc.record({
        all: fc.constant(all),
        shuffled: fc.shuffledSubarray(all, { minLength: all.length }),
        again: fc.subarray(all),
        cut: fc.nat(all.length),
      }),
    );
    fc.assert(
      fc.property(spread, ({ all, shuffled, again, cut }) => {
        assert.deepEqual(fold(shuffled.slice(0, cut), again, shuffled.slice(cut)), fold(all));
      }),
      { numRuns: 300 },
    );
  });

  it("are the same if read after each record, replacing only bids that changed", () => {
    const resets = ids.map((each) => each.replace("4000", "4001"));
    const reset = fc
      .record({ id: fc.constantFrom(...resets), at })
      .map((fields): OrderRecord => ({ kind: "accountReset", ...fields, venue: "practice" }));
    const practice = intent.map((record) => ({ ...record, venue: "practice" }) as OrderRecord);
    // A record that is read twice may bring another object with the same fields.
    const all = fc.uniqueArray(fc.oneof(intent, practice, event, reset), {
      maxLength: 20,
      selector: (record) => JSON.stringify(record),
    });
    fc.assert(
      fc.property(all, fc.boolean(), (added, isRunning) => {
        const options = { now: () => NOON, isRunning: () => isRunning };
        const source = { name: undefined, pid: 1 };
        const [atOnce, stepwise] = [new FoldedOrders(options), new FoldedOrders(options)];
        for (const record of added) {
          atOnce.add(source, { line: undefined, record });
          const before = stepwise.own;
          assert.equal(stepwise.own, before, "nothing was added");
          stepwise.add(source, { line: undefined, record });
          const after = stepwise.own;
          for (const order of after) {
            const same = before.find((each) => isDeepStrictEqual(each, order));
            if (same) assert.equal(order, same);
          }
          if (isDeepStrictEqual(before, after)) assert.equal(after, before);
        }
        assert.deepEqual(stepwise.own, atOnce.own);
        assert.equal(stepwise.skippedLines.length, atOnce.skippedLines.length);
      }),
      { numRuns: 200 },
    );
  });

  it("end with the first reset after them, whatever was read first", () => {
    const [first = "", second = ""] = ids.map((each) => each.replace("4000", "4001"));
    const bid: OrderRecord = { kind: "intent", ...bidIntent({ at: NOON }) };
    const reset = { kind: "accountReset", venue: "practice" } as const;
    const resets = [NOON + 9, NOON + 1].map((at, index) => ({ ...reset, id: index ? first : second, at }));
    const { orders } = fold([bid, ...resets]);
    assert.deepEqual(
      orders.map(({ state, accountResetAt }) => [state, accountResetAt]),
      [["accountReset", NOON + 1]],
    );
  });

  it("account for every record, as intent, evidence or skipped", () => {
    fc.assert(
      fc.property(records, (all) => {
        const { orders: bids, skippedLines } = fold(all);
        const distinct = new Set(all.map((record) => JSON.stringify(record))).size;
        const counted = bids.reduce((sum, { evidence }) => sum + 1 + evidence.length, 0);
        assert.equal(counted + skippedLines.length, distinct);
        assert.equal(bids.length, new Set(all.flatMap((r) => (r.kind === "intent" ? [r.id] : []))).size);
      }),
      { numRuns: 300 },
    );
  });

  it("never lose a proof, for all later records", () => {
    fc.assert(
      fc.property(records, fc.array(event, { maxLength: 10 }), (all, more) => {
        const later = more.map((record) => ({ ...record, at: record.at + 10 }));
        const after = new Map(fold(all, later).orders.map((bid) => [bid.intent.id, bid.state]));
        for (const { intent, state, settledBy } of fold(all).orders) {
          const isProven = settledBy === undefined && ["accepted", "rejected", "notSent"].includes(state);
          if (isProven) assert.equal(after.get(intent.id), state);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("are accepted after a refusal if the exchange lists them, and not otherwise", () => {
    const stateAfter = (...events: readonly object[]): unknown => {
      const folded = new FoldedOrders({ now: () => NOON, isRunning: () => false });
      const intent = bidIntent({ id: ids[0] ?? "" });
      const records = [
        { ...intent, kind: "intent" },
        ...events.map((each, index) => ({ kind: "outcome", id: intent.id, at: NOON + 1 + index, ...each })),
      ];
      for (const record of records)
        folded.add({ name: "a", pid: undefined }, { line: 1, record: record as OrderRecord });
      return [folded.own[0]?.state, folded.own[0]?.orderId, folded.skippedLines.length];
    };
    const refused = { state: "rejected", code: 18 };
    assert.deepEqual(stateAfter(refused, { state: "accepted", orderId: "7" }), ["accepted", "7", 0]);
    assert.deepEqual(stateAfter(refused, { state: "accepted" }), ["rejected", undefined, 1]);
    assert.deepEqual(stateAfter({ state: "accepted", orderId: "7" }, refused), ["accepted", "7", 1]);
    const notSent = { state: "notSent", reason: "timeout" };
    assert.deepEqual(stateAfter(notSent, { state: "accepted", orderId: "7" }), ["notSent", undefined, 1]);
  });

  it("are accepted, rejected or not sent only if a record says so", () => {
    fc.assert(
      fc.property(records, (all) => {
        for (const { intent, state, settledBy, evidence } of fold(all).orders) {
          const isRecorded = evidence.some((event) => event.kind === "outcome" && event.state === state);
          const settled = evidence.some(
            (event) => event.kind === "settled" && event.as === state && event.by === settledBy,
          );
          assert.ok((settledBy ? settled : isRecorded) || state === "unknown", `${intent.id} ${state}`);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("are sending only while the sending process may still run", () => {
    const intent = bidIntent();
    const records: OrderRecord[] = [
      { kind: "intent", ...intent },
      { kind: "check", id: intent.id, at: NOON + 10, text: "" },
    ];
    const stateAt = (now: number, pid: number | undefined, isRunning = true): unknown[] => {
      const folded = new FoldedOrders({ now: () => now, isRunning: () => isRunning });
      for (const [index, record] of records.entries())
        folded.add({ name: "file", pid }, { record, line: index + 1 });
      return folded.own.map(({ state, since }) => [state, since]);
    };
    assert.deepEqual(stateAt(NOON + 20, 7), [["sending", NOON]], "sent, without an answer so far");
    assert.deepEqual(stateAt(NOON + 60_000, 7), [["sending", NOON]]);
    assert.deepEqual(stateAt(NOON - 60_000, 7), [["sending", NOON]]);
    assert.deepEqual(stateAt(NOON + 60_001, 7), [["unknown", NOON]]);
    assert.deepEqual(stateAt(NOON - 60_001, 7), [["unknown", NOON]]);
    assert.deepEqual(stateAt(NOON + 20, 7, false), [["unknown", NOON]]);
    assert.deepEqual(stateAt(NOON + 20, undefined), [["unknown", NOON]], "a merged file has no process");
  });

  describe("whose window has not recorded an outcome", () => {
    const { id } = bidIntent();
    let now: number;
    let checks: number;
    let folded: FoldedOrders;
    const add = (record: OrderRecord): void =>
      folded.add({ name: "file", pid: 7 }, { record, line: undefined });
    const states = (): unknown[] => folded.own.map(({ state, since }) => [state, since]);

    beforeEach(() => {
      now = NOON + 20;
      checks = 0;
      folded = new FoldedOrders({ now: () => now, isRunning: () => (checks += 1) > 0 });
      add({ kind: "intent", ...bidIntent({ id, at: NOON }) });
    });

    it("become unknown when their time is up, without another record", () => {
      assert.deepEqual(states(), [["sending", NOON]]);
      now = NOON + 60_001;
      assert.deepEqual(states(), [["unknown", NOON]]);
    });

    it("stay unknown if the clock is set back", () => {
      now = NOON + 60_001;
      assert.deepEqual(states(), [["unknown", NOON]]);
      now = NOON + 20;
      add({ kind: "check", id, at: NOON + 10, text: "" });
      assert.deepEqual(states(), [["unknown", NOON]]);
    });

    it("are unknown at once if the outcome says so, since then", () => {
      add({ kind: "check", id, at: NOON + 5, text: "" });
      add({ kind: "outcome", id, at: NOON + 10, state: "unknown", reason: "timeout" });
      assert.deepEqual(states(), [["unknown", NOON + 10]]);
    });

    it("check for a running process on each read until they have an outcome", () => {
      for (const time of [1, 2, 3]) {
        assert.deepEqual(states(), [["sending", NOON]]);
        assert.equal(checks, time);
      }
      add({ kind: "outcome", id, at: NOON + 10, state: "accepted" });
      assert.deepEqual(states(), [["accepted", NOON + 10]]);
      const before = checks;
      states();
      assert.equal(checks, before);
    });
  });

  it("end unsettled with their practice account, unless proven, settled, live or later", () => {
    const [one = "", two = "", three = ""] = ids;
    const reset: OrderRecord = {
      kind: "accountReset",
      id: crypto.randomUUID(),
      venue: "practice",
      at: NOON + 50,
    };
    const intents = [
      bidIntent({ id: one }),
      bidIntent({ id: two, venue: "live", origin: "https://api.example.com", account: "1".repeat(16) }),
      bidIntent({ id: three, at: NOON + 50 }),
    ].map((intent): OrderRecord => ({ kind: "intent", ...intent }));
    const stateOf = (...events: OrderEvent[]): unknown[] =>
      fold([...intents, reset, ...events])
        .orders.toReversed()
        .map(({ state, since, accountResetAt }) => [state, since, accountResetAt]);
    const later = [
      ["unknown", NOON, undefined],
      ["unknown", NOON + 50, undefined],
    ];
    assert.deepEqual(stateOf(), [["accountReset", NOON + 50, NOON + 50], ...later]);
    const ofOne = { id: one, at: NOON + 1 };
    for (const event of [
      { ...ofOne, kind: "outcome", state: "unknown", reason: "timeout" },
      { ...ofOne, kind: "settled", by: "check", as: "unresolved", evidence: "" },
    ] as const)
      assert.deepEqual(stateOf(event), [["accountReset", NOON + 50, NOON + 50], ...later]);
    for (const event of [
      { ...ofOne, kind: "outcome", state: "accepted" },
      { ...ofOne, kind: "outcome", state: "accepted", at: NOON + 60 },
      { ...ofOne, kind: "outcome", state: "rejected", code: 18 },
      { ...ofOne, kind: "settled", by: "user", as: "accepted", evidence: "" },
    ] as const) {
      const state = event.kind === "settled" ? "accepted" : event.state;
      assert.deepEqual(stateOf(event), [[state, event.at, NOON + 50], ...later]);
    }
    assert.deepEqual(fold([...intents, reset], [reset]).skippedLines, []);
  });
});

describe("folded records", () => {
  const live = { venue: "live", origin: "https://api.example.com", account: "1".repeat(16) } as const;
  const reported = (changes: Parameters<typeof testReport>[0] = {}) =>
    recordsOf(testReport({ askedAt: NOON, ...changes }), live, NOON);

  it("know the latest time of a report, an intent or the millisecond after a reset", () => {
    const intent: OrderRecord = { kind: "intent", ...bidIntent({ at: NOON + 5 }) };
    const reset: OrderRecord = { kind: "accountReset", id: ids[0] ?? "", venue: "practice", at: NOON + 9 };
    assert.equal(foldedOrders().latestAt, 0);
    assert.equal(foldedOrders(...reported()).latestAt, NOON);
    assert.equal(foldedOrders(intent, ...reported()).latestAt, NOON + 5);
    assert.equal(foldedOrders(reset, intent).latestAt, NOON + 10);
  });

  it("skip no record of an account's key", () => {
    const key: OrderRecord = { kind: "accountKey", at: NOON, account: live.account, digest: "0".repeat(64) };
    assert.deepEqual(foldedOrders(key).skippedLines, []);
  });

  it("find the orders of a report by each of its ids, and none for an unknown id", () => {
    const folded = foldedOrders(...reported({ orderId: "7" }), ...reported({ orderId: "8" }));
    const found = (changes: Parameters<typeof testReport>[0]): unknown[] =>
      folded.ordersOf(testReport(changes), live).map(({ name }) => name?.orderId);
    assert.deepEqual(found({ orderId: "7" }), ["7"]);
    assert.deepEqual(found({ orderId: "7", otherIds: ["7", "8", "9"] }), ["7", "8"]);
    assert.deepEqual(found({ orderId: "9" }), []);
  });

  it("recognise an own order by its client id in the first report of it, which concerns no other pair", () => {
    const { id, ...sent } = bidIntent({ ...live, side: "sell", rate: "100", clientId: "BS-1", at: NOON - 9 });
    const folded = foldedOrders(
      { kind: "intent", id, ...sent },
      ...reported({ pair: { quote: "THB", base: "ETH" }, symbol: "THB_ETH", status: "open" }),
    );
    const news = folded.news(reported({ clientId: "BS-1", status: "open" }));
    assert.deepEqual(
      news.map(({ own, name }) => [own, name.base, name.orderId]),
      [[id, "BTC", "7"]],
    );
    const { own, elsewhere } = addTo(folded, ...news.flatMap((each) => each.records));
    assert.deepEqual([own[0]?.known?.status, elsewhere.map(({ name }) => name?.base)], ["open", ["ETH"]]);
  });
});
