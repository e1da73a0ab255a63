import type { Account } from "../../src/market/account.ts";
import type { HttpRequest } from "../../src/http/transport.ts";
import type { WorldExchange } from "./exchange.ts";
import type { ListFault } from "./listTrouble.ts";
import type { Fault } from "./plan.ts";
import type { Scheduler } from "./scheduler.ts";
import { amountOf, type WireFault, wireFaults } from "./wire.ts";

const REPORTS: ReadonlySet<string> = new Set(["openOrders", "orderInfo", "orderHistory"]);

/** The parts of the world in which the market and the person elsewhere change orders. */
interface Surroundings {
  readonly scheduler: Scheduler;
  readonly exchanges: Readonly<Record<Account["kind"], WorldExchange>>;
  note(text: string): void;
  strikes(fault: Fault): boolean;
}

/** The market takes all or a part of what is left of an open order. */
export function fillOne(world: Surroundings, exchange: WorldExchange, orderId: string): void {
  const { scheduler } = world;
  const isWhole = scheduler.chance(0.4);
  const share = isWhole ? 1 : 0.1 + 0.8 * scheduler.random();
  if (exchange.fill(orderId, share)) world.note(`the market takes ${share.toFixed(2)} of order ${orderId}`);
}

/** The market takes a part of any open order. */
export function fillAny(world: Surroundings): void {
  const found = openOrder(world);
  if (found) fillOne(world, ...found);
}

/** The person cancels an open order elsewhere, for example on the exchange's own page. */
export function cancelElsewhere(world: Surroundings): void {
  const found = openOrder(world);
  if (!found) return;
  const [exchange, orderId] = found;
  world.note(`order ${orderId} is cancelled elsewhere`);
  exchange.cancel(orderId);
}

/**
 * The person places the same order once more, elsewhere. Only where orders have client ids: without them, it cannot be
 * distinguished from the own order.
 */
export function placeElsewhere(world: Surroundings, exchange: WorldExchange, request: HttpRequest): void {
  if (!exchange.features.clientOrderId || !world.strikes("sameOrderElsewhere")) return;
  world.note("the same order is placed elsewhere");
  world.scheduler.after(world.scheduler.between(0, 20_000), () => exchange.placeElsewhere(request));
}

/** The person places another order elsewhere, which takes an amount of its own: no sum of them is whole. */
export function placeOtherElsewhere(
  world: Surroundings,
  exchange: WorldExchange,
  request: HttpRequest,
): void {
  if (request.label !== "placeBid" || !world.strikes("otherOrderElsewhere")) return;
  const { scheduler } = world;
  const amount = `${scheduler.between(10, 2_000)}.07`;
  world.note(`an order of ${amount} is placed elsewhere`);
  scheduler.after(scheduler.between(0, 140_000), () => exchange.placeElsewhere(request, amount));
}

/** The lists of an exchange are wrong for a while. */
export function mixUpLists(world: Surroundings, fault: ListFault): void {
  const { scheduler, exchanges } = world;
  const { name, lists } = exchanges[scheduler.chance(0.75) ? "practice" : "live"];
  if (lists.fault !== undefined) return;
  world.note(`${name} begins ${fault}`);
  lists.fault = fault;
  lists.wasWrong = true;
  scheduler.after(scheduler.between(30_000, 200_000), () => {
    world.note(`${name} ends ${fault}`);
    lists.fault = undefined;
  });
}

/** Whether a request asks for reports of orders. */
export function isReport({ label }: HttpRequest): boolean {
  return REPORTS.has(label);
}

/** The wire's fault for a request. Only orders come late, and only reports of orders are slow. */
export function wireFault(world: Surroundings, request: HttpRequest): WireFault | undefined {
  const fault = wireFaults.find((each) => world.strikes(each));
  if (fault) return fault;
  if (isReport(request)) return world.strikes("slowReport") ? "slowReport" : undefined;
  return amountOf(request) !== undefined && world.strikes("lateRequest") ? "lateRequest" : undefined;
}

function openOrder({ scheduler, exchanges }: Surroundings): readonly [WorldExchange, string] | undefined {
  const exchange = exchanges[scheduler.chance(0.75) ? "practice" : "live"];
  const id = exchange.isUp ? scheduler.pick(exchange.open) : undefined;
  return id === undefined ? undefined : [exchange, id];
}
