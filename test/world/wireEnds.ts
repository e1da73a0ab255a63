import type { Account } from "../../src/market/account.ts";
import type { HttpRequest } from "../../src/http/transport.ts";
import type { PracticeResponse } from "../../src/practice/http/service.ts";
import { fillOne, placeElsewhere, isReport, placeOtherElsewhere, wireFault } from "./marketEvents.ts";
import type { AccountChecks } from "./accountChecks.ts";
import type { Checks } from "./checks.ts";
import { LIVE, type WorldExchange } from "./exchange.ts";
import { bookId } from "./listTrouble.ts";
import type { OrderChecks } from "./orderChecks.ts";
import type { Fault, SwitchMoment } from "./plan.ts";
import type { Process } from "./process.ts";
import type { Scheduler } from "./scheduler.ts";
import type { SleepChecks } from "./sleepChecks.ts";
import type { Moment, StatedEnds } from "./statedEnds.ts";
import type { StreamChecks } from "./streamChecks.ts";
import type { WorldWindow } from "./window.ts";
import { amountOf, cancelledIdOf, rateOf, symbolOf, type WireEnds } from "./wire.ts";

const json = (text: string) => ({ status: 200, type: "json", text }) as const;
const TAKEN = json('{"error":0}');
const NOT_OPEN = json('{"error":21,"message":"No such order is open."}');

/** The parts of the world that a request meets on its way. */
interface Surroundings {
  readonly scheduler: Scheduler;
  readonly checks: Checks;
  readonly orderChecks: OrderChecks;
  readonly sleepChecks: SleepChecks;
  readonly streamChecks: StreamChecks | undefined;
  readonly exchanges: Readonly<Record<Account["kind"], WorldExchange>>;
  readonly windows: readonly WorldWindow[];
  ordersOnTheirWay: number;
  exchangeAt(origin: string): WorldExchange | undefined;
  /** The account of a request: each has books of its own. */
  accountOf(request: HttpRequest): WorldExchange;
  readonly accountChecks: AccountChecks;
  readonly statedEnds: StatedEnds;
  exchangeClock(): number;
  /** The time by the computer's clock. */
  moment(): Moment;
  note(text: string): void;
  reached(situation: string): void;
  strikes(fault: Fault): boolean;
  /** The computer may sleep now, within the steps of an order. */
  maySleep(): void;
  /** The person may switch the account of a window now. */
  maySwitch(process: Process, moment: SwitchMoment): void;
  die(process: Process, why: string): never;
}

/** The exchanges behind the wire of a world, the faults of requests, and the events that the checks receive. */
export function wireEnds(world: Surroundings): WireEnds {
  const answeredAt = new WeakMap<HttpRequest, number>();
  const asked = new WeakMap<HttpRequest, Moment>();
  return {
    serve: ({ origin }) => {
      const exchange = world.exchangeAt(origin);
      if (!exchange?.isUp) return undefined;
      return async (request) => {
        const account = world.accountOf(request);
        const cancelled = cancelledIdOf(request);
        const isSlow = cancelled !== undefined && world.strikes("slowCancel");
        answeredAt.set(request, account.now());
        const answer = isSlow ? cancelLater(world, account, cancelled) : account.answer(request);
        world.streamChecks?.answers(exchange.name, answer.text);
        return answer;
      };
    },
    latency: () => world.scheduler.between(5, 120),
    fault: (request) => wireFault(world, request),
    begins: (process, request) => {
      asked.set(request, world.moment());
      world.sleepChecks.requestBegins(process, ownerOf(request), request);
      if (amountOf(request) !== undefined) world.maySleep();
    },
    leaves: (process, request, fault) => {
      const owner = ownerOf(request);
      world.checks.keyLeaves(request.headers["X-SVC-APIKEY"], owner);
      const cancelled = cancelledIdOf(request);
      if (cancelled !== undefined) {
        world.orderChecks.cancelLeaves(world.accountOf(request).id, bookId(cancelled));
        world.maySwitch(process, "ACancellationSent");
      }
      const amount = amountOf(request);
      if (amount === undefined) return;
      if (world.strikes("beforeRequest")) world.die(process, "before its request");
      const kind = request.label === "placeAsk" ? "ask" : "bid";
      world.note(`${process.pid} sends the ${kind} of ${amount}`);
      world.reached(`${kind}Sent`);
      const { practice, live } = world.exchanges;
      if (!(owner === "live" ? practice : live).isUp)
        world.reached("anOrderWasSentWhileAnotherExchangeWasDown");
      world.accountChecks.orderLeaves(amount, world.accountOf(request).id);
      world.maySwitch(process, "AnOrderSent");
      world.ordersOnTheirWay += 1;
      world.scheduler.after(3000, () => (world.ordersOnTheirWay -= 1));
      world.checks.requestLeaves(amount, process, fault, world.exchangeClock());
      placeElsewhere(world, world.accountOf(request), request);
      placeOtherElsewhere(world, world.accountOf(request), request);
      const { desk } = world.windows.find((each) => each.process === process) ?? {};
      const ticker = desk?.tickers.readTicker(symbolOf(request));
      if (desk && ticker?.last !== undefined) {
        const { base, quote } = ticker.pair;
        const available = desk.balances.available(kind === "ask" ? base : quote)?.toFixed();
        world.checks.staysWithinGuards(amount, {
          side: kind === "ask" ? "sell" : "buy",
          rate: rateOf(request),
          last: ticker.last,
          available: available === undefined ? undefined : Number(available),
        });
      }
      if (world.streamChecks && ticker) world.streamChecks.guardRestsOn(amount, owner, ticker);
      else world.checks.guardRestsOn(amount, world.exchangeClock() - (ticker?.quoteVolume ?? 0));
      if (world.strikes("afterRequest")) {
        if (world.windows.find((each) => each.process === process)?.desk.windows.role === "leader")
          world.reached("aLeaderDiedBetweenRequestAndRecord");
        world.scheduler.after(0, () => process.run(() => world.die(process, "after its request")));
      }
    },
    arrives: (_, request) => {
      world.checks.requestArrived(amountOf(request));
      const cancelled = cancelledIdOf(request);
      if (cancelled !== undefined && world.strikes("fillBeforeCancel"))
        fillOne(world, world.accountOf(request), cancelled);
    },
    answered: (process, request, isLate, text) => {
      world.accountChecks.answered(process, request.headers["X-SVC-APIKEY"]);
      if (!isLate && text !== undefined) {
        world.streamChecks?.readingTaken(process, ownerOf(request), text);
        const now = world.moment();
        const answer = { text, asked: asked.get(request) ?? now, now };
        world.statedEnds.answered(process.pid, world.accountOf(request), request, answer);
      }
      if (text !== undefined) world.sleepChecks.answered(ownerOf(request), request);
      if (isReport(request) && world.accountOf(request).changedAt > (answeredAt.get(request) ?? Infinity))
        world.reached("anOrderChangedDuringAReport");
      const amount = amountOf(request);
      if (amount === undefined) return;
      world.note(`${process.pid} is answered about ${amount}${isLate ? ", too late" : ""}`);
      if (isLate) world.reached("anAnswerCameAfterItsOrderWasSettled");
      if (world.strikes("beforeRecord")) world.die(process, "before its record");
    },
  };
}

/** The exchange takes a cancellation, and cancels the order some seconds later, if it is still open then. */
function cancelLater({ scheduler }: Surroundings, account: WorldExchange, anyId: string): PracticeResponse {
  const id = bookId(anyId);
  if (!account.open.includes(id)) return NOT_OPEN;
  scheduler.after(scheduler.between(1_000, 15_000), () => {
    if (account.isUp) account.cancel(id);
  });
  return TAKEN;
}

function ownerOf({ url }: HttpRequest): Account["kind"] {
  return url.origin === LIVE ? "live" : "practice";
}
