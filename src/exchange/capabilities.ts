import type { NamedOrder } from "../market/order.ts";
import { symbolFor } from "../market/pair.ts";
import { callOf, type EndpointCall } from "./call.ts";
import {
  capabilityNames,
  factsOf,
  type CapabilityName,
  type Endpoint,
  type EndpointForm,
  type endpoints,
  type EndpointRead,
} from "./endpoints.ts";
import { ExchangeError, RefusedError, unknownShape } from "./errors.ts";
import type { ServiceProfile } from "./profile.ts";
import type { ReadGate, ReadRetry } from "./readRetry.ts";
import type { Payload } from "./wire/payload.ts";

/**
 * Response to a cancel request. `accepted`: the exchange accepted the request, which does not prove that the order
 * ended. `unknownOrder`: no such order is open; it was filled, already cancelled, or never placed.
 */
export type CancelResponse = "accepted" | "unknownOrder";

/** A capability that is read, except for the balances, which `wallet` of the client reads. */
type ReadName = Exclude<
  {
    [Name in CapabilityName]: (typeof endpoints)[Name] extends { read: unknown } ? Name : never;
  }[CapabilityName],
  "balances"
>;

/** Reads a capability. A `gate` can stop it before a request or a retry. */
type ReadOf<Facts> =
  Facts extends EndpointRead<infer Request, infer Result>
    ? (request: Request, gate?: ReadGate) => Promise<Result>
    : never;

/**
 * What an exchange offers beyond the four endpoints. A method is missing if the profile lacks its capability, and
 * rejects with an ExchangeError. Reads and cancellations are retried after transient failures.
 *
 * `openOrders`: of one pair; the exchanges of this family cannot list those of all pairs. `orderInfo`: undefined if the
 * exchange finds no such order, which proves nothing, because cancelled orders disappear after some days.
 * `orderHistory`: a page of matched orders, newest first. `trades`: newest first.
 */
export type Capabilities = {
  readonly [Name in ReadName]?: ReadOf<(typeof endpoints)[Name]["read"]>;
} & {
  /**
   * Requests cancellation, at most three times. `mayStillSend` is checked right before the first byte of each request; if it
   * returns false, nothing more is sent (NotSentError, `tooLate`).
   */
  readonly cancelOrder?: (order: NamedOrder, mayStillSend?: () => boolean) => Promise<CancelResponse>;
};

type PublicName = {
  [Name in ReadName]: (typeof endpoints)[Name] extends { access: "public" } ? Name : never;
}[ReadName];

/** The capabilities that need no key. Of the others it is only known whether the exchange offers them. */
export type MarketCapabilities = Pick<Capabilities, PublicName> & {
  readonly [Name in Exclude<keyof Capabilities, PublicName>]?: unknown;
};

/** The client's request pipeline: signatures, rate limits and retries. */
interface Requests {
  readonly now: () => number;
  readonly repeated: ReadRetry;
  /** Sends one request and returns the content of its envelope. */
  readonly ask: (call: EndpointCall) => Promise<Payload>;
  /** Called with every result. */
  readonly decoded: (endpoint: Endpoint, result: unknown) => void;
}

/** Repeating a cancellation is safe: an order cannot be cancelled twice. */
const MAX_CANCEL_REQUESTS = 3;
const UNKNOWN_ORDER = 21;

/** Reads the endpoints of one exchange, and cancels its orders. */
export class EndpointReader {
  readonly #profile: ServiceProfile;
  readonly #requests: Requests;

  constructor(profile: ServiceProfile, requests: Requests) {
    this.#profile = profile;
    this.#requests = requests;
  }

  capabilities(): Capabilities {
    const { features } = this.#profile;
    const { cancelOrder } = features;
    const reads = capabilityNames.flatMap((name) => {
      const [form, { read }] = [features[name], factsOf(name)];
      if (!form || !read || name === "balances") return [];
      return [
        [name, (request: never, gate?: ReadGate) => this.read(name, read, form, request, gate)] as const,
      ];
    });
    return {
      ...(Object.fromEntries(reads) as Capabilities),
      ...(cancelOrder && {
        cancelOrder: (order, mayStillSend) => this.#cancel(cancelOrder, order, mayStillSend),
      }),
    };
  }

  read<Request, Result>(
    name: Endpoint,
    { parameters, decode, missing }: EndpointRead<Request, Result>,
    form: EndpointForm,
    request: Request,
    { mayRetry, mayStillSend }: ReadGate = {},
  ): Promise<Result> {
    const { now, repeated, ask, decoded } = this.#requests;
    const { baseUrl, features } = this.#profile;
    const call = { ...callOf(name, baseUrl, form, parameters(request, form)), mayStillSend };
    return repeated(async () => {
      const context = { form, askedAt: now(), amountOfBuys: features.historyAmountOfBuys };
      try {
        const payload = await ask(call);
        const result = decode(payload, request, context);
        if (result === undefined) throw unknownShape(name, payload.status);
        decoded(name, result);
        return result;
      } catch (error) {
        if (missing !== undefined && isCode(error, missing)) return undefined as Result;
        throw error;
      }
    }, mayRetry);
  }

  async #cancel(
    form: EndpointForm,
    { pair, orderId, side }: NamedOrder,
    mayStillSend?: () => boolean,
  ): Promise<CancelResponse> {
    const parameters = { sym: symbolFor(pair, form), id: orderId, sd: side };
    const call = callOf("cancelOrder", this.#profile.baseUrl, form, parameters);
    let requests = 0;
    // Called by the transport right before the first byte, also when a request is retried.
    const mayGo = (): boolean => {
      if (requests >= MAX_CANCEL_REQUESTS || mayStillSend?.() === false) return false;
      requests += 1;
      return true;
    };
    // A later attempt that was not sent or was rejected does not undo an earlier one.
    let unproven: ExchangeError | undefined;
    const send = async (): Promise<CancelResponse> => {
      try {
        const { enveloped, status } = await this.#requests.ask({ ...call, mayStillSend: mayGo });
        if (!enveloped) throw unknownShape("cancelOrder", status);
        return "accepted";
      } catch (error) {
        if (error instanceof ExchangeError && !error.provesNothingHappened) unproven ??= error;
        throw error;
      }
    };
    try {
      return await this.#requests.repeated(send, () => requests < MAX_CANCEL_REQUESTS);
    } catch (error) {
      if (isCode(error, UNKNOWN_ORDER)) return "unknownOrder";
      throw unproven ?? error;
    }
  }
}

/** A response that contradicts itself proves nothing. */
function isCode(error: unknown, code: number): boolean {
  return error instanceof RefusedError && error.code === code && !error.contradictsItself;
}
