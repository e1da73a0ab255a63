import type { After } from "../../time/timers.ts";
import { messageOf } from "../errors.ts";
import type { ServiceProfile } from "../profile.ts";
import type { SignedHeaders } from "../signedRequest.ts";
import { USUAL_MS } from "../rateLimits.ts";
import { decodePrivateMessage, type NameOf, type OrderUpdate } from "../wire/orders/orderEvents.ts";
import { FloodGuard } from "./floodGuard.ts";
import { streamUrl, type OpenSocket, type StreamSocket } from "./socket.ts";

/** Events of a private stream. None fires after `ended` or `close`. */
export interface PrivateStreamEvents {
  /** Authenticated and subscribed: updates are reported from now on, and earlier ones are not replayed. */
  readonly ready: () => void;
  readonly order: (event: OrderUpdate) => unknown;
  /** An order of this pair changed, but the update could not be parsed. */
  readonly unclear: (named: ReturnType<NameOf> & object) => unknown;
  /** The stream ended. Called once. `detail` is safe to log. */
  readonly ended: (end: PrivateStreamEnd) => void;
}

/**
 * `refused`: the exchange rejected the key's proof. Every other reason may be temporary. `pauseMs`: how long the exchange
 * wants no other connection.
 */
export interface PrivateStreamEnd {
  readonly reason: "refused" | "notSigned" | "silent" | "lost";
  readonly pauseMs?: number | undefined;
  readonly detail: string;
}

export interface PrivateStreamOptions {
  readonly profile: ServiceProfile;
  /** Relative to the base URL. */
  readonly path: string;
  /** The stream's host, if it differs from the profile's. The profile check ensures that both have the same owner. */
  readonly host?: string | undefined;
  readonly open: OpenSocket;
  /** Exchanges of this family reject a private stream without one. */
  readonly userAgent: string;
  /** The proof of the key: `RequestSigner.signTime`. */
  readonly signTime: () => Promise<SignedHeaders>;
  readonly after: After;
  /** The local clock, ms. */
  readonly now: () => number;
  readonly nameOf: NameOf;
  /** Called right before the proof is sent: another window may have taken over while connecting. */
  readonly mayStillSend: () => boolean;
}

export type PrivateStreamConnection = Pick<PrivateStream, "close">;

const CHANNELS = ["order_update", "match_update"];
const OK = "200";
/** A limit on connections or requests, unrelated to the key. */
const TOO_MANY = "429";
/** Maximum per second, far above the updates of one account. */
const MOST = { frames: 1000, chars: 1024 * 1024 };
/** From the start to the last subscription. */
const READY_MS = 10_000;
/** Exchanges close a stream after 5 minutes without client messages. A shorter interval also detects a dead network. */
const PING_MS = 30_000;
const PONG_MS = 10_000;

/**
 * One connection to the private stream of an exchange. It goes to the profile's own origin and follows no redirect,
 * because the proof in its first message could be misused while it is fresh. That message is neither stored nor logged.
 */
export class PrivateStream {
  readonly #options: PrivateStreamOptions;
  readonly #events: PrivateStreamEvents;
  readonly #socket: StreamSocket;
  /** Number of pending subscription responses; undefined until the proof is accepted. */
  #missing: number | undefined;
  #repeatsProof: SignedHeaders["repeats"] = () => false;
  readonly #guard = new FloodGuard(MOST);
  #isOver = false;
  #cancelTimer: () => void;

  /** Connects at once. */
  constructor(options: PrivateStreamOptions, events: PrivateStreamEvents) {
    this.#options = options;
    this.#events = events;
    const { profile, path, host, open, userAgent, after } = options;
    this.#cancelTimer = after(READY_MS, () => this.#end("silent", `not ready within ${READY_MS} ms`));
    this.#socket = open(
      streamUrl(profile, path, host),
      {
        opened: () => void this.#prove(),
        frame: (text) => this.#read(text),
        ended: ({ reason, status, detail, pauseMs }) =>
          this.#end(status === 401 || status === 403 ? "refused" : "lost", `${reason}: ${detail}`, pauseMs),
      },
      { "User-Agent": userAgent },
    );
  }

  /** Ends the stream without an event. */
  close(): void {
    this.#isOver = true;
    this.#cancelTimer();
    this.#socket.close();
  }

  async #prove(): Promise<void> {
    const { signTime, mayStillSend } = this.#options;
    let proof: SignedHeaders;
    try {
      proof = await signTime();
    } catch (error) {
      return this.#end("notSigned", messageOf(error));
    }
    if (this.#isOver) return;
    if (!mayStillSend()) return this.#end("notSigned", "another window reads the account now");
    this.#repeatsProof = proof.repeats;
    this.#send({ event: "auth", data: proof.headers });
  }

  #read(text: string): void {
    if (this.#isOver) return;
    const { nameOf, now } = this.#options;
    const flood = this.#guard.count(text, now());
    if (flood !== undefined) return this.#end("lost", flood);
    if (this.#missing === 0) this.#waitForPing();
    const message = decodePrivateMessage(text, nameOf, now());
    switch (message.kind) {
      case "response":
        return this.#readResponse(message.to, message.code);
      case "order":
        if (this.#missing === 0) this.#reportOrder(message.event);
        break;
      case "unclear":
        if (this.#missing === 0) this.#events.unclear(message.named);
        break;
      case "other":
    }
  }

  /** Ids that repeat the proof must not be written to disk: such an order is polled instead. */
  #reportOrder(event: OrderUpdate): void {
    const { orderId, clientId = "", fills, symbol, pair } = event.report;
    const isRepeated = [orderId, clientId, ...fills.map(({ id }) => id)].some(this.#repeatsProof);
    if (isRepeated) this.#events.unclear({ symbol, pair });
    else this.#events.order(event);
  }

  #readResponse(to: "auth" | "subscribe" | "ping", code: string): void {
    if (to === "auth" && this.#missing === undefined) {
      if (code !== OK) {
        const detail = `the authentication failed with ${shortCode(code)}`;
        return code === TOO_MANY ? this.#end("lost", detail, USUAL_MS) : this.#end("refused", detail);
      }
      this.#missing = CHANNELS.length;
      for (const channel of CHANNELS) this.#send({ event: "subscribe", channel });
    } else if (to === "subscribe" && this.#missing !== undefined && this.#missing > 0) {
      if (code !== OK) return this.#end("lost", `a subscription failed with ${shortCode(code)}`);
      this.#missing -= 1;
      if (this.#missing > 0) return;
      this.#waitForPing();
      this.#events.ready();
    }
  }

  /** Restarts the ping timer: any frame shows that the connection is alive. */
  #waitForPing(): void {
    this.#cancelTimer();
    const { after } = this.#options;
    this.#cancelTimer = after(PING_MS, () => {
      this.#send({ event: "ping" });
      this.#cancelTimer = after(PONG_MS, () => this.#end("silent", `no response within ${PONG_MS} ms`));
    });
  }

  #send(message: unknown): void {
    this.#socket.send(JSON.stringify(message));
  }

  #end(reason: PrivateStreamEnd["reason"], detail: string, pauseMs?: number): void {
    if (this.#isOver) return;
    this.close();
    this.#events.ended({ reason, detail, ...(pauseMs !== undefined && { pauseMs }) });
  }
}

/** A code is untrusted text: only a short number is logged. */
function shortCode(code: string): string {
  return /^\d{1,5}$/.test(code) ? code : "an unknown code";
}
