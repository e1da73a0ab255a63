import type { NamedPair } from "../../market/pair.ts";
import { isSameAccount } from "../../market/order.ts";
import type { OrderReport } from "../../market/orderReport.ts";
import type { KnownOrder } from "../../market/orders/knownOrder.ts";
import type { OrderIntent } from "../../storage/orders/records.ts";
import type { Order, OwnOrder } from "../../storage/orders/order.ts";
import { isOfAccount, type Orders } from "../orders/orders.ts";
import type { SignedIn } from "../venue.ts";
import { isAlike, isOfTime } from "./likeOrders.ts";

/** The id of an own order's record, and the order's id at the exchange. */
export interface FoundId {
  readonly id: string;
  readonly orderId: string;
}

/** How long an accepted order without an id is searched for in its pair's lists. */
export const SEARCH_MS = 600_000;

/**
 * The ids of own orders found in these reports by client id. The first report with a client id counts. Only a response
 * shows that an order exists which was refused: an event may name any client id.
 */
export function idsByClientId(
  reports: readonly OrderReport[],
  { own }: Orders,
  venue: SignedIn,
  isPushed: boolean,
): readonly FoundId[] {
  const withoutId = new Map(
    own.flatMap((order) => {
      const { clientId, id } = order.intent;
      const { state } = order;
      const mayExist = state !== "sending" && state !== "notSent" && !(isPushed && state === "rejected");
      const lacksId = order.orderId === undefined && mayExist && isOfAccount(order, venue);
      return clientId !== undefined && lacksId ? [[clientId, id] as const] : [];
    }),
  );
  return reports.flatMap(({ clientId = "", orderId }) => {
    const id = withoutId.get(clientId);
    withoutId.delete(clientId);
    return id === undefined ? [] : [{ id, orderId }];
  });
}

/**
 * The ids of own orders that were accepted without an id and are listed without a client id. A listed order matches by
 * pair, side, rate, amount and time, provided that it is the only match and matches no other own order.
 */
export function idsBySimilarity(
  { own, elsewhere }: Orders,
  venue: SignedIn,
  now: number,
): readonly FoundId[] {
  const withoutId = own.filter((order) => isSearched(order, venue, now));
  return withoutId.flatMap(({ intent }) => {
    const listed = similarListed(intent, elsewhere, venue);
    const [only] = listed;
    const isOnly =
      listed.length === 1 &&
      withoutId.filter((other) => only && isSimilar(other.intent, only, venue)).length === 1;
    return only && isOnly ? [{ id: intent.id, orderId: only.orderId }] : [];
  });
}

/** The pairs whose lists may still contain an accepted order without an id. */
export function pairsToSearch(own: readonly OwnOrder[], venue: SignedIn, now: number): readonly NamedPair[] {
  return own
    .filter((order) => isSearched(order, venue, now))
    .map(({ intent: { symbol, quote, base } }) => ({ symbol, pair: { quote, base } }));
}

/** Listed orders that belong to no own order and may be this one. */
function similarListed(
  intent: OrderIntent,
  elsewhere: readonly Order[],
  venue: SignedIn,
): readonly KnownOrder[] {
  return elsewhere.flatMap(({ account, known }) =>
    known && isSameAccount(account, venue.ref) && isSimilar(intent, known, venue) ? [known] : [],
  );
}

function isSimilar(intent: OrderIntent, known: KnownOrder, venue: SignedIn): boolean {
  return isAlike(intent, known) && isOfTime(intent, known, venue);
}

function isSearched(order: OwnOrder, venue: SignedIn, now: number): boolean {
  const { state, orderId, accountResetAt, since } = order;
  if (state !== "accepted" || orderId !== undefined || accountResetAt !== undefined) return false;
  // The user's decision does not prove that a listed order is this one.
  if (order.settledBy === "user") return false;
  return now >= since && now - since <= SEARCH_MS && isOfAccount(order, venue);
}
