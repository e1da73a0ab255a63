import * as vscode from "vscode";
import type { OrderChange } from "../../desk/tracking/orderRecorder.ts";
import type { Timers } from "../../time/timers.ts";
import { keyOf, type OrderName } from "../../market/order.ts";
import { hiddenAmount } from "../../market/numbers/hiddenFigures.ts";
import { hasEnded } from "../../market/orders/knownOrder.ts";
import { pairName } from "../../market/pair.ts";
import { showStatusMessage } from "../statusMessage.ts";
import type { AmountText } from "../text/amountText.ts";
import { sideTexts } from "../text/sideTexts.ts";
import { averageText, filledText, progressText, shareOf } from "./reportText.ts";

const TOGETHER_MS = 1000;

interface FillMessageOptions {
  readonly timers: Timers;
  readonly amounts: () => AmountText;
  readonly which: () => "on" | "partial" | "off";
  readonly reveal: (name: OrderName) => unknown;
  /** Whether the user is looking at this order's outcome, which a notification would cover. */
  readonly isInView: (name: OrderName) => boolean;
  /** The name of an order's account. */
  readonly accountText: (name: OrderName) => string;
}

/**
 * Notifies about fills: an order's end as one notification, partial fills and an end that is in view in the status bar for
 * a few seconds, because a notification cannot be updated and an order may have many fills.
 */
export class FillMessages {
  readonly #options: FillMessageOptions;
  readonly #waiting = new Map<string, OrderChange>();
  /** Reported ends, by order key and status, because an inferred end may be corrected. */
  readonly #ended = new Set<string>();
  #cancel: (() => void) | undefined;

  constructor(options: FillMessageOptions) {
    this.#options = options;
  }

  add(change: OrderChange): void {
    if (this.#options.which() === "off") return;
    const key = keyOf(change.order.name);
    const earlier = this.#waiting.get(key);
    const newFills = [...(earlier?.newFills ?? []), ...change.newFills];
    this.#waiting.set(key, { ...change, newFills });
    this.#cancel ??= this.#options.timers.after(TOGETHER_MS, () => this.#report());
  }

  dispose(): void {
    this.#cancel?.();
  }

  #report(): void {
    this.#cancel = undefined;
    const isQuiet = this.#options.which() === "partial";
    const [ends, others]: [OrderChange[], OrderChange[]] = [[], []];
    for (const [key, change] of this.#waiting) {
      const { known, name } = change.order;
      const end = `${key} ${known.status}`;
      const isEnd = hasEnded(known) && !this.#ended.has(end);
      if (isEnd) this.#ended.add(end);
      (isEnd && (isQuiet || !this.#options.isInView(name)) ? ends : others).push(change);
    }
    this.#waiting.clear();
    if (others.length > 0) showStatusMessage(textOf(others, this.#options));
    const [first] = ends;
    if (!first || isQuiet) return;
    const show = vscode.l10n.t("Show Order");
    void vscode.window.showInformationMessage(textOf(ends, this.#options), show).then((chosen) => {
      if (chosen === show) this.#options.reveal(first.order.name);
    });
  }
}

type Texts = Pick<FillMessageOptions, "amounts" | "accountText">;

function textOf(changes: readonly OrderChange[], texts: Texts): string {
  const [first] = changes;
  return changes.length === 1 && first ? textOfOne(first, texts) : textOfSeveral(changes);
}

/**
 * `Buy order for BTC/THB on Practice: now 45.2% filled, 0.01 BTC at 2,949,000.00 THB.` Quantity and average price
 * are those of the new fills, or of all fills at the end.
 */
function textOfOne({ order: { known, name }, newFills }: OrderChange, texts: Texts): string {
  const { side, pair, status } = known;
  const isEnd = hasEnded(known);
  const fills = isEnd ? known.fills : newFills;
  const quantity = filledText(fills, (text) => (texts.amounts().areHidden ? hiddenAmount : text));
  const at = vscode.l10n.t(
    "{0} {1} at {2} {3}",
    quantity,
    pair.base,
    averageText(known, fills) ?? "–",
    pair.quote,
  );
  // Names the account, because the user may have switched by the time it is read.
  const what = sideTexts[side].orderOn(pairName(pair), texts.accountText(name));
  if (status === "filled") return vscode.l10n.t("{0}: filled, {1}.", what, at);
  if (isEnd) return vscode.l10n.t("{0}: {1}, {2}.", what, progressText(known), at);
  const share = shareOf(known);
  return share === undefined
    ? vscode.l10n.t("{0}: partly filled, {1}.", what, at)
    : vscode.l10n.t("{0}: now {1} filled, {2}.", what, share, at);
}

function textOfSeveral(changes: readonly OrderChange[]): string {
  const pairs = [...new Set(changes.map(({ order }) => pairName(order.known.pair)))].slice(0, 3).join(", ");
  return vscode.l10n.t("{0} orders were filled or partly filled: {1}.", changes.length, pairs);
}
