import { createHash } from "node:crypto";
import * as z from "zod/mini";
import type { Alert } from "../../market/alertRule.ts";
import { keyOf, type Side } from "../../market/order.ts";
import { alertSchema } from "../../storage/alertFiles.ts";
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
  | {
      readonly kind: "fills";
      readonly venue: Alert["venue"];
      readonly symbol: string;
      readonly side: Side;
      readonly isFilled: boolean;
      /** Known in the window that read the fills. It is not stored, and no other program gets it. */
      readonly change?: OrderChange | undefined;
    }
);

const common = { key: z.string().check(z.regex(/^[\w-]{1,200}$/)), at: z.int().check(z.nonnegative()) };
const stored = z.discriminatedUnion("kind", [
  z.strictObject({ ...common, kind: z.literal("alert"), alert: alertSchema }),
  z.strictObject({
    ...common,
    kind: z.literal("fills"),
    venue: z.enum(["practice", "live"]),
    symbol: z.string().check(z.minLength(1), z.maxLength(64)),
    side: z.enum(["buy", "sell"]),
    isFilled: z.boolean(),
  }),
]);

/** The latest firing of an alert; undefined if it has not fired. */
export function alertFiring(alert: Alert): Firing | undefined {
  const { id, fired } = alert;
  return fired && { kind: "alert", key: `alert-${id}-${fired.armedAt}`, at: fired.at, alert };
}

/** The firing of a change of an order; undefined if nothing was filled. `at`: ms since the epoch. */
export function fillsFiring(change: OrderChange, at: number): Firing | undefined {
  const { order, newFills } = change;
  if (newFills.length === 0) return undefined;
  const { side, symbol, status } = order.known;
  const identity = JSON.stringify([keyOf(order.name), status, ...newFills.map(({ id }) => id)]);
  const key = `fills-${createHash("sha256").update(identity).digest("hex").slice(0, 32)}`;
  return {
    kind: "fills",
    key,
    at,
    venue: order.name.venue,
    symbol,
    side,
    isFilled: status === "filled",
    change,
  };
}

/** The text of a firing for the outbox, which `firingOf` reads. */
export function storedText(firing: Firing): string {
  const { change: _, ...fields } = { change: undefined, ...firing };
  return JSON.stringify(fields);
}

/** The firing of a stored text; undefined if it is not readable. */
export function firingOf(text: string): Firing | undefined {
  try {
    return stored.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
