import { compareOrderIds, keyOf, type OrderName } from "../../market/order.ts";

/** An order by one of its ids, and the other ids that the exchange named for it. */
export interface LinkedOrder {
  readonly name: OrderName;
  readonly otherIds: Iterable<string>;
}

/** The ids of one order that its exchange continued under new ids. */
export interface OrderChain<Linked extends LinkedOrder> {
  /** By the id that this computer's order was accepted with, else by the first id. */
  readonly name: OrderName;
  /** What the exchange said by each id, in the order of the ids. Not empty. */
  readonly members: readonly [Linked, ...Linked[]];
  /** All ids in their order, also those by which the exchange said nothing yet, and their keys. */
  readonly ids: readonly string[];
  readonly keys: readonly string[];
}

/**
 * The chains of these orders. Two orders that this computer placed are never one, whatever the exchange says: each was
 * accepted with an id of its own.
 */
export function chainsOf<Linked extends LinkedOrder>(
  linked: Iterable<Linked>,
  find: (name: OrderName) => Linked | undefined,
  isOwn: (name: OrderName) => boolean,
): readonly OrderChain<Linked>[] {
  const groups = new Map<string, Group>();
  const groupOf = (name: OrderName): Group => {
    const key = keyOf(name);
    let group = groups.get(key);
    if (!group) groups.set(key, (group = { names: [name], own: isOwn(name) ? name : undefined }));
    return group;
  };
  for (const { name, otherIds } of linked) {
    for (const orderId of otherIds) {
      const [one, other] = [groupOf(name), groupOf({ ...name, orderId })];
      if (one === other || (one.own && other.own)) continue;
      one.names.push(...other.names);
      one.own ??= other.own;
      for (const each of other.names) groups.set(keyOf(each), one);
    }
  }
  return [...new Set(groups.values())].flatMap(({ names, own }) => {
    const sorted = names.toSorted((one, other) => compareOrderIds(one.orderId, other.orderId));
    const [first, ...rest] = sorted.flatMap((name) => find(name) ?? []);
    if (!first || names.length === 1) return [];
    const ids = sorted.map(({ orderId }) => orderId);
    return { name: own ?? first.name, members: [first, ...rest], keys: sorted.map(keyOf), ids };
  });
}

interface Group {
  readonly names: OrderName[];
  /** The name that an own order was accepted with. */
  own: OrderName | undefined;
}
