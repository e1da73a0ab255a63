import { compareOrderIds, keyOf, type OrderName } from "../../market/order.ts";
import type { PlacedOrderRecord } from "./placedOrderRecords.ts";

/** What the exchange reported by one id. */
export interface ChainMember {
  readonly key: string;
  readonly name: OrderName;
  readonly records: readonly PlacedOrderRecord[];
  readonly otherIds: Iterable<string>;
}

/** The ids of one order that its exchange continued under new ids. */
export interface OrderChain<Member extends ChainMember = ChainMember> {
  /** By the id that this computer's order was accepted with, else by the first id. */
  readonly name: OrderName;
  /** What the exchange reported by each id, in the order of the ids. Not empty. */
  readonly members: readonly Member[];
  /** All ids in their order, also those by which the exchange reported nothing yet, and their keys. */
  readonly ids: readonly string[];
  readonly keys: readonly string[];
}

interface ChainOptions<Member extends ChainMember> {
  readonly find: (key: string) => Member | undefined;
  readonly isOwn: (key: string) => boolean;
}

/**
 * The chains of these orders. Two orders that this computer placed are never one, whatever the exchange says: each was
 * accepted with an id of its own.
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
  /** By their keys. */
  readonly names: Map<string, OrderName>;
  /** The name that an own order was accepted with. */
  own: OrderName | undefined;
}
