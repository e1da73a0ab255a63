import type { OrderRecord } from "../../../src/storage/orders/records.ts";
import { FoldedOrders } from "../../../src/storage/orders/foldedOrders.ts";
import { NOON } from "./bidIntent.ts";

const ENDED_PROCESS = { name: undefined, pid: undefined };

/** Adds records, as ended processes wrote them. */
export function fold(folded: FoldedOrders, ...records: readonly OrderRecord[]): FoldedOrders {
  for (const record of records) folded.add(ENDED_PROCESS, { line: undefined, record });
  return folded;
}

/** What these records say together. */
export function foldedOrders(...records: readonly OrderRecord[]): FoldedOrders {
  return fold(new FoldedOrders({ now: () => NOON, isRunning: () => false }), ...records);
}
