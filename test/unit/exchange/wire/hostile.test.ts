import assert from "node:assert/strict";
import fc from "fast-check";
import { ExchangeError } from "../../../../src/exchange/errors.ts";
import type { CapabilityName } from "../../../../src/exchange/endpoints.ts";
import { setUp } from "../../../support/builders/clientInMemory.ts";
import { inEnvelope } from "../../../support/builders/answers.ts";
import { allFeatures } from "../../../support/builders/features.ts";
import {
  matchInBase,
  matchInQuote,
  openBuyB,
  openSellA,
  orderInfo,
} from "../../../support/builders/orderRows.ts";
import { assertProperty } from "../../../support/rounds.ts";
const named = { symbol: "THB_BTC", pair: { quote: "THB", base: "BTC" } };
const order = { ...named, orderId: "289", side: "buy" } as const;

/** Valid responses, as a basis for invalid ones. */
const right: readonly unknown[] = [
  [openBuyB, openSellA],
  orderInfo,
  [matchInBase, matchInQuote],
  { THB: { available: "1", reserved: 2 } },
  [{ symbol: "BTC_THB", min_quote_size: 10, price_step: "0.01" }],
  { asks: [[1, 2]], bids: [["1", "2"]] },
  [[1_700_000_000, 1, 2, "BUY"]],
  [{ name: "a", status: "ok" }],
  1000,
];
const hostile = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    "",
    "0",
    "-1",
    "1e999",
    "1e-999",
    "9".repeat(70),
    2 ** 53,
    -0,
    [],
    {},
    [[]],
    "__proto__",
    "\u202e\u0000",
    "<img src=x onerror=alert(1)>",
    "NaN",
    "0x10",
    "1,000",
    "๑๒",
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.double({ noNaN: true }).filter(Number.isFinite),
);

/** A value with one of its parts replaced, removed or duplicated. */
function changed(value: unknown, steps: readonly number[], by: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== "object" || value === null) return by;
  if (Array.isArray(value)) {
    const at = step % (value.length + 1);
    if (at === value.length) return [...(value as unknown[]), value[0]];
    return value.map((each: unknown, index) => (index === at ? changed(each, rest, by) : each));
  }
  const entries = Object.entries(value);
  const [key = "x", part] = entries[step % Math.max(1, entries.length)] ?? [];
  return { ...value, [key]: changed(part, rest, by) };
}

const answers = fc
  .tuple(
    fc.constantFrom(...right),
    fc.array(fc.nat(30), { maxLength: 4 }),
    hostile,
    fc.constantFrom("A", "B", "C", "bare", "text", "twice"),
  )
  .map(([content, steps, by, form]) => {
    const odd = changed(content, steps, by);
    if (form === "bare") return JSON.stringify(odd) ?? "";
    // An object may have a `toString` from the response, which is not a function.
    if (form === "text") return typeof by === "object" ? Object.prototype.toString.call(by) : String(by);
    if (form === "twice") return inEnvelope(odd, "B").replaceAll(/("\w+"):(\d+)/g, "$1:$2,$1:7");
    return inEnvelope(odd, form as "A", { pagination: by });
  });

describe("a hostile service", () => {
  it("never makes a capability fail with anything but an ExchangeError", async () => {
    const state = { body: "" };
    const { client } = setUp(({ label }) => (label === "serverTime" ? {} : { text: state.body }), {
      features: allFeatures("B"),
    });
    const { capabilities } = client;
    const calls: Partial<Record<CapabilityName, () => Promise<unknown> | undefined>> = {
      openOrders: () => capabilities.openOrders?.(named),
      orderInfo: () => capabilities.orderInfo?.(order),
      orderHistory: () => capabilities.orderHistory?.(named),
      symbols: () => capabilities.symbols?.(),
      depth: () => capabilities.depth?.({ ...named, levels: 5 }),
      trades: () => capabilities.trades?.({ ...named, count: 5 }),
      balances: () => client.wallet(),
      cancelOrder: () => capabilities.cancelOrder?.(order),
    };
    let read = 0;
    const names = Object.keys(calls) as CapabilityName[];
    const rounds = await assertProperty(
      10_000,
      fc.asyncProperty(answers, fc.constantFrom(...names), async (body, name) => {
        // A rate limit of an earlier round would preempt the request.
        fc.pre(!body.includes('"error":30'));
        state.body = body;
        try {
          const result = await calls[name]?.();
          read += 1;
          JSON.stringify(result, (field, value: unknown) => {
            assert.ok(typeof value !== "number" || Number.isFinite(value), `${name}: ${field}: ${body}`);
            return value;
          });
        } catch (error) {
          assert.ok(error instanceof ExchangeError, `${name}: ${body}: ${String(error)}`);
        }
      }),
    );
    if (rounds >= 100) assert.ok(read > rounds / 20, `only ${read} answers were read`);
  });
});
