import assert from "node:assert/strict";
import {
  draftIdToClaim,
  readOrderRecord,
  recordToWrite,
  type OrderEvent,
} from "../../../../src/storage/orders/records.ts";
import { bidIntent, NOON } from "../../../support/builders/bidIntent.ts";

const ofOrder = { id: bidIntent().id, at: NOON };

const place = {
  at: NOON,
  venue: "live",
  origin: "https://api.example.com",
  account: "1".repeat(16),
} as const;
const placedOrder = {
  ...place,
  orderId: "7",
  symbol: "THB_BTC",
  quote: "THB",
  base: "BTC",
  side: "sell",
  clientId: "BSD-1",
} as const;

/** A complete record of every kind, with all optional fields. */
const whole = {
  intent: {
    kind: "intent",
    ...bidIntent(),
    clientId: "BSD-1",
    exchangeAt: NOON,
    reservedBefore: "0",
    postOnly: true,
  },
  accountReset: { kind: "accountReset", ...ofOrder, venue: "practice" },
  accepted: {
    kind: "outcome",
    ...ofOrder,
    state: "accepted",
    orderId: "7",
    differences: [{ field: "amount", sent: "1000", returned: "10000" }],
  },
  rejected: { kind: "outcome", ...ofOrder, state: "rejected", code: 18, message: "no", retryAt: NOON },
  notSent: { kind: "outcome", ...ofOrder, state: "notSent", reason: "unreachable", retryAt: NOON },
  unknown: { kind: "outcome", ...ofOrder, state: "unknown", reason: "timeout", retryAt: NOON },
  check: { kind: "check", ...ofOrder, available: "5", text: "" },
  settled: { kind: "settled", ...ofOrder, by: "user", as: "unresolved", evidence: "" },
  report: {
    kind: "report",
    source: "info",
    ...placedOrder,
    status: "open",
    rate: "1",
    quantity: "2",
    amount: "3",
    remaining: "4",
    executed: "5",
    trigger: "6",
    earlierIds: ["8"],
    openWith: ["10"],
    laterId: "9",
    unclearFills: 1,
    placedAt: 1,
    closedAt: 2,
  },
  fill: {
    kind: "fill",
    source: "info",
    ...placedOrder,
    txn: "9",
    filledAt: NOON,
    rate: "1",
    quantity: "2",
    value: "3",
    fee: "4",
    isMaker: false,
  },
  absent: { kind: "absent", ...placedOrder },
  cancel: { kind: "cancel", ...placedOrder, step: "rejected", reason: "error 21" },
  cost: { kind: "cost", ...place, quote: "THB", base: "BTC", quantity: "1", cost: "2" },
} as const;

const optional: Readonly<Record<string, readonly string[]>> = {
  intent: ["availableBefore", "reservedBefore", "clientId", "exchangeAt", "postOnly"],
  report: [
    "clientId",
    "status",
    "rate",
    "quantity",
    "amount",
    "remaining",
    "executed",
    "trigger",
    "earlierIds",
    "openWith",
    "laterId",
    "unclearFills",
    "placedAt",
    "closedAt",
  ],
  fill: ["clientId", "isMaker"],
  absent: ["clientId"],
  cancel: ["clientId", "reason"],
  accepted: ["orderId", "differences"],
  rejected: ["message", "retryAt"],
  notSent: ["retryAt"],
  unknown: ["retryAt"],
  check: ["available"],
};

/** Whether the record of that name is still valid if the field has another value. */
function accepts(name: keyof typeof whole, field: string, value: unknown): boolean {
  const record = { ...whole[name], [field]: value };
  const read = readOrderRecord(record);
  if (read) assert.deepEqual(read, record);
  return read !== undefined;
}

/** Checks that the field takes and refuses exactly these values. */
function holds(
  name: keyof typeof whole,
  field: string,
  { accepted, rejected }: { readonly accepted: readonly unknown[]; readonly rejected: readonly unknown[] },
): void {
  for (const value of accepted) assert.ok(accepts(name, field, value), `${field} ${String(value)}`);
  for (const value of [...rejected, null, {}, [], true])
    assert.ok(!accepts(name, field, value), `${field} ${JSON.stringify(value)}`);
}

describe("a record of the order journal", () => {
  it("is valid with every field, and without its optional fields", () => {
    for (const [name, record] of Object.entries(whole)) {
      assert.deepEqual(readOrderRecord(record), record, name);
      for (const field of Object.keys(record)) {
        const { [field]: _, ...less } = record as Record<string, unknown>;
        const mayMiss = optional[name]?.includes(field) ?? false;
        assert.deepEqual(readOrderRecord(less), mayMiss ? less : undefined, `${name} without ${field}`);
      }
    }
  });

  it("has a client id of this program's own letters alone, 32 at most", () => {
    const rejected = ["", "bsd-1", "BSD-1 ", " BSD-1", "BSD-1\n", "BSD_1", "A".repeat(33), 1];
    holds("intent", "clientId", { accepted: ["BSD-1", "A".repeat(32)], rejected });
  });

  it("has only its known fields, so that a key is dropped", () => {
    for (const record of Object.values(whole)) {
      for (const field of ["apiKey", "apiSecret", "", "note"])
        assert.equal(readOrderRecord({ ...record, [field]: "0011" }), undefined);
    }
    for (const value of [undefined, null, 1, "check", [], [whole.check]])
      assert.equal(readOrderRecord(value), undefined);
  });

  it("has only known kinds and states", () => {
    holds("check", "kind", {
      accepted: ["check"],
      rejected: ["intent", "outcome", "sent", "settled", "", "Check"],
    });
    holds("unknown", "state", { accepted: ["notSent", "unknown"], rejected: ["accepted", "sending", ""] });
    holds("settled", "by", { accepted: ["check", "user"], rejected: ["", "window"] });
    holds("settled", "as", { accepted: ["accepted", "notPlaced", "unresolved"], rejected: ["placed", ""] });
    holds("accountReset", "venue", { accepted: ["practice"], rejected: ["live", ""] });
    holds("intent", "venue", { accepted: ["practice"], rejected: ["paper", ""] });
    holds("cost", "venue", { accepted: ["live"], rejected: ["practice", "paper", ""] });
  });

  it("belongs to a bid with a UUID, at a valid time", () => {
    const { id } = ofOrder;
    holds("check", "id", {
      accepted: [id, id.toUpperCase()],
      rejected: ["", id.slice(1), `${id}0`, ` ${id}`],
    });
    for (const field of ["at"] as const)
      holds("check", field, {
        accepted: [0, NOON, 8.64e15],
        rejected: [-1, 8.64e15 + 1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, String(NOON)],
      });
    holds("rejected", "retryAt", { accepted: [0, 8.64e15], rejected: [-1, 1.5, "1"] });
    holds("unknown", "retryAt", { accepted: [0, 8.64e15], rejected: [-1, 1.5, "1"] });
  });

  it("keeps amounts as exact decimal text: no sign, exponent, blank or digit too many", () => {
    const long = "1".repeat(121);
    const accepted = ["0", "1", "10", "0.5", "1000.00", long, `0.${long.slice(1)}`];
    const rejected = [
      "",
      "00",
      "01",
      "-1",
      "+1",
      "1e3",
      "1.",
      ".5",
      "1,5",
      " 1",
      "1 ",
      "1\n",
      "x1",
      "1x",
      "1.5x",
      "x",
      "๑",
      `${long}1`,
      `0.${long}`,
      "1..5",
      "1.5.5",
      1,
    ];
    for (const field of ["amount", "rate", "quantity", "fee", "availableBefore"])
      holds("intent", field, { accepted, rejected });
    holds("check", "available", { accepted, rejected });
  });

  it("names assets and symbols as services do, without markup, blanks or a path", () => {
    const names = {
      accepted: ["A", "1INCH", "USD.T", "A-B", "A_B", "币安人生", "A".repeat(24)],
      rejected: ["", ".A", "-A", "A\u202eB"],
    };
    for (const field of ["quote", "base"])
      holds("intent", field, {
        accepted: names.accepted,
        rejected: [...names.rejected, "A".repeat(25), "<B>", "A ", " A", "A\n", "A/B"],
      });
    holds("intent", "symbol", {
      accepted: [
        "THB_BTC",
        "btc_thb",
        "THB_USDT_TRC20",
        "THB_币安人生",
        `${"A".repeat(24)}_${"b".repeat(24)}`,
      ],
      rejected: [
        "",
        "_",
        "A_",
        "_A",
        "AB",
        "<_>",
        "A_B>",
        "<A_B",
        " A_B",
        "A_B\n",
        "A/_B",
        `${"A".repeat(25)}_B`,
        `A_${"B".repeat(25)}`,
      ],
    });
  });

  it("names an exchange by scheme, host and port only: no path, user or query", () => {
    holds("intent", "origin", {
      accepted: [
        "https://api.example.com",
        "http://127.0.0.1:80",
        "http://[::1]:80",
        `https://${"a".repeat(300)}`,
      ],
      rejected: [
        "",
        "https://",
        "ftp://a",
        "httpss://a",
        "xhttps://a",
        "https:/a",
        "https//a",
        "a",
        "https://a/",
        "https://a/b",
        "https://u@a",
        "https://a?b",
        "https://a#b",
        "https://a\\b",
        "https://a b",
        "https://a\n",
        ` https://a`,
        `https://${"a".repeat(301)}`,
      ],
    });
  });

  it("keeps a service's text up to 500 characters, and its code as a number or text", () => {
    const text = { accepted: ["", "ก\n", "x".repeat(500)], rejected: ["x".repeat(501), 1] };
    for (const [name, field] of [
      ["accepted", "orderId"],
      ["rejected", "message"],
      ["notSent", "reason"],
      ["unknown", "reason"],
      ["check", "text"],
      ["settled", "evidence"],
    ] as const)
      holds(name, field, text);
    holds("rejected", "code", {
      accepted: [18, 0, -1, 1.5, "V1007-CW"],
      rejected: ["x".repeat(501), Number.NaN],
    });
  });
});

describe("a line written to the order journal", () => {
  it("is an event as it will be read back, with truncated text and no undefined fields", () => {
    const event: OrderEvent = { ...whole.rejected, message: "x".repeat(501), retryAt: undefined };
    const { retryAt: _, ...rest } = whole.rejected;
    assert.deepEqual(recordToWrite(event), { ...rest, message: `${"x".repeat(499)}…` });
    assert.deepEqual(recordToWrite({ ...event, message: "x".repeat(500) }), {
      ...rest,
      message: "x".repeat(500),
    });
    assert.deepEqual(recordToWrite(whole.settled), whole.settled);
  });

  it("is empty if a field is wrong, or belongs to another kind of record", () => {
    assert.equal(recordToWrite({ ...whole.check, available: "-5" }), undefined);
    assert.equal(recordToWrite({ ...whole.intent, kind: "check" } as unknown as OrderEvent), undefined);
  });

  it("is an intent, with the earlier balance only if that balance was known", () => {
    const { kind: _, ...intent } = whole.intent;
    assert.deepEqual(recordToWrite({ ...intent, kind: "intent" }), whole.intent);
    const { availableBefore: __, ...less } = whole.intent;
    const written = recordToWrite({ ...intent, kind: "intent", availableBefore: undefined });
    assert.deepEqual(written, less);
    assert.ok(written && !("availableBefore" in written));
    assert.equal(recordToWrite({ ...intent, kind: "intent", amount: "1e3" }), undefined);
  });

  it("claims a draft only under its UUID in lower case", () => {
    const id = "0A0B0C0D-0000-4000-8000-00000000000F";
    assert.equal(draftIdToClaim(id), id.toLowerCase());
    assert.equal(draftIdToClaim("../drafts"), undefined);
  });

  it("has as many differences between receipt and bid as there are fields, each with short text", () => {
    const [difference] = whole.accepted.differences;
    const fields = ["amount", "rate", "quantity", "symbol", "side", "type"] as const;
    for (const field of fields)
      assert.ok(accepts("accepted", "differences", [{ ...difference, field }]), field);
    assert.ok(accepts("accepted", "differences", []));
    const all = fields.map((field) => ({ ...difference, field }));
    assert.ok(accepts("accepted", "differences", all));
    assert.ok(!accepts("accepted", "differences", [...all, difference]));
    for (const odd of [{ field: "fee" }, { sent: 1000 }, { returned: "x".repeat(501) }, { key: "k" }])
      assert.ok(!accepts("accepted", "differences", [{ ...difference, ...odd }]), JSON.stringify(odd));
  });

  it("keeps the order's id if the differences of its receipt cannot be recorded", () => {
    const { differences, ...bare } = whole.accepted;
    const long = differences.map((each) => ({ ...each, returned: "x".repeat(501) }));
    assert.deepEqual(recordToWrite({ ...whole.accepted, differences: long } as OrderEvent), bare);
  });
});
