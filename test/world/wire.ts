import type { OpenConnection, Target } from "../../src/http/connection.ts";
import { TransportError, type TransportFailure } from "../../src/http/errors.ts";
import type { HttpResponse, HttpRequest, Transport } from "../../src/http/transport.ts";
import type { PracticeResponse } from "../../src/practice/http/service.ts";
import type { Process } from "./process.ts";
import type { Scheduler } from "./scheduler.ts";

/** The faults after which the client has no answer that proves an outcome. */
export const unprovingFaults = [
  "lostRequest",
  "lostAnswer",
  "lateAnswer",
  "cutAnswer",
  "errorPage",
  "doubledAnswer",
  "contradictoryAnswer",
] as const;

/** The faults of the network and the service for one request. */
export const wireFaults = ["unreachable", ...unprovingFaults, "rateBlock"] as const;
export type WireFault = (typeof wireFaults)[number] | "lateRequest" | "slowReport";

/** A response of the service, or of a rate limit in front of it. `retryAfter` in seconds. */
type WireResponse = PracticeResponse & { readonly retryAfter?: number };

/** The service behind the wire at an address, and the listeners of the checks. */
export interface WireEnds {
  /** Answers a request that arrived; undefined while nothing listens at the address. */
  serve(url: URL): ((request: HttpRequest) => Promise<PracticeResponse>) | undefined;
  latency(): number;
  fault(request: HttpRequest): WireFault | undefined;
  /** Runs when a process begins a request, which is signed by then. */
  begins(process: Process, request: HttpRequest): void;
  /** Runs right before the first byte of a request leaves its process, with the planned fault. */
  leaves(process: Process, request: HttpRequest, fault: WireFault | undefined): void;
  /** Runs when the request has reached the service, whatever happens to the response. */
  arrives(process: Process, request: HttpRequest): void;
  /** Runs when an answer reaches its process, in time or after the client stopped waiting. `text`: if it is undamaged. */
  answered(process: Process, request: HttpRequest, isLate: boolean, text: string | undefined): void;
}

const TIMEOUT_MS = 9_900;
/** Around the time after which an exchange refuses a signed request: it takes the earlier ones. */
const LATE_MS = [1_000, 40_000] as const;
/** How long the answer to a request about orders may take, in which they may change. */
const SLOW_MS = [500, 9_000] as const;
const PAGE = "<!doctype html><title>Bad gateway</title>";

/** The transport of a process: requests cross the simulated wire, once each. */
export function createWire(process: Process, scheduler: Scheduler, ends: WireEnds): Transport {
  return (request) =>
    new Promise((resolve, reject) => send(process, scheduler, ends, request, resolve, reject));
}

function send(
  process: Process,
  scheduler: Scheduler,
  ends: WireEnds,
  request: HttpRequest,
  resolve: (answer: HttpResponse) => void,
  reject: (error: unknown) => void,
): void {
  const { label } = request;
  let isOver = false;
  let isSent = false;
  const end = (settle: () => void): void => {
    if (isOver) return;
    isOver = true;
    cancelDeadline();
    settle();
  };
  const fail = (failure: TransportFailure): void =>
    end(() => reject(new TransportError(label, failure, "simulated")));
  const cancelDeadline = process.after(TIMEOUT_MS, () =>
    fail(isSent ? { kind: "noAnswer", reason: "timeout" } : { kind: "notSent", reason: "unreachable" }),
  );
  process.check();
  ends.begins(process, request);
  const fault = ends.fault(request);
  const back = (ms: number, task: () => void): void => void scheduler.after(ms, () => process.run(task));
  const lost = (): void => fail({ kind: "noAnswer", reason: "connectionLost" });
  const prepared = request.prepared?.take(request);
  process.after(prepared?.isUntouched ? 0 : ends.latency(), () => {
    if (isOver) return;
    if (fault === "unreachable" || !ends.serve(request.url)) {
      return fail({ kind: "notSent", reason: "unreachable" });
    }
    if (request.mayStillSend?.() === false) {
      return fail({ kind: "notSent", reason: "tooLate" });
    }
    ends.leaves(process, request, fault);
    isSent = true;
    if (fault === "lostRequest") return back(ends.latency(), lost);
    if (fault === "lateRequest") {
      scheduler.after(scheduler.between(...LATE_MS), () => {
        const serve = ends.serve(request.url);
        if (!serve) return;
        ends.arrives(process, request);
        void serve(request);
      });
      return back(ends.latency(), lost);
    }
    scheduler.after(ends.latency(), () => {
      const serve = ends.serve(request.url);
      if (!serve) return back(ends.latency(), lost);
      const finish = (answer: WireResponse): void => {
        const isLate = fault === "lateAnswer";
        const slowMs = fault === "slowReport" ? scheduler.between(...SLOW_MS) : 0;
        const ms = isLate ? TIMEOUT_MS + ends.latency() : slowMs + ends.latency();
        back(ms, () => {
          const isWhole = answer.status === 200 && (fault === undefined || fault === "slowReport");
          ends.answered(process, request, isOver, isWhole ? answer.text : undefined);
          if (fault === "lostAnswer") return lost();
          end(() => resolve(damaged(answer, fault)));
        });
      };
      if (fault === "rateBlock") {
        const text = '{"error":30,"message":"Too many requests."}';
        return finish({ status: 429, type: "json", text, retryAfter: scheduler.between(1, 60) });
      }
      ends.arrives(process, request);
      void serve(request).then(finish);
    });
  });
}

function damaged({ status, text, retryAfter }: WireResponse, fault: WireFault | undefined): HttpResponse {
  const answer = (body: string, code = status): HttpResponse => ({
    status: code,
    retryAfter: retryAfter === undefined ? undefined : String(retryAfter),
    body: Buffer.from(body),
  });
  switch (fault) {
    case "cutAnswer":
      return answer(text.slice(0, text.length >> 1));
    case "errorPage":
      return answer(PAGE, 502);
    case "doubledAnswer":
      return answer(text + text);
    case "contradictoryAnswer":
      return answer(`${text.slice(0, -1)},"error":10}`);
    default:
      return answer(text);
  }
}

/** A connection that waits for a bid: ready after a while, and without traffic before the bid. */
export function openConnection(process: Process, target: Target, latency: number): OpenConnection {
  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined);
  let state: OpenConnection["state"] = "opening";
  process.after(latency, () => {
    if (state !== "opening") return;
    state = "ready";
    ready.resolve();
  });
  return {
    get state() {
      return state;
    },
    get isUntouched() {
      return state === "ready";
    },
    connected: ready.promise,
    goesTo: ({ method, url }) => target.method === method && target.url.href === url.href,
    use: () => {
      throw new Error("The simulated wire writes no bytes.");
    },
    close: () => {
      if (state === "used" || state === "lost") return;
      state = "lost";
      ready.reject(new TransportError(target.label, { kind: "notSent", reason: "unreachable" }, "closed"));
    },
  };
}

/** The amount of an order, which identifies its draft; undefined for any other request. */
export function amountOf({ label, body }: HttpRequest): string | undefined {
  const placesOrder = label === "placeBid" || label === "placeAsk";
  return placesOrder ? /"amt":([\d.]+)/.exec(String(body))?.[1] : undefined;
}

/** The rate of an order. */
export function rateOf({ body }: HttpRequest): number {
  return Number(/"rat":([\d.]+)/.exec(String(body))?.[1]);
}

/** The exchange's id of the order that a request cancels; undefined for any other request. */
export function cancelledIdOf({ label, body }: HttpRequest): string | undefined {
  return label === "cancelOrder" ? /"id":"?(\w+)/.exec(String(body))?.[1] : undefined;
}

/** The pair of a request about orders, by its symbol in the tickers. */
export function symbolOf({ url, body }: HttpRequest): string {
  const sent = url.searchParams.get("sym") ?? /"sym":"(\w+)"/.exec(String(body))?.[1];
  const symbol = sent?.toUpperCase() ?? "";
  return symbol.endsWith("_THB") ? `THB_${symbol.slice(0, -4)}` : symbol;
}
