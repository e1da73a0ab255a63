import fc from "fast-check";
import type { FormDraft } from "../../../src/protocol/ticket.ts";

/** Markup that would call `ran` wherever it is rendered as markup. */
export const markup: readonly string[] = [
  "<img src=x onerror=ran()>",
  '"><script>ran()</script>',
  "<svg/onload=ran()>",
  "</script><script>ran()</script>",
  '<iframe srcdoc="<script>parent.ran()</script>">',
  "<a href=javascript:ran()>x</a>",
  "[x](command:bidside.placeBid)",
  "![x](https://example.invalid/x.png)",
  "$(error) {{setup}} ${ran()}",
];

const id = "4f2c8d1e-0b6a-4c35-9d07-5a1e2f3b4c6d";

const text = fc.oneof(
  fc.string({ maxLength: 90 }),
  fc.constantFrom(
    ...markup,
    "",
    "THB_BTC",
    "1000",
    "1e9",
    "-1",
    "__proto__",
    "../../orders",
    "9".repeat(81),
    id,
  ),
);

/** Any value that a page can post; a valid ticket message only by accident. */
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, [], {}, 0, "submit", "\u0000"),
);

const draft = fc.record({
  id: fc.oneof(fc.uuid(), text),
  side: fc.oneof(text, fc.constantFrom("buy", "sell")),
  exchange: text,
  symbol: text,
  amount: text,
  rate: text,
  rateIsTyped: fc.oneof(text, fc.boolean()),
  quantity: text,
  sizedBy: fc.oneof(text, fc.constantFrom("amount", "quantity")),
  postOnly: fc.oneof(text, fc.boolean()),
  share: fc.oneof(text, fc.constantFrom("", "0.5", "1")),
});

/** Messages of valid shape with values that the ticket never sends. */
const shaped = fc.oneof(
  fc.record({ type: fc.constantFrom("ready", "select"), symbol: text }),
  fc.record({ type: fc.constantFrom("submit", "edited"), draft }),
  fc.record({ type: fc.constant("dismissed") }),
  fc.record({
    type: fc.constant("action"),
    action: fc.oneof(text, fc.constant("workbench.action.terminal.new")),
  }),
);

/** Valid messages with one field missing, added or changed. */
const bent = fc
  .tuple(
    shaped,
    fc.constantFrom("type", "symbol", "draft", "action", "confirmed", "busy"),
    anything,
    fc.boolean(),
  )
  .map(([message, field, value, isGone]) => {
    const { [field]: _, ...rest }: Record<string, unknown> = message;
    return isGone ? rest : { ...rest, [field]: value };
  });

/** Messages that a hijacked page might post. The host would accept `rate`, and a draft of `exchange`. */
export const hostileMessage = (rate: string, exchange: string): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 4, arbitrary: anything },
    { weight: 6, arbitrary: shaped },
    { weight: 6, arbitrary: bent },
    // An order that only the user can stop.
    {
      weight: 2,
      arbitrary: fc.record({
        type: fc.constant("submit"),
        draft: fc.record<FormDraft>({
          id: fc.uuid(),
          side: fc.constant("buy"),
          account: fc.constant(exchange),
          symbol: fc.constant("THB_BTC"),
          amount: fc.integer({ min: 10, max: 500_000 }).map(String),
          rate: fc.constant(rate),
          rateIsTyped: fc.constant(true),
          quantity: fc.constant(""),
          sizedBy: fc.constant("amount"),
          postOnly: fc.constant(false),
          share: fc.constant(""),
        }),
      }),
    },
  );
