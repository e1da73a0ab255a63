import * as vscode from "vscode";
import { commandIds, settingKeys } from "../../contributions.ts";
import type { OrderOutcome } from "../../desk/orders/orderPlacer.ts";
import type { SentOutcome } from "../../desk/orders/orders.ts";
import { NoResponseError, RefusedError } from "../../exchange/errors.ts";
import { Decimal, plainText } from "../../market/numbers/decimal.ts";
import {
  assetsOf,
  type LimitOrder,
  type OrderField,
  type OrderProblem,
  type Side,
} from "../../market/order.ts";
import { hasEnded, isUnlisted, type KnownOrder } from "../../market/orders/knownOrder.ts";
import type { Pair } from "../../market/pair.ts";
import type { FieldTexts, FormNotice, NoticeAction } from "../../protocol/ticket.ts";
import type { OwnOrder } from "../../storage/orders/order.ts";
import { averageText, progressText, shareOf } from "../orders/reportText.ts";
import { venueText } from "../orders/orderState.ts";
import { differencesText } from "../orders/receiptText.ts";
import type { AmountText } from "../text/amountText.ts";
import { diskAdvice } from "../text/diskText.ts";
import { explain } from "../text/errorText.ts";
import { confirmedAmountText, exactRateText } from "../text/numberText.ts";
import { sideTexts } from "../text/sideTexts.ts";
import { figureProblemText } from "../text/typedFigure.ts";

/**
 * Significant digits of the maximum rate, truncated so that the shown rate is accepted; further digits are
 * floating-point noise.
 */
const LIMIT_DIGITS = 12;

/** Terms mentioned in texts about an order. Assets are "" while the pair is not listed. */
interface OrderTerms extends Pair {
  readonly side: Side;
  /** The typed texts. */
  readonly typed?: Partial<Readonly<Record<OrderField, string>>>;
}

export function problemText(
  { code, field, limit }: OrderProblem,
  { side, quote, base, typed }: OrderTerms,
  amounts: AmountText,
): string {
  const texts = sideTexts[side];
  const bound = limit === undefined ? "" : confirmedAmountText(limit, quote);
  switch (code) {
    case "missing":
      if (field === "pair") return vscode.l10n.t("Choose a pair.");
      return field === "amount" ? texts.missingAmount() : texts.missingRate();
    case "unknownPair":
      return vscode.l10n.t(
        "The exchange no longer lists this pair. Choose another pair, or refresh the markets.",
      );
    case "frozen":
      return vscode.l10n.t("This pair is frozen: the exchange does not accept orders for it at the moment.");
    case "sideFrozen":
      return texts.frozen();
    case "asksNotOffered":
      return vscode.l10n.t("This exchange does not offer sell orders.");
    case "postOnlyNotOffered":
      return vscode.l10n.t("This exchange does not offer post-only orders.");
    case "noPrice":
      return vscode.l10n.t("This pair has no price at the moment. Refresh the markets, then submit again.");
    case "priceTooOld":
      return vscode.l10n.t(
        "The last price is too old. Wait for a new one, check your limit price, then submit again.",
      );
    case "notDecimal":
      return figureProblemText(typed?.[field] ?? "");
    case "notPositive":
      return vscode.l10n.t("Must be above zero.");
    case "tooManyDecimals":
      return vscode.l10n.t("At most {0} decimals.", limit ? plainText(limit) : "");
    case "maximumUnreadable":
      return vscode.l10n.t(
        "The limit in {0} is invalid, so all orders are blocked. Use digits and at most one decimal point, such as 50000 or 0.5.",
        settingKeys.maximumAmount,
      );
    case "belowMinimum":
      return texts.belowMinimum(bound, quote);
    case "aboveMaximum":
      return texts.aboveMaximum(bound, quote);
    case "aboveAvailable": {
      const asset = assetsOf(side, { quote, base }).amount;
      const available = limit ? amounts.holding(limit, asset, quote) : "";
      return vscode.l10n.t("Exceeds your available balance of {0} {1}.", available, asset);
    }
    case "quantityZero":
      return texts.quantityZero();
    case "farAboveLast":
      return vscode.l10n.t(
        "Too far above the last price. The maximum is {0} {1}.",
        limit ? exactRateText(limit.prec(LIMIT_DIGITS, Decimal.roundDown)) : "",
        quote,
      );
    case "farBelowLast":
      return vscode.l10n.t(
        "Too far below the last price. The minimum is {0} {1}.",
        limit ? exactRateText(limit.prec(LIMIT_DIGITS, Decimal.roundUp)) : "",
        quote,
      );
    case "farFromBook":
      return texts.farFromBook(limit ? plainText(limit) : "");
    case "offStep":
      return vscode.l10n.t(
        "The price must be in steps of {0} {1}.",
        limit ? exactRateText(limit) : "",
        quote,
      );
    case "belowLastNow":
      return vscode.l10n.t(
        "The last price rose while you were confirming. Your limit price is now far below it. Check it, then submit again.",
      );
    case "bookThinnedNow":
      return vscode.l10n.t(
        "The order book changed while you were confirming. Your order would now fill far from its best price. Check the limit price, then submit again.",
      );
    case "aboveLastNow":
      return vscode.l10n.t(
        "The last price fell while you were confirming. Your limit price is now far above it. Check it, then submit again.",
      );
  }
}

/** Why no available balance is shown, and what that means for an order. */
export function unknownBalanceText(quote: string): string {
  return vscode.l10n.t(
    "Your {0} balance is unknown: the exchange's response has no readable balance. Bidside cannot check an order against your balance before it is sent; the exchange decides.",
    quote,
  );
}

/** The ticket after a submission: a notice, errors beside fields, and whether the draft has become an order. */
export interface OutcomeTexts {
  readonly notice: FormNotice | undefined;
  readonly fields: FieldTexts;
  readonly done: boolean;
}

const saying =
  (tone: FormNotice["tone"]) =>
  (text: string, action?: NoticeAction): OutcomeTexts => ({
    notice: { tone, text, ...(action && { actions: [action] }) },
    fields: {},
    done: false,
  });
const [good, info, warning, bad] = [saying("good"), saying("info"), saying("warning"), saying("bad")];

const showOrders = (): NoticeAction => ({ id: "showOrders", title: vscode.l10n.t("Show Orders") });

/**
 * The ticket's text for an outcome. `places`: the pair's decimals, if listed. `known`: what the exchange has reported
 * about the accepted order since.
 */
export function outcomeTexts(
  outcome: OrderOutcome | SentOutcome,
  terms: OrderTerms,
  amounts: AmountText,
  places?: number,
  known?: KnownOrder,
): OutcomeTexts {
  switch (outcome.kind) {
    case "invalid":
      return {
        ...bad(vscode.l10n.t("Not sent. Check the highlighted fields.")),
        fields: Object.fromEntries(
          outcome.problems.map((problem) => [problem.field, problemText(problem, terms, amounts)]),
        ),
      };
    case "cancelled":
      return warning(vscode.l10n.t("Not sent: you cancelled."));
    case "answeredTooSoon":
      return warning(
        vscode.l10n.t(
          "Not sent: you confirmed within a second. Check the figures of the prepared order, then submit again.",
        ),
      );
    case "busy":
      return warning(vscode.l10n.t("Not sent: another order is being sent. Wait for its outcome."));
    case "noVenue":
      return bad(vscode.l10n.t("Not sent: no exchange is active."), {
        id: "switchAccount",
        title: vscode.l10n.t("Switch Account…"),
      });
    case "venueChanged":
      return bad(
        vscode.l10n.t(
          "Not sent: the account or its settings have changed. Check the ticket, then submit again.",
        ),
      );
    case "accountChanged":
      return bad(
        vscode.l10n.t(
          "Not sent: the API key changed, so the order would have gone to another account than this ticket's. Check which account you use, then submit again.",
        ),
      );
    case "notSignedIn": {
      const { sentence, action } = explain(outcome.error, amounts, outcome.venue.name);
      return bad(`${sideTexts[terms.side].notSent()} ${sentence}`, formAction(action));
    }
    case "notRecorded":
      return bad(sideTexts[terms.side].notRecorded(diskAdvice(outcome.error)), {
        id: "showLog",
        title: vscode.l10n.t("Show Log"),
      });
    case "duplicate":
      return warning(
        vscode.l10n.t(
          "Not sent: this draft was already submitted, here or in another window. Check Orders before you submit the draft again.",
        ),
        showOrders(),
      );
    case "rateLimited":
      return warning(
        vscode.l10n.t(
          "Not sent: too many requests to {0}. Wait for the countdown, then submit again.",
          outcome.venue.name,
        ),
      );
    case "accepted": {
      const { order, receipt, venue } = outcome;
      const what = orderWords(order, amounts, places);
      const accepted =
        receipt.orderId === undefined
          ? vscode.l10n.t("{0} accepted your order: {1}.", venue.name, what)
          : vscode.l10n.t("{0} accepted your order: {1}. Order ID: {2}.", venue.name, what, receipt.orderId);
      if (receipt.differences) {
        const differences = differencesText(receipt.differences, amounts.maskIn);
        const wrong = vscode.l10n.t(
          "However, the exchange's response differs from your order: {0}.",
          differences,
        );
        const advice = vscode.l10n.t("Check the order on {0}.", venue.name);
        return { ...warning(`${accepted} ${wrong} ${advice}`, showOrders()), done: true };
      }
      const { tone, text } = progressNotice(known);
      return { ...saying(tone)(`${accepted} ${text}`), done: true };
    }
    case "rejected":
    case "notSent": {
      const { kind, error, venue, order } = outcome;
      const texts = sideTexts[order.side];
      const { sentence, action } = explain(error, amounts, venue.name);
      const end = kind === "rejected" ? texts.rejected() : texts.notSent();
      const field = error instanceof RefusedError && fieldOf(error.code);
      const fields = field ? { [field]: vscode.l10n.t(error.remedy ?? "") } : {};
      return { ...bad(`${end} ${sentence}`, formAction(action)), fields };
    }
    case "unknown": {
      const { cause } = explain(outcome.error, amounts, outcome.venue.name);
      const advice = vscode.l10n.t(
        "Check your orders on {0} before you order again. Bidside never sends an order twice.",
        outcome.venue.name,
      );
      return warning(`${mayBePlaced(outcome.error)} ${cause} ${advice}`, showOrders());
    }
  }
}

function mayBePlaced(error: unknown): string {
  return error instanceof NoResponseError
    ? vscode.l10n.t("No response: your order may have been placed. Checking your balance…")
    : vscode.l10n.t("Unclear response: your order may have been placed. Checking your balance…");
}

/** Progress of a placed order according to the exchange. Rates are not amounts, so they are never masked. */
function progressNotice(known: KnownOrder | undefined): FormNotice {
  const waits = vscode.l10n.t("It fills when the market reaches your limit price.");
  if (!known) return { tone: "good", text: waits };
  const average = averageText(known);
  const rate = average === undefined ? "" : `${average} ${known.pair.quote}`;
  if (known.status === "filled") {
    const text = rate === "" ? vscode.l10n.t("Filled.") : vscode.l10n.t("Filled at {0}.", rate);
    return { tone: "good", text };
  }
  if (isUnlisted(known)) {
    const text = vscode.l10n.t(
      "The exchange no longer lists this order and does not report its outcome. It may still be open: cancel it to make sure.",
    );
    return { tone: "warning", text };
  }
  if (!hasEnded(known)) {
    if (rate === "") return { tone: "good", text: waits };
    const share = shareOf(known);
    const filled =
      share === undefined
        ? vscode.l10n.t("Partly filled at {0}.", rate)
        : vscode.l10n.t("{0} filled so far, at {1}.", share, rate);
    return { tone: "good", text: `${filled} ${vscode.l10n.t("The rest stays open at your limit price.")}` };
  }
  const end = progressText(known);
  if (rate !== "") return { tone: "info", text: vscode.l10n.t("{0}, at {1}.", end, rate) };
  if (known.status !== "cancelled" && known.status !== "rejected") return { tone: "info", text: `${end}.` };
  const text = sideTexts[known.side].endedEmpty(end);
  return { tone: known.status === "rejected" ? "bad" : "info", text };
}

/**
 * The ticket's text for an order whose outcome was unknown, from its current record, including what the exchange has
 * reported since.
 */
export function settledTexts(
  { intent, state, settledBy, known }: OwnOrder,
  amounts: AmountText,
): OutcomeTexts {
  const [amount, rate] = [new Decimal(intent.amount), new Decimal(intent.rate)];
  const side = intent.side;
  const what = orderWords({ side, pair: intent, amount, rate }, amounts);
  const by =
    settledBy === undefined
      ? ""
      : settledBy === "user"
        ? vscode.l10n.t("Marked by you.")
        : state === "notPlaced"
          ? vscode.l10n.t("Confirmed by the order lists and the balance.")
          : vscode.l10n.t("Confirmed by the balance.");
  const withSource = (sentence: string): string => [sentence, by].filter(Boolean).join(" ");
  switch (state) {
    case "accepted": {
      const placed = withSource(vscode.l10n.t("Your order was placed: {0}.", what));
      if (!known) return good(placed);
      const { tone, text } = progressNotice(known);
      return saying(tone)(`${placed} ${text}`);
    }
    case "rejected":
    case "notSent":
    case "notPlaced":
      return info(withSource(sideTexts[side].notPlaced(what)));
    case "accountReset":
      return info(
        vscode.l10n.t(
          "The practice account was reset while the outcome of your order was unknown: {0}.",
          what,
        ),
      );
    default:
      return warning(
        vscode.l10n.t(
          "The outcome of your order is unknown: {0}. Check your orders on {1}, then mark the order in Orders as placed or not placed.",
          what,
          venueText(intent),
        ),
        showOrders(),
      );
  }
}

/** A short description of an order, with the amount masked in privacy mode. */
function orderWords(
  { side, amount, rate, pair }: Pick<LimitOrder, "side" | "amount" | "rate" | "pair">,
  amounts: AmountText,
  places?: number,
): string {
  const assets = assetsOf(side, pair);
  return vscode.l10n.t(
    "{0} {1} for {2} at {3}",
    amounts.holding(amount, assets.amount, pair.quote),
    assets.amount,
    assets.quantity,
    exactRateText(rate, places),
  );
}

/** The field that a rejection is about (error codes of api.md 7 and related exchanges). */
function fieldOf(code: number | string): OrderField | undefined {
  if (code === 11 || code === 61) return "pair";
  if (code === 12 || code === 15 || code === 17 || code === 18 || code === "B1003") return "amount";
  return code === 13 || code === 14 ? "rate" : undefined;
}

/** Only actions that the page may request from the host. */
function formAction({ command, title }: { command: string; title: string }): NoticeAction | undefined {
  // No button beside an outcome may resend the order.
  const id = (["setCredentials", "showLog", "testConnection"] as const).find(
    (each) => command === commandIds[each],
  );
  return id && { id, title };
}
