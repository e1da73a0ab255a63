import type { Decimal } from "../../../market/numbers/decimal.ts";
import type { OrderReport } from "../../../market/orderReport.ts";
import { flagOf, positiveOf } from "../fields.ts";

const CONDITIONAL = /stop|trigger|take.?profit/i;
const PRICES = ["trigger_price", "stop_price", "triggerPrice", "stopPrice", "trigger", "stop"] as const;

/** The trigger of a stop order that waits for it; undefined if a row does not state the order's type. */
export function triggerOf(row: Readonly<Record<string, unknown>>): OrderReport["trigger"] {
  const type = row["type"] ?? row["typ"];
  if (typeof type !== "string" || type === "") return undefined;
  const isTriggered = flagOf(row["triggered"] ?? row["is_triggered"]) === true;
  return CONDITIONAL.test(type) && !isTriggered ? waitingTriggerOf(row) : "none";
}

/** Whether a row says that its order waits for a trigger. */
export function isWaiting({ status }: Readonly<Record<string, unknown>>): boolean {
  return typeof status === "string" && status.toLowerCase() === "untriggered";
}

/** The trigger of an order that waits for it. */
export function waitingTriggerOf(row: Readonly<Record<string, unknown>>): Decimal | "unknown" {
  return PRICES.map((name) => positiveOf(row[name])).find((price) => price !== undefined) ?? "unknown";
}
