import type { Desk } from "../../src/desk/desk.ts";
import { accountId } from "../../src/market/order.ts";
import { hasEnded } from "../../src/market/orders/knownOrder.ts";
import type { OwnOrder } from "../../src/storage/orders/order.ts";
import { isAllButDust } from "./orderChecks.ts";
import { STORAGE } from "./window.ts";
import type { World } from "./world.ts";

/** The rules for the end of a world, after a time without faults. */
export function checkRecovery(world: World): void {
  oneWindowLeads(world);
  shownPricesAreFresh(world);
  streamsComeBack(world);
  everyAlertWasShown(world);
  everyAlertIsKept(world);
}

function oneWindowLeads(world: World): void {
  const byAccount = Map.groupBy(world.alive, ({ desk }) => desk.venue.account.id);
  const groups = [...byAccount].map(
    ([id, windows]) => [id, windows.map(({ desk }) => desk.windows)] as const,
  );
  for (const [id, group] of [...groups, ["all", world.alive.map(({ desk }) => desk.allWindows)] as const]) {
    const roles = group.map(({ role }) => role);
    if (roles.filter((role) => role === "leader").length !== 1 || roles.includes("joining"))
      world.violated("oneWindowLeads", `${id}: ${roles.join(", ")}`);
  }
}

function shownPricesAreFresh(world: World): void {
  for (const { process, desk } of world.alive) {
    const { ageMs = Number.POSITIVE_INFINITY, isStale } = desk.tickers;
    if (!desk.tickers.demand.areVisible) continue;
    if (isStale || ageMs < 0 || ageMs > 60_000)
      world.violated("shownPricesAreFresh", `${process.pid}: ${ageMs} ms old, stale ${isStale}`);
  }
}

/** A stream that never lied is live again, and a pair's price is one or two seconds old. */
const LIVE_MS = 3500;

function streamsComeBack(world: World): void {
  const { plan, alive } = world;
  if (!plan.switches?.streams?.includes("ticker") || plan.rates.lyingStream !== undefined) return;
  for (const { process, desk, isShown } of alive) {
    if (!isShown) continue;
    const madeAt = desk.tickers.ticker("THB_BTC")?.quoteVolume ?? 0;
    const ageMs = world.exchanges[desk.venue.account.kind].now() - madeAt;
    world.reached("aStreamCameBack");
    if (ageMs > LIVE_MS) world.violated("streamsComeBack", `${process.pid}: ${ageMs} ms old`);
  }
}

/**
 * The orders without an end that no person decides about, in words, for every window. Only the
 * leader of an account checks its orders (docs/orders.md).
 */
export function unsettledOrders(world: World): string[] {
  const open = readAccounts(world);
  return world.alive.flatMap(({ process, desk }) =>
    desk.orders.own
      .filter(
        ({ intent, state }) => state === "sending" || (state === "unknown" && open.has(accountId(intent))),
      )
      .map(({ intent, state }) => `${process.pid}: ${intent.amount} is still ${state}`),
  );
}

/**
 * Whether a window's key is refused. A power cut may take the salt of the digests of keys, if the disk failed to sync it.
 * The key then looks like another one, and the person has to enter it again.
 */
function isRefused({ venue }: Desk): boolean {
  return venue.account.kind === "live" && !venue.signedIn;
}

/** Each window showed the outcome of its orders, and each order has an end or waits for the user. */
export function checkOrdersAreSettled(world: World): void {
  for (const unsettled of unsettledOrders(world)) world.violated("everyOrderIsSettled", unsettled);
  for (const [amount, { sender, outcome }] of world.checks.orders) {
    if (sender?.isAlive && outcome === undefined)
      world.violated("everyOrderIsSettled", `${sender.pid} sent ${amount} and showed no outcome`);
  }
}

/** The evidence of a check that read both lists. */
const BOTH_LISTS = /open orders: \d+ .*order history: \d+ /;

/** An order that changed this long ago is known, if its exchange reported it. */
const KNOWN_MS = 60_000;

/** Every order that ended at its exchange is shown with that end, if a window reads that exchange's account. */
export function checkEndsAreShown(world: World): void {
  const open = readAccounts(world);
  for (const { process, desk } of world.alive) {
    for (const order of desk.orders.own) {
      const { symbol, amount } = order.intent;
      // Without faults, a window that stays open records the outcome of every cancellation.
      const canceller = world.orderChecks.cancellerOf(accountId(order.intent), order.orderId ?? "");
      const isCancellerOpen = world.alive.some((each) => each.process === canceller);
      if (order.cancel?.step === "requested" && isCancellerOpen && Object.keys(world.plan.rates).length === 0)
        world.violated("cancellationsEnd", `${process.pid}: no outcome of cancelling ${order.orderId}`);
      const { held, switches, lists, now } = world.accountNamed(order.intent);
      const isNotPlaced = order.state === "notPlaced" && order.settledBy === "check";
      if (isNotPlaced) world.reached("absenceProvedThatAnOrderWasNotPlaced");
      const isThere = world.accountNamed(order.intent).isOpenOrFilled(amount);
      if (isNotPlaced && isThere)
        world.violated("neverBetterThanTheEvidence", `${amount} is called not placed, and came late`);
      if (isThere && order.state === "unresolved" && isFindable(world, order))
        world.violated("placedOrdersAreFound", `${process.pid}: ${amount} is unresolved, and in the books`);
      const { order: there, changedAt = 0 } = held.get(order.orderId ?? "") ?? {};
      const isReported =
        order.accountResetAt === undefined &&
        !switches.unsupportedPairs?.includes(symbol) &&
        open.has(accountId(order.intent));
      const isOpen = there && !there.closed && order.accountResetAt === undefined;
      if (isOpen && order.known && hasEnded(order.known)) {
        const account = world.accountNamed(order.intent).id;
        if (!world.statedEnds.mayBeShown(process.pid, account, order.orderId ?? ""))
          world.violated(
            "openOrdersAreNeverShownAsEnded",
            `${process.pid} still shows ${order.orderId} as ended`,
          );
      }
      if (there && !there.closed && isReported && now() - changedAt > KNOWN_MS) {
        if (order.cancel) world.reached("aCancellationFailed");
        if (order.known?.cancel === "cancelling")
          world.violated(
            "cancellationsEnd",
            `${process.pid}: order ${order.orderId} is open, and shown as cancelling`,
          );
      }
      if (!there?.closed || !isReported || now() - changedAt < KNOWN_MS) continue;
      // What was called cancelled is read no more, unless a list shows it.
      if (lists.calledCancelled.has(order.orderId ?? "")) continue;
      const known = order.known;
      const end = there.closed.as;
      const hasMatches = there.matches.length > 0;
      const expected = end === "filled" ? end : hasMatches ? "partlyFilledCancelled" : "cancelled";
      const hasUnknownEnd = known?.status === "ended" || known?.status === "notListed";
      // The exchange forgot a cancelled order: no list has it, and nothing says how it ended.
      const isForgotten = end === "cancelled" && hasUnknownEnd;
      // An order that no list had for long is asked about every ten minutes, which is longer than this world waits.
      const isAskedLater = (lists.wasWrong || lists.hasBrokenInfo(order.orderId ?? "")) && hasUnknownEnd;
      const isAsGoodAsFilled = known?.status === "filled" && isAllButDust(there);
      if (known?.status !== expected && !isForgotten && !isAskedLater && !isAsGoodAsFilled)
        world.violated(
          "everyEndIsShown",
          `${process.pid}: order ${order.orderId} is shown as ${known?.status}, and is ${expected}`,
        );
    }
  }
}

/**
 * Whether the last check of an order must have found it, if it is open or filled: its exchange gives client ids back in
 * all lists, and both lists of the pair were read after it came. A list that could not be read proves nothing.
 */
function isFindable({ exchanges, checks }: World, { intent, evidence }: OwnOrder): boolean {
  const { switches, lists } = exchanges[intent.venue];
  const { clientIds, historyLagMs } = switches;
  if (lists.wasWrong) return false;
  const last = evidence.findLast(({ kind }) => kind === "settled");
  const areRead = last?.kind === "settled" && BOTH_LISTS.test(last.evidence);
  const hasCome = !checks.orders.get(intent.amount)?.wasGivenUpEarly;
  return clientIds === "echoed" && historyLagMs === 0 && intent.clientId !== undefined && areRead && hasCome;
}

/** The accounts that are read: each by its leader. */
function readAccounts(world: World): ReadonlySet<string> {
  const readers = world.alive.filter(({ desk }) => desk.windows.role === "leader");
  return new Set(readers.filter(({ desk }) => !isRefused(desk)).map(({ desk }) => desk.venue.account.id));
}

/** A window in the background announces an alert a second after it fired. */
const ANNOUNCING_MS = 2000;

function everyAlertWasShown(world: World): void {
  for (const { alerts } of world.alive) {
    for (const { id, fired } of alerts?.list ?? []) {
      const isDue = fired?.isSeen === false && world.clock() - fired.at > ANNOUNCING_MS;
      if (isDue && !world.checks.wasShown(`${id}-${fired.armedAt}`))
        world.violated("everyAlertWasShown", `${id}-${fired.armedAt}`);
    }
  }
}

function everyAlertIsKept(world: World): void {
  for (const id of world.checks.alerts) {
    const bytes = world.disk.files.get(`${STORAGE}/alerts/alert-${id}.json`)?.bytes;
    if (!bytes?.includes(id)) world.violated("everyAlertIsKept", `${id} is ${bytes ? "empty" : "gone"}`);
  }
}
