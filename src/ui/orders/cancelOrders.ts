import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import type { CancelOutcome, CancelTarget } from "../../desk/tracking/canceller.ts";
import { offersCancel } from "../../desk/venue.ts";
import { pairKey, pairName } from "../../market/pair.ts";
import type { CancelRecord } from "../../storage/orders/placedOrderRecords.ts";
import { choose } from "../quickInput.ts";
import { shownAmounts } from "../text/amountText.ts";
import { showStatusMessage } from "../statusMessage.ts";
import { diskAdvice } from "../text/diskText.ts";
import { explain } from "../text/errorText.ts";
import { sideTexts } from "../text/sideTexts.ts";
import { limitText, progressText } from "./reportText.ts";
import { OrderRow, type OrderList } from "./orderRows.ts";

type CancelDesk = Pick<Desk, "venue" | "following">;

/**
 * Cancels the order of a row or id, or one that the user picks. The canceller asks for confirmation. Returns whether a
 * cancellation was requested.
 */
export async function cancelOrder(desk: CancelDesk, list: OrderList, order: unknown): Promise<boolean> {
  if (!isOffered(desk)) return false;
  const targets = targetsOf(list);
  const id = order instanceof OrderRow ? order.id : order;
  const isNamed = id !== undefined;
  const [chosen] = isNamed ? targetsOf(list, id) : [await chooseTarget(targets)];
  if (chosen) return await cancel(desk, [chosen]);
  if (isNamed || targets.length === 0) showNothingOpen();
  return false;
}

/** Cancels all open orders of a row's pair, or of a pair that the user picks. */
export async function cancelAllOfPair(desk: CancelDesk, list: OrderList, row: unknown): Promise<void> {
  if (!isOffered(desk)) return;
  const targets = targetsOf(list);
  const key = row instanceof OrderRow && row.known ? pairKey(row.known.pair) : await choosePair(targets);
  const chosen = targets.filter(({ known }) => pairKey(known.pair) === key);
  if (chosen.length > 0) await cancel(desk, chosen);
  else if (key !== undefined || targets.length === 0) showNothingOpen();
}

function isOffered({ venue }: CancelDesk): boolean {
  if (offersCancel(venue.venue)) return true;
  showStatusMessage(notOfferedText());
  return false;
}

/** The open orders, or only that of an id if it is still open. */
function targetsOf({ groups }: OrderList, id?: unknown): CancelTarget[] {
  return groups.open
    .filter((each) => (id === undefined || each.id === id) && each.isCancellable)
    .flatMap(({ order: { name, known } }) => (name && known ? [{ name, known }] : []));
}

async function chooseTarget(targets: readonly CancelTarget[]): Promise<CancelTarget | undefined> {
  if (targets.length === 0) return undefined;
  const items = targets.map((target) => {
    const { side, pair, rate, orderId } = target.known;
    const name = pairName(pair);
    return {
      label: sideTexts[side].named(name),
      description: `${progressText(target.known)} @ ${limitText(rate)} · ${vscode.l10n.t("order {0}", orderId)}`,
      target,
    };
  });
  const chosen = await choose(items, {
    title: vscode.l10n.t("Cancel Order"),
    placeHolder: vscode.l10n.t("Choose an open order"),
    matchOnDescription: true,
  });
  return chosen?.target;
}

/** The key of the picked pair. */
async function choosePair(targets: readonly CancelTarget[]): Promise<string | undefined> {
  if (targets.length === 0) return undefined;
  const byPair = Map.groupBy(targets, ({ known }) => pairKey(known.pair));
  const items = [...byPair].flatMap(([key, [first, ...more]]) =>
    first
      ? [
          {
            label: pairName(first.known.pair),
            description: vscode.l10n.t("open orders: {0}", more.length + 1),
            key,
          },
        ]
      : [],
  );
  const chosen = await choose(items, {
    title: vscode.l10n.t("Cancel All Open Orders of a Pair"),
    placeHolder: vscode.l10n.t("Choose a pair"),
  });
  return chosen?.key;
}

async function cancel({ following }: CancelDesk, targets: readonly CancelTarget[]): Promise<boolean> {
  const outcome = await following.canceller.cancel(targets);
  reportOutcome(outcome);
  return outcome.kind === "sent";
}

function showNothingOpen(): void {
  showStatusMessage(vscode.l10n.t("No open orders to cancel."));
}

/** Reports what the rows do not show. The outcome of each order is in its row. */
function reportOutcome(outcome: CancelOutcome): void {
  const text = outcomeText(outcome);
  if (text === undefined) return;
  const show = outcome.kind === "notRecorded" ? "showErrorMessage" : "showWarningMessage";
  void vscode.window[show](text);
}

function outcomeText(outcome: CancelOutcome): string | undefined {
  switch (outcome.kind) {
    case "declined":
      return undefined;
    case "noVenue":
      return vscode.l10n.t("Nothing was cancelled: no exchange is active.");
    case "notOffered":
      return notOfferedText();
    case "venueChanged":
      return vscode.l10n.t(
        "The account or its settings changed in the meantime. The remaining orders were not cancelled.",
      );
    case "accountChanged":
      return vscode.l10n.t("The API key changed in the meantime. The remaining orders were not cancelled.");
    case "otherAccount":
      return vscode.l10n.t(
        "Nothing was cancelled: the order belongs to another account than the one you use now.",
      );
    case "notSignedIn":
      return `${vscode.l10n.t("Nothing was cancelled.")} ${explain(outcome.error, shownAmounts(), outcome.venue.name).sentence}`;
    case "notRecorded":
      return vscode.l10n.t(
        "The cancellation could not be recorded, so it was not sent. {0}",
        diskAdvice(outcome.error),
      );
    case "sent":
      return askedText(outcome.steps);
  }
}

function askedText(steps: readonly CancelRecord["step"][]): string | undefined {
  if (steps.includes("unanswered"))
    return vscode.l10n.t(
      "The exchange's response to the cancellation was unclear. The order may still be open; its row shows what the exchange reports.",
    );
  if (steps.includes("rejected") || steps.includes("notOpen"))
    return vscode.l10n.t(
      "The exchange did not cancel the order, which may already be filled or cancelled. Its row shows what the exchange reports.",
    );
  return undefined;
}

function notOfferedText(): string {
  return vscode.l10n.t(
    "Bidside cannot cancel orders on this exchange. Cancel the order on the exchange's own site.",
  );
}
