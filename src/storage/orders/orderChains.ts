import { compareOrderIds, keyOf, type OrderName } from "../../market/order.ts";
import type { PlacedOrderRecord } from "./placedOrderRecords.ts";

/** Everything reported under one id. */
export interface ChainMember {
  readonly key: string;
  readonly name: OrderName;
  readonly records: readonly PlacedOrderRecord[];
  readonly otherIds: Iterable<string>;
}

/** One order that its exchange continued under new ids. */
export interface OrderChain<Member extends ChainMember = ChainMember> {
  /** The name under which our order was accepted, else that with the first id. */
  readonly name: OrderName;
  /** What was reported under each id, in id order. Not empty. */
  readonly members: readonly Member[];
  /** All ids in order, including those without reports, and their keys. */
  readonly ids: readonly string[];
  readonly keys: readonly string[];
}

interface ChainOptions<Member extends ChainMember> {
  readonly find: (key: string) => Member | undefined;
  readonly isOwn: (key: string) => boolean;
}

/**
 * Groups linked orders into chains. Two orders placed from this computer are never merged, whatever the exchange
 * reports: each was accepted under its own id.
 */
export function chainsOf<Member extends ChainMember>(
  linked: Iterable<Member>,
  { find, isOwn }: ChainOptions<Member>,
): readonly OrderChain<Member>[] {
  const groups = new Map<string, Group>();
  const groupOf = (key: string, name: OrderName): Group => {
    let group = groups.get(key);
    if (!group)
      groups.set(key, (group = { names: new Map([[key, name]]), own: isOwn(key) ? name : undefined }));
    return group;
  };
  for (const { key, name, otherIds } of linked) {
    for (const orderId of otherIds) {
      const otherName = { ...name, orderId };
      const [one, other] = [groupOf(key, name), groupOf(keyOf(otherName), otherName)];
      if (one === other || (one.own && other.own)) continue;
      one.own ??= other.own;
      for (const [each, of] of other.names) {
        one.names.set(each, of);
        groups.set(each, one);
      }
    }
  }
  return [...new Set(groups.values())].flatMap(({ names, own }) => {
    const sorted = [...names].toSorted(([, one], [, other]) => compareOrderIds(one.orderId, other.orderId));
    const keys = sorted.map(([key]) => key);
    const members = keys.flatMap((key) => find(key) ?? []);
    const [first] = members;
    if (!first || names.size === 1) return [];
    return [
      {
        name: own ?? first.name,
        members,
        keys,
        ids: sorted.map(([, { orderId }]) => orderId),
      },
    ];
  });
}

interface Group {
  /** By key. */
  readonly names: Map<string, OrderName>;
  /** The name under which our order was accepted. */
  own: OrderName | undefined;
}
