import { randomUUID } from "node:crypto";
import type { HeldElsewhere } from "../../../src/market/holdings/heldElsewhere.ts";
import { Decimal } from "../../../src/market/numbers/decimal.ts";

interface Given extends Partial<Pick<HeldElsewhere, "venue" | "asset" | "place">> {
  readonly quantity?: string;
  /** Asset and amount. */
  readonly cost?: readonly [string, string];
}

/** A holding that a user entered: 1 BTC in a cold wallet unless given otherwise. */
export function heldElsewhere({
  venue = "practice",
  asset = "BTC",
  quantity = "1",
  cost,
  place = "cold wallet",
}: Given = {}): HeldElsewhere {
  return {
    id: randomUUID(),
    venue,
    asset,
    quantity: new Decimal(quantity),
    cost: cost && { asset: cost[0], amount: new Decimal(cost[1]) },
    place,
  };
}
