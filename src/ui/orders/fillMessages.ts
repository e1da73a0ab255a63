import * as vscode from "vscode";
import type { LifeChange } from "../../desk/life/orderTracker.ts";
import type { Timers } from "../../desk/time/timers.ts";
import type { OrderName } from "../../market/order.ts";
import { pairName } from "../../market/pair.ts";
import { averageText, shareOf } from "./lifeText.ts";
import { venueText } from "./orderState.ts";

/** Fills of this time are told in one message. */
const TOGETHER_MS = 1000;

export interface FillMessageOptions {
  readonly timers: Pick<Timers, "after">;
  readonly which: () => "on" | "partial" | "off";
  readonly reveal: (name: OrderName) => unknown;
}

/**
 * Tells a person of fills. The changes come only in the window that read them, so each fill is told once on this
 * computer.
 */
export class FillMessages {
  readonly #options: FillMessageOptions;
  readonly #waiting = new Map<string, LifeChange>();
  #cancel: (() => void) | undefined;

  constructor(options: FillMessageOptions) {
    this.#options = options;
  }

  readonly add = (change: LifeChange): void => {
    const which = this.#options.which();
    if (change.newFills.length === 0 || which === "off") return;
    if (which === "partial" && change.known.status === "filled") return;
    const key = Object.values(change.name).join(" ");
    const earlier = this.#waiting.get(key);
    const newFills = [...(earlier?.newFills ?? []), ...change.newFills];
    this.#waiting.set(key, { ...change, newFills });
    this.#cancel ??= this.#options.timers.after(TOGETHER_MS, () => this.#tell());
  };

  dispose(): void {
    this.#cancel?.();
  }

  #tell(): void {
    this.#cancel = undefined;
    const changes = [...this.#waiting.values()];
    this.#waiting.clear();
    const [first] = changes;
    if (!first) return;
    const text = changes.length === 1 ? textOf(first) : textOfSeveral(changes);
    const show = vscode.l10n.t("Show Order");
    void vscode.window.showInformationMessage(text, show).then((chosen) => {
      if (chosen === show) this.#options.reveal(first.name);
    });
  }
}

/** `Bid for BTC/THB on Practice: now 45.20% filled, at 2,949,000.00 THB.` Without amounts, so that nothing is to be hidden. */
function textOf({ known, name, newFills }: LifeChange): string {
  const { side, pair, status } = known;
  const at = averageText(known, status === "filled" ? known.fills : newFills) ?? "–";
  // The message may stay while the person turns to another exchange.
  const where = venueText({ intent: name });
  const order =
    side === "buy"
      ? vscode.l10n.t("Bid for {0} on {1}", pairName(pair), where)
      : vscode.l10n.t("Ask for {0} on {1}", pairName(pair), where);
  if (status === "filled") return vscode.l10n.t("{0}: filled at {1} {2}.", order, at, pair.quote);
  const share = shareOf(known);
  return share === undefined
    ? vscode.l10n.t("{0}: partly filled, at {1} {2}.", order, at, pair.quote)
    : vscode.l10n.t("{0}: now {1} filled, at {2} {3}.", order, share, at, pair.quote);
}

function textOfSeveral(changes: readonly LifeChange[]): string {
  const pairs = [...new Set(changes.map(({ known }) => pairName(known.pair)))].slice(0, 3).join(", ");
  return vscode.l10n.t("{0} orders were filled, or a part of them: {1}.", changes.length, pairs);
}
