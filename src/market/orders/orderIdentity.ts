import { compareText } from "../compareText.ts";
import type { Decimal } from "../numbers/decimal.ts";
import {
  type IdObservation,
  inSequence,
  isPushed,
  isStatement,
  type SentOrderFigures,
  type Statement,
} from "./observation.ts";

/** An order of this computer, as far as it identifies what the exchange states. */
export interface OwnIdentity {
  /** The intent's id. */
  readonly id: string;
  /** When the intent was recorded, in the sequence. */
  readonly at: number;
  /** The same by the exchange's clock, ms; undefined if that was not measured. */
  readonly exchangeAt?: number | undefined;
  readonly sent: Pick<SentOrderFigures, "rate" | "clientId">;
  /** From its receipt. */
  readonly orderId?: string | undefined;
}

/** What is observed of one order. */
export interface IdentifiedOrder {
  /** The intent's id; undefined for an order placed elsewhere. */
  readonly own: string | undefined;
  /** The id by which the order was seen first. Undefined for an own order without any. */
  readonly firstId: string | undefined;
  readonly observed: readonly IdObservation[];
}

/** The measured clock of the exchange may be this wrong, ms: taking an own order for another invites a second one. */
const CLOCK_MARGIN_MS = 60_000;
/** The exchange may date an order in whole seconds. */
const DATE_MARGIN_MS = 2_000;

/**
 * Which order each statement is about. All are of one account, pair and side.
 *
 * - What was stated before an intent, or is dated before it, never belongs to it, whatever its id.
 * - Two ids are one order only if a statement names the one as the other's continuation, no response lists both as open,
 *   and their rates agree. An id that several orders name is none of theirs if it is unknown, or two of them were open at
 *   once.
 * - Two orders of this computer are never one.
 * - A client id names an own order only at the order's rate, and in an event only if a response confirms the id.
 */
export function identifyOrders(
  own: readonly OwnIdentity[],
  statements: Iterable<IdObservation>,
): readonly IdentifiedOrder[] {
  const sequence = inSequence(statements);
  const intents = inSequence(own);
  const named = new Map(intents.map((intent) => [intent.sent.clientId, intent]));
  const owners = ownersById(intents, named, sequence);
  const members = new Map<string, Member>();
  const memberOf: MemberOf = (orderId, at, date, clientId) => {
    const other = clientId === undefined ? undefined : named.get(clientId);
    const owner = ownerAt(owners.get(orderId) ?? [], at, date, other);
    // An event that names an own order which no response has under this id stands alone.
    const key = JSON.stringify([orderId, owner?.id, owner ? undefined : other?.id]);
    let member = members.get(key);
    if (!member) members.set(key, (member = { key, orderId, owner, observed: [] }));
    return member;
  };
  for (const each of sequence) {
    const clientId = "clientId" in each ? each.clientId : undefined;
    memberOf(each.orderId, each.at, dateOf(each), clientId).observed.push(each);
  }
  const groups = join(members, memberOf);
  const found = groups.flatMap((group): IdentifiedOrder[] => {
    const all = inSequence(group.flatMap((member) => member.observed));
    const owner = group.find((member) => member.owner)?.owner;
    if (all.length === 0) return [];
    return [{ own: owner?.id, firstId: owner?.orderId ?? all[0]?.orderId, observed: all }];
  });
  const seen = new Set(found.map(({ own: id }) => id));
  const unseen = intents.filter(({ id }) => !seen.has(id));
  return [
    ...found,
    ...unseen.map(({ id, orderId }): IdentifiedOrder => ({ own: id, firstId: orderId, observed: [] })),
  ];
}

/** An id during the time in which one order had it. */
interface Member {
  readonly key: string;
  readonly orderId: string;
  readonly owner: OwnIdentity | undefined;
  readonly observed: IdObservation[];
}

/** The id's member at the time of an observation, and at its date. `clientId`: as the observation states it. */
type MemberOf = (orderId: string, at: number, date?: number, clientId?: string) => Member;

/** The own orders that had an id, in the sequence of their intents. */
function ownersById(
  intents: readonly OwnIdentity[],
  named: ReadonlyMap<string | undefined, OwnIdentity>,
  sequence: readonly IdObservation[],
): ReadonlyMap<string, readonly OwnIdentity[]> {
  const owners = new Map<string, OwnIdentity[]>();
  const add = (orderId: string, owner: OwnIdentity): void => {
    const known = owners.get(orderId) ?? [];
    if (!known.includes(owner)) owners.set(orderId, [...inSequence([...known, owner])]);
  };
  for (const intent of intents) if (intent.orderId !== undefined) add(intent.orderId, intent);
  for (const each of sequence) {
    if (!isStatement(each) || isPushed(each) || each.clientId === undefined) continue;
    const owner = named.get(each.clientId);
    if (!owner || each.at < owner.at) continue;
    const isRival = (id: string): boolean => owners.get(id)?.includes(owner) === true;
    const isIt =
      each.source === "fill" || (isSameRate(each.rate, owner.sent.rate) && !each.openWith.some(isRival));
    if (isIt) add(each.orderId, owner);
  }
  return owners;
}

function isSameRate(one: Decimal | undefined, other: Decimal | undefined): boolean {
  return !one || !other || one.eq(other);
}

/** The exchange's date of what is observed, ms; undefined if it has none. */
function dateOf(each: IdObservation): number | undefined {
  if (each.source === "fill") return each.fill.at;
  return isWhole(each) ? (each.closedAt ?? each.placedAt) : undefined;
}

/**
 * The newest of the orders that had the id when the observation was made, and at its date; that which it names, if that
 * had the id at any time: no other program knows the client id of an order before it is sent.
 */
function ownerAt(
  owners: readonly OwnIdentity[],
  at: number,
  date: number | undefined,
  named?: OwnIdentity,
): OwnIdentity | undefined {
  if (named) return owners.includes(named) ? named : undefined;
  return owners.findLast((owner) => {
    const { exchangeAt } = owner;
    const afterMs = date === undefined || exchangeAt === undefined ? undefined : date - exchangeAt;
    // Another window's clock may have been set back since the intent, before it read of it.
    const isLater =
      owner.at <= at ||
      (afterMs !== undefined && afterMs >= -DATE_MARGIN_MS && owner.at - at <= CLOCK_MARGIN_MS);
    return isLater && (afterMs ?? 0) >= -CLOCK_MARGIN_MS;
  });
}

/** Joins the ids of continued orders. */
function join(members: Map<string, Member>, memberOf: MemberOf): readonly (readonly Member[])[] {
  const apart = new Set<string>();
  const links = new Map<string, readonly [Member, Member]>();
  const owned = [...Map.groupBy(members.values(), ({ owner }) => owner?.id)];
  const ofOneOwner = owned.flatMap(([id, [first, ...others]]) =>
    id !== undefined && first ? others.map((other) => [first, other] as const) : [],
  );
  const namersOf = new Map<Member, Set<Member>>();
  const continued = new Set<string>();
  for (const member of members.values()) {
    const dates = member.observed.flatMap((each) => dateOf(each) ?? []);
    const date = dates.length > 0 ? Math.min(...dates) : undefined;
    const at = Math.min(...member.observed.map((each) => each.at));
    for (const each of member.observed) {
      if (!isWhole(each)) continue;
      for (const id of each.openWith) apart.add(pairOf(member, memberOf(id, at, date)));
      for (const id of [...each.earlierIds, ...(each.laterId === undefined ? [] : [each.laterId])]) {
        const other = memberOf(id, at, date);
        if (other === member || (id !== each.laterId && hadIdBefore(other, member))) continue;
        links.set(pairOf(member, other), [member, other]);
        if (id === each.laterId) continued.add(pairOf(member, other));
        if (id !== each.laterId) namersOf.set(other, (namersOf.get(other) ?? new Set()).add(member));
      }
    }
  }
  const sound = [...links]
    .filter(([key, [one, other]]) => !apart.has(key) && isSameRate(rateOf(one), rateOf(other)))
    .sort(([one], [other]) => compareText(one, other))
    .map(([, link]) => link);
  const isShared = (parent: Member): boolean => {
    const namers = namersOf.get(parent);
    if (!namers || namers.size < 2) return false;
    const among = [...sound, ...ofOneOwner].filter((link) => link.every((each) => namers.has(each)));
    const groups = [...new Set(unite([...namers], among).values())];
    const isKnown = parent.owner !== undefined || parent.observed.length > 0;
    const areOpenAtOnce = groups.some((group) =>
      group.some((one) =>
        groups.some((others) => others !== group && others.some((other) => apart.has(pairOf(one, other)))),
      ),
    );
    return groups.length > 1 && (!isKnown || areOpenAtOnce);
  };
  const shared = new Set([...namersOf.keys()].filter(isShared));
  // What an order itself says it was continued under is no id that any order may name.
  const isByName = (link: readonly [Member, Member]): boolean =>
    !continued.has(pairOf(...link)) &&
    link.some((member) => shared.has(member) && isNamedIn(member, link, namersOf));
  const joined = unite([...members.values()], [...ofOneOwner, ...sound.filter((link) => !isByName(link))]);
  return [...new Set(joined.values())];
}

/** Whether the id was another order's before the own order got it again: it was seen under it before the intent only. */
function hadIdBefore({ owner, observed }: Member, own: Member): boolean {
  const { owner: intent } = own;
  if (!intent || intent.orderId !== undefined || owner || observed.length === 0) return false;
  return observed.every(({ at }) => at < intent.at);
}

/** Whether a link exists because its other member names this one as an earlier id. */
function isNamedIn(
  member: Member,
  [one, other]: readonly [Member, Member],
  namersOf: ReadonlyMap<Member, ReadonlySet<Member>>,
): boolean {
  return namersOf.get(member)?.has(one === member ? other : one) === true;
}

/** The groups that the links join, by member. Two own orders are never joined. */
function unite(
  members: readonly Member[],
  links: readonly (readonly [Member, Member])[],
): ReadonlyMap<Member, readonly Member[]> {
  const groups = new Map<Member, Member[]>(members.map((member) => [member, [member]]));
  for (const [one, other] of links) {
    const [group = [one], added = [other]] = [groups.get(one), groups.get(other)];
    if (group === added || ownerIn(group, added)) continue;
    group.push(...added);
    for (const member of group) groups.set(member, group);
  }
  return groups;
}

/** Whether both groups have an own order. */
function ownerIn(one: readonly Member[], other: readonly Member[]): boolean {
  const owners = new Set([...one, ...other].flatMap(({ owner }) => owner?.id ?? []));
  return owners.size > 1;
}

function pairOf(one: Member, other: Member): string {
  return one.key < other.key ? `${one.key} ${other.key}` : `${other.key} ${one.key}`;
}

function rateOf({ owner, observed }: Member): Decimal | undefined {
  return owner?.sent.rate ?? observed.filter(isWhole).find(({ rate }) => rate)?.rate;
}

/** Whether it states more than a fill. */
function isWhole(each: IdObservation): each is Statement {
  return each.source !== "fill" && each.source !== "absent" && each.source !== "cancel";
}
