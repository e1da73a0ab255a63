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
 * separators. A sign that occurs twice, or before another one, groups; so do a space and an apostrophe. Nothing before the
 * point is zero.
 */
function hasOneMeaning(typed: string, text: string): boolean {
  const bare = asciiOf(typed).trim();
  const trimmed = /^[^0-9]/.test(bare) ? `0${bare}` : bare;
  const zeros = { k: 3, m: 6 }[trimmed.at(-1)?.toLowerCase() ?? ""];
  if (zeros !== undefined) return isMoved(trimmed.slice(0, -1), text, zeros);
  const parts = trimmed.split(/[^0-9]/);
  const signs = [...trimmed].filter((sign) => !/[0-9]/.test(sign));
  if (parts.join("") !== text.replace(".", "")) return false;
  const last = signs.at(-1) ?? "";
  const isPoint = ".,\u066B".includes(last) && signs.indexOf(last) === signs.length - 1;
  const groups = text.includes(".") ? parts.slice(0, -1) : parts;
  const sizes = groups.slice(1).map(({ length }) => length);
  const areIndian = sizes.at(-1) === 3 && sizes.slice(0, -1).every((size) => size === 2) && signs[0] === ",";
  const areGroups = sizes.every((size) => size === 3) || areIndian;
  const mayGroup = signs.length === 1 && parts[1]?.length === 3 && /^[1-9][0-9]{0,2}$/.test(parts[0] ?? "");
  return areGroups && text.includes(".") === (isPoint && last !== "") && !(last === "," && mayGroup);
}

/** Zeros of the scripts that the generator writes digits in. */
const ZEROS = [0x0e50, 0x0660, 0x06f0, 0x0966, 0xff10];

/** The text with ASCII digits, and without the marks that no one sees. */
function asciiOf(text: string): string {
  return [...text]
    .filter((sign) => !"\u200B\u200E\u200F\uFEFF".includes(sign))
    .map((sign) => {
      const code = sign.codePointAt(0) ?? 0;
      const zero = ZEROS.find((each) => code >= each && code < each + 10);
      return zero === undefined ? sign : String(code - zero);
    })
    .join("");
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
