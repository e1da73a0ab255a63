import assert from "node:assert/strict";
import {
  NoResponseError,
  NotSentError,
  RefusedError,
  UnreadableResponseError,
  type NotSentReason,
  type UnreadableReason,
} from "../../src/exchange/errors.ts";
import type { ProfileProblem } from "../../src/exchange/profile.ts";
import { Decimal } from "../../src/market/numbers/decimal.ts";
import type { OrderProblem } from "../../src/market/order.ts";
import { AmountText } from "../../src/ui/text/amountText.ts";
import { explain } from "../../src/ui/text/errorText.ts";
import { changeText, directionOf } from "../../src/ui/text/numberText.ts";
import { ageValidMs, ageText } from "../../src/ui/text/timeText.ts";
import { outcomeTexts, problemText } from "../../src/ui/ticket/outcomeText.ts";
import { ProfileError } from "../../src/ui/text/profileError.ts";
import { FakeClient, openVenue, tickerOf } from "../support/fakes/venue.ts";
import { BID } from "../support/builders/formDraft.ts";

const amounts = new AmountText(false);

const reasons: NotSentReason[] = [
  "unreachable",
  "hostNotFound",
  "connectionRefused",
  "handshake",
  "proxySignIn",
  "proxyRefused",
  "certificate",
  "insecure",
  "noCredentials",
  "credentialsUnreadable",
  "badCredentials",
  "clockUnknown",
  "rateLimit",
  "tooLate",
];
const unreadable: UnreadableReason[] = [
  "httpStatus",
  "challenge",
  "maintenance",
  "notJson",
  "shape",
  "tooLarge",
  "redirect",
];
const problems: ProfileProblem[] = [
  "baseUrlMissing",
  "baseUrlInvalid",
  "baseUrlInsecure",
  "baseUrlExtras",
  "headerPrefixInvalid",
  "pathInvalid",
  "walletMethodInvalid",
  "symbolOrderInvalid",
];

describe("an error text", () => {
  const all: unknown[] = [
    ...reasons.map((reason) => new NotSentError("wallet", reason, "detail")),
    new NoResponseError("wallet", "timeout", "detail"),
    new NoResponseError("wallet", "connectionLost", "detail"),
    ...unreadable.map((reason) => new UnreadableResponseError("wallet", reason, 404, "detail")),
    ...problems.map((problem) => new ProfileError([problem])),
    ...Array.from({ length: 100 }, (_, code) => new RefusedError("wallet", { code, httpStatus: 200 })),
    new RefusedError("wallet", { code: "V1007-CW", httpStatus: 400, serviceMessage: "closed." }),
    new TypeError("boom"),
  ];

  it("is a complete sentence with one action", () => {
    for (const error of all) {
      const { sentence, action } = explain(error, amounts, "api.example.com");
      assert.match(sentence, /^\S.*[.]$/s, sentence);
      assert.doesNotMatch(sentence, /undefined|\{\d\}|\.\./, sentence);
      assert.ok(action.title.length > 0 && action.command.length > 0);
    }
  });

  it("gives code, meaning and remedy for a wrong key, and leads to the key prompt", () => {
    const { sentence, action } = explain(
      new RefusedError("wallet", { code: 3, httpStatus: 200 }),
      amounts,
      "api.example.com",
    );
    assert.equal(
      sentence,
      "api.example.com returned error 3: Invalid API key. Check that the API key is valid, then set the API key and secret again.",
    );
    assert.equal(action.title, "Set API Key and Secret…");
  });

  it("quotes the exchange's message if the code is unknown", () => {
    const error = new RefusedError("wallet", {
      code: "V1007-CW",
      httpStatus: 400,
      serviceMessage: "market closed.",
    });
    assert.match(explain(error, amounts, "x").sentence, /error V1007-CW: market closed\. /);
  });
});

describe("a bid's outcome text", () => {
  const bid = {
    side: "buy" as const,
    symbol: "THB_BTC",
    pair: tickerOf("THB_BTC").pair,
    amount: new Decimal("1000"),
    rate: new Decimal("0.00000001"),
    quantity: new Decimal("1"),
    fee: new Decimal("2.5"),
  };

  it("says plainly what happened to the money", async () => {
    const venue = (await openVenue(new FakeClient())).signedIn ?? assert.fail();
    const refused = new RefusedError("placeBid", { code: 18, httpStatus: 200 });
    const rejected = outcomeTexts({ kind: "rejected", venue, order: bid, error: refused }, BID, amounts);
    assert.match(rejected.notice?.text ?? "", /^Rejected\. Nothing was spent\. .*error 18/);
    assert.equal(rejected.fields.amount, "Lower the amount to the available balance.");
    const lost = new NoResponseError("placeBid", "connectionLost", "reset");
    const unknown = outcomeTexts({ kind: "unknown", venue, order: bid, error: lost }, BID, amounts);
    assert.equal(
      unknown.notice?.text,
      "No response: your order may have been placed. Checking your balance… The connection to Practice was lost before the response was complete. Check your orders on Practice before you order again. Bidside never sends an order twice.",
    );
    assert.deepEqual(unknown.notice?.actions, [{ id: "showOrders", title: "Show Orders" }]);
    assert.equal(unknown.notice?.tone, "warning");
    const accepted = outcomeTexts(
      { kind: "accepted", venue, order: bid, receipt: { orderId: "9007199254740993" } },
      BID,
      amounts,
    );
    assert.equal(
      accepted.notice?.text,
      "Practice accepted your order: 1,000.00 THB for BTC at 0.00000001. Order ID: 9007199254740993. It fills when the market reaches your limit price.",
    );
    assert.equal(accepted.done, true);
    assert.equal(rejected.done || unknown.done, false);
  });

  it("says what to check before submitting again, and offers a button for that", () => {
    const { notice, done } = outcomeTexts({ kind: "duplicate" }, BID, amounts);
    assert.equal(
      notice?.text,
      "Not sent: this draft was already submitted, here or in another window. Check Orders before you submit the draft again.",
    );
    assert.deepEqual(notice?.actions, [{ id: "showOrders", title: "Show Orders" }]);
    assert.equal(done, false);
  });

  it("asks to wait for a rate limit, and promises no automatic bid", async () => {
    const venue = (await openVenue(new FakeClient())).signedIn ?? assert.fail();
    const retryAt = Date.now() + 30_000;
    const error = new RefusedError("placeBid", { code: 30, httpStatus: 429, retryAt });
    assert.match(
      outcomeTexts({ kind: "rejected", venue, order: bid, error }, BID, amounts).notice?.text ?? "",
      /^Rejected\. Nothing was spent\. Too many requests to Practice\. You can submit again after /,
    );
    const tomorrow = Date.now() + 86_400_000;
    const longer = new RefusedError("placeBid", { code: 30, httpStatus: 429, retryAt: tomorrow });
    assert.match(
      outcomeTexts({ kind: "rejected", venue, order: bid, error: longer }, BID, amounts).notice?.text ?? "",
      new RegExp(`after .*\\b${new Date(tomorrow).getDate()}\\b`),
    );
    assert.equal(
      outcomeTexts({ kind: "rateLimited", venue }, BID, amounts).notice?.text,
      "Not sent: too many requests to Practice. Wait for the countdown, then submit again.",
    );
  });

  it("has a text for every problem of every field", () => {
    const codes: OrderProblem["code"][] = [
      "missing",
      "unknownPair",
      "frozen",
      "sideFrozen",
      "noPrice",
      "priceTooOld",
      "notDecimal",
      "notPositive",
      "maximumUnreadable",
      "belowMinimum",
      "aboveMaximum",
      "aboveAvailable",
      "quantityZero",
      "farAboveLast",
      "aboveLastNow",
    ];
    for (const field of ["pair", "amount", "rate"] as const) {
      for (const code of codes) {
        assert.match(problemText({ field, code, limit: new Decimal("10") }, BID, amounts), /^[A-Z].*\.$/);
      }
    }
  });
});

describe("an unreadable maximum", () => {
  it("is named by its setting, with an example of a valid maximum", () => {
    assert.equal(
      problemText({ field: "amount", code: "maximumUnreadable" }, BID, amounts),
      "The limit in bidside.orders.maximumAmount is invalid, so all orders are blocked. Use digits and at most one decimal point, such as 50000 or 0.5.",
    );
  });
});

describe("numbers, for display", () => {
  it("give a change its sign, and no sign to a change that shows as zero", () => {
    assert.deepEqual([1.006, -0.5, 0.001, undefined].map(changeText), ["+1.01%", "-0.50%", "0.00%", ""]);
    assert.deepEqual([1, -1, 0.001, undefined].map(directionOf), ["up", "down", "flat", "flat"]);
  });

  it("give an age in a unit that is precise enough, and never exceed the age", () => {
    assert.deepEqual([-5000, 0, 12_999, 119_999, 180_000, 7_200_000, 30 * 86_400_000].map(ageText), [
      "0 sec",
      "0 sec",
      "12 sec",
      "119 sec",
      "3 min",
      "2 hr",
      "30 days",
    ]);
  });

  it("say how long an age stays valid", () => {
    for (const ms of [-1, 0, 1, 999, 1000, 89_500, 119_999, 120_000, 7_199_999, 7_200_000, 3e8]) {
      const holdsMs = ageValidMs(ms);
      assert.equal(ageText(ms + holdsMs - 1), ageText(ms), `${ms}`);
      assert.notEqual(ageText(ms + holdsMs), ageText(ms), `${ms}`);
    }
  });
});
