import assert from "node:assert/strict";
import {
  type Attempt,
  type FollowedOrder,
  plannedReads,
  readKey,
  type Sources,
} from "../../../../src/desk/tracking/dueReads.ts";

const NOW = 1_000_000_000;
const named = (base: string) => ({ symbol: `THB_${base}`, pair: { quote: "THB", base } });

function followed(orderId: string, changes: Partial<FollowedOrder> & { base?: string } = {}): FollowedOrder {
  const { base = "BTC", ...others } = changes;
  const order = { ...named(base), orderId, side: "buy" } as const;
  return {
    order,
    isOwn: true,
    isUnconfirmed: false,
    lacksFills: false,
    needs: "resting",
    since: NOW,
    ...others,
  };
}

function sources(changes: Partial<Sources> = {}): Sources {
  const offered = { list: true, info: true, history: true };
  return {
    offered,
    attempts: new Map(),
    visiblePairs: undefined,
    searched: [],
    isStreamed: false,
    ...changes,
  };
}

/** Attempts made `ms` ago, by key. */
function asked(
  ages: Readonly<Record<string, number>>,
  changes: Partial<Attempt> = {},
): ReadonlyMap<string, Attempt> {
  return new Map(
    Object.entries(ages).map(([key, ms]) => [
      key,
      { at: NOW - ms, failures: 0, isUnsupported: false, ...changes },
    ]),
  );
}

const keys = (orders: readonly FollowedOrder[], of: Sources): readonly string[] =>
  plannedReads(orders, of, NOW)
    .filter(({ at }) => at <= NOW)
    .map(({ read }) => readKey(read));

const LIST = "list THB_BTC";
const INFO = "info THB_BTC buy 7";
const HISTORY = "history THB_BTC";

describe("the reads that are due", () => {
  it("are the list and the fills of an own order, and nothing else", () => {
    assert.deepEqual(keys([followed("7")], sources()), [LIST, INFO]);
    assert.deepEqual(keys([], sources()), []);
  });

  it("are those that confirm an order that only an event reported, even while no orders are visible", () => {
    const elsewhere = { isOwn: false, needs: "incomplete" } as const;
    assert.deepEqual(keys([followed("7", elsewhere)], sources()), []);
    assert.deepEqual(keys([followed("7", { ...elsewhere, isUnconfirmed: true })], sources()), [INFO]);
  });

  const waits: readonly [title: string, order: FollowedOrder, of: Sources, key: string, everyMs: number][] = [
    ["every 5 s the list of a pair with an own order", followed("7"), sources(), LIST, 5_000],
    ["every 30 s while changes are pushed", followed("7"), sources({ isStreamed: true }), LIST, 30_000],
    ["every 30 s the fills of a resting order", followed("7"), sources(), INFO, 30_000],
    ["every 10 s while orders are visible", followed("7"), sources({ visiblePairs: [] }), INFO, 10_000],
    [
      "every 5 s one whose fills are not all known",
      followed("7", { lacksFills: true }),
      sources(),
      INFO,
      5_000,
    ],
    ["every 5 s an order that is missing", followed("7", { needs: "missing" }), sources(), INFO, 5_000],
    [
      "after an eighth of its age one that has been missing for long",
      followed("7", { needs: "missing", since: NOW - 400_000 }),
      sources(),
      INFO,
      50_000,
    ],
    [
      "every ten minutes at the least",
      followed("7", { needs: "incomplete", since: NOW - 86_400_000 }),
      sources(),
      INFO,
      600_000,
    ],
    [
      "every 5 s the list that may not have an order placed before the stream began",
      followed("7", { needs: "missing" }),
      sources({ isStreamed: true }),
      LIST,
      5_000,
    ],
    [
      "every 5 s the history of a pair with an order without an id",
      followed("7", { isOwn: false }),
      sources({ searched: [named("BTC")] }),
      HISTORY,
      5_000,
    ],
    [
      "every ten minutes what the exchange does not have",
      followed("7"),
      sources({ attempts: asked({ [LIST]: 1 }, { isUnsupported: true }) }),
      LIST,
      600_000,
    ],
    [
      "every 30 s a visible pair without own orders",
      followed("7", { isOwn: false }),
      sources({ visiblePairs: [named("BTC")] }),
      LIST,
      30_000,
    ],
  ];
  for (const [title, order, of, key, everyMs] of waits) {
    it(`read ${title}`, () => {
      const isUnsupported = of.attempts.get(key)?.isUnsupported === true;
      const at = (ms: number): boolean =>
        keys([order], { ...of, attempts: asked({ [key]: ms }, { isUnsupported }) }).includes(key);
      assert.deepEqual([at(everyMs - 1), at(everyMs)], [false, true]);
    });
  }

  it("include what was asked in the future, because the clock was set back", () => {
    assert.deepEqual(keys([followed("7")], sources({ attempts: asked({ [LIST]: -1, [INFO]: -1 }) })), [
      LIST,
      INFO,
    ]);
  });

  it("have own orders first, then what has waited longest", () => {
    const orders = [
      followed("7", { isOwn: false, base: "XRP" }),
      followed("8", { base: "DOGE" }),
      followed("9"),
    ];
    const attempts = asked({ "list THB_DOGE": 6_000, [LIST]: 7_000 });
    assert.deepEqual(keys(orders, sources({ visiblePairs: [], attempts })), [
      "info THB_DOGE buy 8",
      "info THB_BTC buy 9",
      LIST,
      "list THB_DOGE",
      "list THB_XRP",
      "info THB_XRP buy 7",
    ]);
  });

  it("ask every 30 s for the fills of at most 20 orders placed elsewhere that the list shows", () => {
    const all = Array.from({ length: 4_800 }, (_, index) => followed(String(index), { isOwn: false }));
    const infos = all.slice(0, 20).map(({ order }) => `info THB_BTC buy ${order.orderId}`);
    const attemptsOf = (ageMs: number) => asked(Object.fromEntries(infos.map((key) => [key, ageMs])));
    assert.deepEqual(keys(all, sources()), [], "nothing while no orders are visible");
    assert.deepEqual(keys(all, sources({ visiblePairs: [] })), [LIST, ...infos]);
    assert.deepEqual(keys(all, sources({ visiblePairs: [], attempts: attemptsOf(29_000) })), [LIST]);
    assert.deepEqual(keys(all, sources({ visiblePairs: [], attempts: attemptsOf(30_000) })), [
      LIST,
      ...infos,
    ]);
    const partlyFilled = followed("7", { isOwn: false, lacksFills: true });
    assert.ok(keys([partlyFilled], sources({ visiblePairs: [] })).includes(HISTORY));
  });

  it("ask about at most 20 orders placed elsewhere that no list shows any more", () => {
    const all = Array.from({ length: 30 }, (_, index) =>
      followed(String(index), { isOwn: false, needs: "missing" }),
    );
    const reads = keys(all, sources({ visiblePairs: [] }));
    assert.equal(reads.filter((key) => key.startsWith("info")).length, 20);
  });

  it("have what has been missing for more than a minute after everything else", () => {
    const old = Array.from({ length: 3 }, (_, index) =>
      followed(String(index), { needs: "missing", since: NOW - 60_000 }),
    );
    const attempts = asked({ "list THB_XRP": 5_001, "info THB_XRP buy 9": 31_000 });
    assert.deepEqual(keys([...old, followed("9", { base: "XRP" })], sources({ attempts })).slice(0, 2), [
      "info THB_XRP buy 9",
      "list THB_XRP",
    ]);
  });

  it("ask for the fills of at most 20 visible orders every 10 s", () => {
    const orders = Array.from({ length: 25 }, (_, index) => followed(String(index)));
    const attempts = asked(
      Object.fromEntries(orders.map(({ order }) => [`info THB_BTC buy ${order.orderId}`, 10_000])),
    );
    const infos = keys(orders, sources({ visiblePairs: [], attempts })).filter((key) =>
      key.startsWith("info"),
    );
    assert.equal(infos.length, 20);
  });

  it("use the history where the info is missing, fails, is not offered, or did not settle the question", () => {
    const missing = followed("7", { needs: "missing", since: NOW - 10_000 });
    const hasHistory = (order: FollowedOrder, of: Partial<Sources>): boolean =>
      keys([order], sources(of)).includes(HISTORY);
    const before = asked({ [INFO]: 20_000 });
    assert.ok(hasHistory(followed("7"), { offered: { list: true, info: false, history: true } }));
    assert.ok(hasHistory(followed("7"), { attempts: asked({ [INFO]: 1_000 }, { failures: 1 }) }));
    assert.ok(hasHistory(followed("7"), { attempts: asked({ [INFO]: 1_000 }, { isUnsupported: true }) }));
    assert.ok(hasHistory(missing, { attempts: asked({ [INFO]: 5_000 }) }));
    assert.ok(!hasHistory(missing, { attempts: before }), "the info was read before the order was missing");
    assert.ok(!hasHistory(followed("7"), { attempts: asked({ [INFO]: 5_000 }) }));
    assert.ok(
      !hasHistory(missing, {
        offered: { list: true, info: true, history: false },
        attempts: asked({ [INFO]: 1 }),
      }),
    );
  });

  it("leave out what the exchange does not have, and nothing else", () => {
    const attempts = asked({ [LIST]: 599_999, [INFO]: 599_999 }, { isUnsupported: true });
    assert.deepEqual(keys([followed("7")], sources({ attempts })), [HISTORY]);
  });

  it("wait twice as long after each failure, at most ten minutes", () => {
    const due = (failures: number, ms: number): boolean =>
      keys([followed("7")], sources({ attempts: asked({ [LIST]: ms }, { failures }) })).includes(LIST);
    assert.deepEqual([due(1, 9_999), due(1, 10_000)], [false, true]);
    assert.deepEqual([due(3, 39_999), due(3, 40_000)], [false, true]);
    assert.deepEqual([due(30, 599_999), due(30, 600_000)], [false, true]);
  });

  it("repeat a failed read after 10 s, also for an order that has been missing for hours", () => {
    const order = followed("7", { needs: "missing", since: NOW - 10_800_000 });
    const due = (failures: number, ms: number): readonly string[] =>
      keys([order], sources({ attempts: asked({ [LIST]: ms, [INFO]: ms, [HISTORY]: ms }, { failures }) }));
    assert.deepEqual(due(0, 599_999), []);
    assert.deepEqual(due(1, 9_999), []);
    assert.deepEqual(due(1, 10_000), [LIST, INFO, HISTORY]);
  });

  it("do not ask for a list only because fills of an ended order are missing", () => {
    assert.deepEqual(keys([followed("7", { needs: "incomplete" })], sources()), [INFO]);
  });

  it("do not repeat a request of this very moment", () => {
    assert.deepEqual(keys([followed("7")], sources({ attempts: asked({ [LIST]: 0, [INFO]: 0 }) })), []);
  });

  it("read the history for missing fills only of resting orders placed elsewhere, while the info answers", () => {
    const reads = (changes: Partial<FollowedOrder>): readonly string[] =>
      keys([followed("7", { lacksFills: true, ...changes })], sources({ visiblePairs: [] }));
    assert.deepEqual(reads({ isOwn: true }), [LIST, INFO]);
    assert.deepEqual(reads({ isOwn: false, needs: "missing" }), [LIST, INFO]);
    assert.deepEqual(reads({ isOwn: false }), [LIST, HISTORY, INFO]);
  });

  it("count only resting own orders against the 20 whose fills are read every 10 s", () => {
    const all = [
      ...Array.from({ length: 25 }, (_, index) => followed(`e${index}`, { isOwn: false })),
      ...Array.from({ length: 25 }, (_, index) => followed(`m${index}`, { needs: "missing" })),
      followed("7"),
    ];
    const of = sources({ visiblePairs: [], attempts: asked({ [INFO]: 10_000 }) });
    assert.ok(keys(all, of).includes(INFO));
  });

  it("have the urgency of the most urgent order of a pair", () => {
    const resting = followed("7", { since: NOW - 86_400_000 });
    const old = followed("8", { isOwn: false, needs: "missing", since: NOW - 86_400_000 });
    const urgencyOf = (orders: readonly FollowedOrder[], key: string, of: Partial<Sources> = {}) => {
      const found = plannedReads(orders, sources({ visiblePairs: [], ...of }), NOW).find(
        ({ read }) => readKey(read) === key,
      );
      return { isOwn: found?.isOwn, isPressing: found?.isPressing };
    };
    const most = { isOwn: true, isPressing: true };
    const least = { isOwn: false, isPressing: false };
    for (const orders of [
      [resting, old],
      [old, resting],
    ])
      assert.deepEqual(urgencyOf(orders, LIST), most);
    assert.deepEqual(urgencyOf([old], LIST), least);
    const recent = followed("8", { needs: "missing", since: NOW - 59_999 });
    assert.deepEqual(urgencyOf([recent], LIST), most, "missing for less than a minute");
    const searched = [named("BTC")];
    assert.deepEqual(urgencyOf([], HISTORY, { searched }), most, "an order without an id");
    assert.deepEqual(urgencyOf([], LIST, { searched }), most, "an order without an id");
    const visible = urgencyOf([], LIST, { visiblePairs: [named("BTC")] });
    assert.deepEqual(visible, { isOwn: false, isPressing: true }, "a visible pair");
  });

  it("take the shortest interval of all orders of a pair", () => {
    const orders = [followed("7", { needs: "missing", since: NOW - 800_000 }), followed("8")];
    const list = plannedReads(orders, sources({ attempts: asked({ [LIST]: 1_000 }) }), NOW).find(
      ({ read }) => readKey(read) === LIST,
    );
    assert.equal(list?.at, NOW + 4_000);
  });
});
