import * as vscode from "vscode";
import type { DrawnLine } from "../../market/drawnLine.ts";
import { Decimal } from "../../market/numbers/decimal.ts";
import type { ChartMark } from "../../protocol/chartMarks.ts";
import { exactRateText } from "../text/numberText.ts";
import { dateTimeText } from "../text/timeText.ts";

/** The mark of a line that the user drew. `places`: decimals of the pair's prices. */
export function drawnLineMark({ id, name, shape }: DrawnLine, places: number): ChartMark {
  const ref = { kind: "drawn", id } as const;
  const price = (text: string): string => exactRateText(new Decimal(text), places);
  if (shape.kind === "level") {
    const label = name || vscode.l10n.t("Line");
    const text = vscode.l10n.t("{0} at {1}", label, price(shape.price));
    return { kind: "drawn", tone: "plain", rate: shape.price, label, text, ref };
  }
  const { from, to } = shape;
  const text = vscode.l10n.t(
    "{0} from {1} ({2}) to {3} ({4})",
    name || vscode.l10n.t("Trend line"),
    price(from.price),
    dateTimeText(from.at),
    price(to.price),
    dateTimeText(to.at),
  );
  return { kind: "trend", from, to, label: name, text, ref };
}
