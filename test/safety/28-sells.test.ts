import assert from "node:assert/strict";
import fc from "fast-check";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import { asksOffered } from "../support/builders/client.ts";
import { codesOf, type GuardedDesk, isSignedOver, openGuardedDesk } from "../support/desks/guardedDesk.ts";
import { safetyLine } from "./safetyLine.ts";

/** Cents of THB, and hundred millionths of BTC: whole numbers, so that the test decides without the code's decimals. */
interface Sell {
  readonly last: bigint;
  readonly rate: bigint;
  readonly units: bigint;
  /** A ninth decimal of the amount. */
  readonly extra: string;
  readonly available: bigint | undefined;
  readonly minimum: bigint;
  readonly maximum: bigint | undefined;
  readonly confirmPercent: bigint;
  readonly refusePercent: bigint;
  readonly isPriceOld: boolean;
  readonly isPostOnly: boolean;
  readonly answers: readonly [boolean, boolean];
}

/** Within a factor of two of a figure, and often exactly on it or one step beside it. */
const around = (figure: bigint): fc.Arbitrary<bigint> =>
  fc
    .oneof(fc.constantFrom(figure - 1n, figure, figure + 1n), fc.bigInt(figure / 2n, figure * 2n + 1n))
    .map((near) => (near > 0n ? near : 1n));

const sells: fc.Arbitrary<Sell> = fc
  .record({
    last: fc.bigInt(1n, 10n ** 9n),
    percent: fc.bigInt(0n, 30n),
    units: fc.bigInt(1n, 10n ** 11n),
    confirmPercent: fc.constantFrom(0n, 2n, 5n),
    refusePercent: fc.constantFrom(1n, 20n, 100n),
  })
  .chain(({ last, percent, units, confirmPercent, refusePercent }) => {
    const value = (units * last) / 10n ** 8n + 1n;
    return fc.record({
      last: fc.constant(last),
      rate: fc.oneof(
        around((last * (100n - percent)) / 100n + 1n),
        around((last * (100n - confirmPercent)) / 100n + 1n),
        around((last * (100n - refusePercent)) / 100n + 1n),
      ),
      units: fc.constant(units),
      extra: fc.constantFrom("", "", "", "", "", "0", "7"),
      available: fc.oneof(around(units), fc.constant(units * 2n), fc.constant(undefined)),
      minimum: fc.oneof(around(value), fc.constant(1n), fc.constant(1n)),
      maximum: fc.oneof(around(value), fc.constant(undefined), fc.constant(undefined)),
      confirmPercent: fc.constant(confirmPercent),
      refusePercent: fc.constant(refusePercent),
      isPriceOld: fc.constantFrom(false, false, false, false, false, false, false, true),
      isPostOnly: fc.boolean(),
      answers: fc.tuple(fc.boolean(), fc.constantFrom(true, true, true, false)),
    });
  });

/** Digits with a point before the last `places`, without zeros at the end. */
function plain(digits: bigint, places: number): string {
  const text = digits.toString().padStart(places + 1, "0");
  return `${text.slice(0, -places)}.${text.slice(-places)}`.replace(/\.?0+$/, "");
}

/** The guards in whole numbers: whether each lets the sell pass. */
function passes(sell: Sell): boolean {
  const { last, rate, units, extra, available, minimum, maximum, refusePercent, isPriceOld } = sell;
  // In 1e-10 THB.
  const value = units * rate;
  return (
    extra !== "7" &&
    !isPriceOld &&
    (available === undefined || units <= available) &&
    value >= minimum * 10n ** 8n &&
    (maximum === undefined || value <= maximum * 10n ** 8n) &&
    rate * 100n >= last * (100n - refusePercent) &&
    // A cent arrives after the fee of 0.25 %.
    value * 9975n >= 10n ** 8n * 10_000n
  );
}

describe("an order to sell", () => {
  let guarded: GuardedDesk;
  beforeEach(async () => {
    guarded = await openGuardedDesk();
  });
  afterEach(() => guarded.close());

  safetyLine(
    28,
    "Leaves only within the mirrored guards, and the confirmed digits are the signed and the sent digits",
    async (proof) => {
      const counts = { stopped: 0, declined: 0, sent: 0, askedTwice: 0 };
      const asks = await proof.property(
        10_000,
        fc.asyncProperty(sells, async (sell) => {
          const { last, rate, units, extra, available, maximum, answers, isPostOnly } = sell;
          const { now } = guarded;
          now.ticker = { last: Number(last) / 100 };
          now.available = available === undefined ? undefined : plain(available, 8);
          now.minimumAmount = new Decimal(plain(sell.minimum, 2));
          now.limits = {
            confirmBeyondPercent: new Decimal(sell.confirmPercent.toString()),
            refuseBeyondPercent: new Decimal(sell.refusePercent.toString()),
            maximumAmount: maximum === undefined ? undefined : new Decimal(plain(maximum, 2)),
          };
          [now.ageMs, now.isStale, now.isReadable] = sell.isPriceOld
            ? [20_000, true, false]
            : [0, false, true];
          const needsTwo = rate * 100n < last * (100n - sell.confirmPercent);
          guarded.answer = ({ button }) => answers[button === "Ask Below the Last Price" ? 0 : 1];
          const digits = plain(units, 8);
          const typed = extra === "" ? digits : `${units / 10n ** 8n}.${fraction(units)}${extra}`;
          const before = guarded.posts.length;

          const outcome = await guarded.place(typed, plain(rate, 2), "sell", isPostOnly);

          const [post, ...more] = guarded.posts.slice(before);
          if (!passes(sell)) {
            counts.stopped += 1;
            assert.equal(outcome.kind, "invalid");
            assert.deepEqual([post, guarded.asked], [undefined, []], codesOf(outcome).join());
            return;
          }
          const titles = guarded.asked.map(({ button }) => button);
          const isAgreed = (!needsTwo || answers[0]) && answers[1];
          assert.equal(titles[0] === "Ask Below the Last Price", needsTwo);
          if (!isAgreed) {
            counts.declined += 1;
            assert.deepEqual([outcome.kind, post], ["cancelled", undefined]);
            return;
          }
          counts.sent += 1;
          if (needsTwo) counts.askedTwice += 1;
          assert.equal(outcome.kind, "accepted", codesOf(outcome).join());
          assert.ok(post && more.length === 0 && isSignedOver(post));
          assert.equal(post.path, asksOffered.placeAsk?.path);
          const flag = isPostOnly ? ',"post_only":true' : "";
          const body = `{"sym":"THB_BTC","amt":${digits},"rat":${plain(rate, 2)},"typ":"limit"${flag}}`;
          assert.equal(post.body.toString(), body);
          const { title, detail, button } = guarded.asked.at(-1) ?? assert.fail("nobody was asked");
          assert.match(title, /^Sell BTC\/THB on Live .* with real money\?$/);
          assert.equal(button, "Place Ask");
          assert.equal(/^Post only: /m.test(detail), isPostOnly);
          assert.equal(ungrouped(/^Amount: (\S+) BTC$/m.exec(detail)?.[1]), digits);
          assert.equal(ungrouped(/^Limit price: (\S+) THB per BTC/m.exec(detail)?.[1]), plain(rate, 2));
        }),
      );
      if (asks >= 1000) {
        for (const count of Object.values(counts)) assert.ok(count > asks / 100, JSON.stringify(counts));
      }
      return (
        `${asks} asks: ${counts.stopped} stopped before any question, ${counts.declined} declined, 0 of those sent; ` +
        `${counts.sent} sent digit for digit as confirmed, ${counts.askedTwice} of them after a second question`
      );
    },
  );
});

function fraction(units: bigint): string {
  return (units % 10n ** 8n).toString().padStart(8, "0");
}

/** The plain digits of a figure in the question: without grouping and without trailing zeros. */
function ungrouped(shown = ""): string {
  assert.match(shown, /^\d{1,3}(,\d{3})*(\.\d+)?$/);
  const digits = shown.replaceAll(",", "");
  return digits.includes(".") ? digits.replace(/\.?0+$/, "") : digits;
}
