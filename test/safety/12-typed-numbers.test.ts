import assert from "node:assert/strict";
import fc from "fast-check";
import { plainOf } from "../../src/market/numbers/typedDecimal.ts";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import { isCanonical, typedNumber } from "../support/builders/typedNumbers.ts";
import { type GuardedDesk, isSignedOver, openGuardedDesk } from "../support/desks/guardedDesk.ts";
import { safetyLine } from "./safetyLine.ts";

describe("a typed number", () => {
  let guarded: GuardedDesk;

  beforeEach(async () => {
    guarded = await openGuardedDesk();
    // Here only the text itself can stop a bid.
    guarded.now.minimumAmount = new Decimal("0");
    guarded.now.limits = { refuseBeyondPercent: new Decimal("1e60") };
  });
  afterEach(() => guarded.close());

  safetyLine(
    12,
    "Passes as a canonical decimal, or grouped with one meaning, and the confirmed digits are the signed and the sent digits",
    async (proof) => {
      const counts = { sent: 0, stopped: 0, grouped: 0 };
      const strings = await proof.property(
        100_000,
        fc.asyncProperty(
          figure,
          fc.boolean(),
          fc.boolean(),
          async ({ typed, isRead }, isAmount, isPostOnly) => {
            // A page that was taken over sends what it likes; the shipped one sends the figure that it understood.
            const text = isRead ? plainOf(typed) : typed;
            if (isRead && isCanonical(text) && text !== typed) {
              counts.grouped += 1;
              assert.ok(hasOneMeaning(typed, text), `${typed} as ${text}`);
            }
            const before = guarded.posts.length;
            const [amount, rate] = isAmount ? [text, "0.000000000001"] : ["1000000000000", text];
            const outcome = await guarded.place(amount, rate, "buy", isPostOnly);
            const sent = guarded.posts.slice(before);
            if (!isCanonical(text) || !/[1-9]/.test(text)) {
              counts.stopped += 1;
              assert.ok(!isRead || !isCanonical(typed) || !/[1-9]/.test(typed), typed);
              assert.equal(outcome.kind, "invalid", text);
              assert.deepEqual([sent, guarded.asked], [[], []]);
              return;
            }
            counts.sent += 1;
            assert.equal(outcome.kind, "accepted");
            const [post, ...more] = sent;
            assert.ok(post && more.length === 0 && isSignedOver(post));
            const exact = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
            const [amt, rat] = isAmount ? [exact, rate] : [amount, exact];
            const flag = isPostOnly ? ',"post_only":true' : "";
            const body = `{"sym":"THB_BTC","amt":${amt},"rat":${rat},"typ":"limit"${flag}}`;
            assert.equal(post.body.toString(), body);
            const { title, detail } = guarded.asked.at(-1) ?? assert.fail("nobody was asked");
            assert.equal(/^Post only: /m.test(detail), isPostOnly);
            assert.equal(ungrouped(/ for (\S+) THB on Live /.exec(title)?.[1]), amt);
            assert.equal(ungrouped(/^Limit price: (\S+) THB per BTC/m.exec(detail)?.[1]), rat);
          },
        ),
      );
      const { sent, stopped, grouped } = counts;
      if (strings > 1000)
        assert.ok(
          sent > strings / 5 && stopped > strings / 3 && grouped > strings / 50,
          JSON.stringify(counts),
        );
      return (
        `${strings} numbers: ${stopped} stopped before any question, ${sent} confirmed, signed and sent digit for digit, ` +
        `${grouped} of all understood in the one way that their grouping allows`
      );
    },
  );
});

/** What is typed, and whether the ticket's page reads it. */
const figure = fc.record({ typed: typedNumber, isRead: fc.boolean() });

/**
 * By an independent rule: the digits are the typed ones in their order, and no other place of the point fits the
 * separators. A sign that occurs twice, or before another one, groups; so does a space.
 */
function hasOneMeaning(typed: string, text: string): boolean {
  const trimmed = typed.trim();
  const zeros = { k: 3, m: 6 }[trimmed.at(-1)?.toLowerCase() ?? ""];
  if (zeros !== undefined) return isMoved(trimmed.slice(0, -1), text, zeros);
  const parts = trimmed.split(/[^0-9]/);
  const signs = [...trimmed].filter((sign) => !/[0-9]/.test(sign));
  if (parts.join("") !== text.replace(".", "")) return false;
  const last = signs.at(-1);
  const isPoint = (last === "." || last === ",") && signs.indexOf(last) === signs.length - 1;
  const groups = text.includes(".") ? parts.slice(0, -1) : parts;
  const areGroups = groups.length === 1 || groups.slice(1).every((group) => group.length === 3);
  const mayGroup = signs.length === 1 && parts[1]?.length === 3 && /^[1-9][0-9]{0,2}$/.test(parts[0] ?? "");
  return areGroups && text.includes(".") === (isPoint && last !== undefined) && !(last === "," && mayGroup);
}

/** Whether `text` is the figure with its point moved to the right, as text. */
function isMoved(figure: string, text: string, places: number): boolean {
  if (!/^\d+([.,]\d+)?$/.test(figure) || /^[1-9]\d{0,2},\d{3}$/.test(figure)) return false;
  const [whole = "", decimals = ""] = figure.split(/[.,]/);
  const padded = decimals.padEnd(places, "0");
  const moved = `${whole}${padded.slice(0, places)}`.replace(/^0+(?=\d)/, "");
  const rest = padded.slice(places).replace(/0+$/, "");
  return text === (rest === "" ? moved : `${moved}.${rest}`);
}

/** The plain digits of a figure in the question: without grouping and without trailing zeros. */
function ungrouped(shown = ""): string {
  assert.match(shown, /^\d{1,3}(,\d{3})*(\.\d+)?$/);
  const plain = shown.replaceAll(",", "");
  return plain.includes(".") ? plain.replace(/\.?0+$/, "") : plain;
}
