import { sideOf, keyOf, type OrderName } from "../../market/order.ts";
import { type IntentRecord, type OrderEvent, type OrderRecord, sequenceTime } from "./records.ts";

type Accepted = Extract<OrderEvent, { kind: "outcome" }> & { readonly state: "accepted" };

/** What this computer sent, by the exchange's ids of the orders. */
export class SentOrders {
  readonly #intents = new Map<string, IntentRecord>();
  readonly #byName = new Map<string, IntentRecord>();
  /** Read when somebody asks. One window may record the acceptance of what another one sent. */
  #accepted: Accepted[] = [];

  /** Ignores the records of other kinds. */
  add(record: OrderRecord): void {
    if (record.kind === "intent") this.#intents.set(record.id, record);
    else if (record.kind === "outcome" && record.state === "accepted") this.#accepted.push(record);
  }

  /** Undefined for an order that was placed elsewhere. */
  get(name: OrderName): IntentRecord | undefined {
    this.#accepted = this.#accepted.filter((accepted) => !this.#read(accepted));
    return this.#byName.get(keyOf(name));
  }

  /** False if nothing was read yet that names the order. */
  #read({ id, orderId }: Accepted): boolean {
    const intent = this.#intents.get(id);
    if (orderId === undefined) return true;
    if (!intent) return false;
    const key = keyOf({ ...intent, side: sideOf(intent), orderId });
    // A practice account that was reset may count its orders from one again.
    const known = this.#byName.get(key);
    if (!known || sequenceTime(known) <= sequenceTime(intent)) this.#byName.set(key, intent);
    return true;
  }
}
