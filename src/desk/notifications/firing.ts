import { createHash } from "node:crypto";
import type { Alert } from "../../market/alertRule.ts";
import { keyOf } from "../../market/order.ts";
import type { OrderChange } from "../tracking/orderRecorder.ts";

/** Something that the user is notified of. */
export type Firing = {
  /** The same in every window that knows of the firing, and valid in a file name. */
  readonly key: string;
  /** ms since the epoch. */
  readonly at: number;
} & (
  | { readonly kind: "alert"; readonly alert: Alert }
  /** New fills of an order, or the fills that ended it. */
  | { readonly kind: "fills"; readonly change: OrderChange }
);

/** The latest firing of an alert; undefined if it has not fired. */
export function alertFiring(alert: Alert): Firing | undefined {
  const { id, fired } = alert;
  return fired && { kind: "alert", key: `alert-${id}-${fired.armedAt}`, at: fired.at, alert };
}

/** The firing of a change of an order; undefined if nothing was filled. `at`: ms since the epoch. */
export function fillsFiring(change: OrderChange, at: number): Firing | undefined {
  const { order, newFills } = change;
  if (newFills.length === 0) return undefined;
  const identity = JSON.stringify([keyOf(order.name), order.known.status, ...newFills.map(({ id }) => id)]);
  const key = `fills-${createHash("sha256").update(identity).digest("hex").slice(0, 32)}`;
  return { kind: "fills", key, at, change };
}
