import { compareOrderIds, keyOf, type OrderName } from "../../market/order.ts";
import type { PlacedOrderRecord } from "./placedOrderRecords.ts";

/** Everything reported under one id. */
export interface ChainMember {
  readonly key: string;
  readonly name: OrderName;
  readonly records: readonly PlacedOrderRecord[];
  readonly otherIds: Iterable<string>;
  /** When the responses were asked for that list it as open, ms. */
  readonly openAt: ReadonlySet<number>;
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
  const members = [...linked];
  const isShared = sharedKeys(members, (key) => isOwn(key) || find(key) !== undefined);
  for (const { key, name, otherIds } of members) {
    for (const orderId of otherIds) {
      const otherName = { ...name, orderId };
      if (isShared.has(keyOf(otherName))) continue;
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
    const found = keys.flatMap((key) => find(key) ?? []);
    const [first] = found;
    if (!first || names.size === 1) return [];
    return [
      {
        name: own ?? first.name,
        members: found,
        keys,
        ids: sorted.map(([, { orderId }]) => orderId),
      },
    ];
  });
}

/**
 * Ids that several orders name and that are none of theirs: the namers do not name each other, and the id either belongs
 * to no known order, such as "-1" for "none", or two of the namers were open at once.
 */
function sharedKeys(linked: readonly ChainMember[], isKnown: (key: string) => boolean): ReadonlySet<string> {
  const named = new Map(
    linked.map((member) => [
      member,
      new Set([...member.otherIds].map((orderId) => keyOf({ ...member.name, orderId }))),
    ]),
  );
  const namers = new Map<string, ChainMember[]>();
  for (const [member, keys] of named)
    for (const key of keys) namers.set(key, [...(namers.get(key) ?? []), member]);
  const areLinked = (one: ChainMember, other: ChainMember): boolean =>
    named.get(one)?.has(other.key) === true || named.get(other)?.has(one.key) === true;
  const areShared = ([key, all]: readonly [string, readonly ChainMember[]]): boolean =>
    !isOneChain(all, areLinked) && (!isKnown(key) || wereOpenAtOnce(all));
  return new Set([...namers].filter(areShared).map(([key]) => key));
}

function wereOpenAtOnce(members: readonly ChainMember[]): boolean {
  const times = members.flatMap(({ openAt }) => [...openAt]);
  return new Set(times).size < times.length;
}

/** Whether all are linked, directly or through each other. */
function isOneChain<T>(all: readonly T[], areLinked: (one: T, other: T) => boolean): boolean {
  const reached = new Set(all.slice(0, 1));
  for (const each of reached) for (const other of all) if (areLinked(each, other)) reached.add(other);
  return reached.size === all.length;
}

interface Group {
  /** By key. */
  readonly names: Map<string, OrderName>;
  /** The name under which our order was accepted. */
  own: OrderName | undefined;
}
