import type { Exchange } from "../account/exchange.ts";
import { HEADER_PREFIX, type SignatureCheck } from "../http/signatureCheck.ts";
import { fieldsOf } from "../json.ts";
import { framesOf, type StreamChannel } from "./orderFrames.ts";
import { TICKS_PER_SECOND, type PracticeSocket, type StreamSession } from "./session.ts";

/** Shared by all private streams. */
export interface PrivateAccount {
  readonly exchange: Exchange;
  readonly check: SignatureCheck;
  /** Authenticated streams. */
  readonly proven: Set<unknown>;
}

const MAX_CONNECTIONS = 5;
const LONGEST_TICKS = 2 * 3600 * TICKS_PER_SECOND;
const LONGEST_SILENCE_TICKS = 5 * 60 * TICKS_PER_SECOND;
const CHANNELS: ReadonlySet<unknown> = new Set<StreamChannel>(["order_update", "match_update"]);
/** WebSocket close codes. */
const NORMAL = 1000;
const POLICY = 1008;

/**
 * Orders and matches of the account in real time, without snapshot or replay. The first message must authenticate. At
 * most five streams per key are open at a time. Each closes after two hours, or after five minutes without a client
 * message.
 */
export class PrivateSession implements StreamSession {
  readonly #socket: PracticeSocket;
  readonly #account: PrivateAccount;
  readonly #id: string;
  readonly #channels = new Set<StreamChannel>();
  #stop: (() => void) | undefined;
  #ticks = 0;
  #quietTicks = 0;
  #now = 0;

  constructor(socket: PracticeSocket, account: PrivateAccount, id: string) {
    this.#socket = socket;
    this.#account = account;
    this.#id = id;
  }

  tick(_tick: number, now: number): void {
    this.#now = now;
    this.#ticks += 1;
    this.#quietTicks += 1;
    if (this.#ticks > LONGEST_TICKS) this.#socket.close(NORMAL);
    else if (this.#quietTicks > LONGEST_SILENCE_TICKS) this.#socket.close(POLICY);
    if (this.#stop && this.#ticks % TICKS_PER_SECOND === 0) this.#match(now);
  }

  received(text: string, now: number): void {
    this.#now = now;
    this.#quietTicks = 0;
    const message = parsed(text);
    switch (message["event"]) {
      case "auth":
        return this.#prove(message["data"]);
      case "subscribe":
        return this.#subscribe(message["channel"]);
      case "ping":
        return this.#answer("ping", "200", "success", { message: "pong" });
      default:
        return this.#answer("error", "400", "Unknown event.");
    }
  }

  ended(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#account.proven.delete(this);
  }

  #prove(data: unknown): void {
    const { check, exchange, proven } = this.#account;
    if (this.#stop) return this.#answer("auth", "400", "The key was proven before.");
    const text = (name: string): string => {
      const value = fieldsOf(data)?.[HEADER_PREFIX + name];
      return typeof value === "string" ? value : "";
    };
    const parts = { apiKey: text("APIKEY"), sign: text("SIGN"), timestamp: text("TIMESTAMP") };
    if (check.refusalOf(parts, "", this.#now) !== undefined) {
      this.#answer("auth", "401", "Unauthorized");
      return this.#socket.close(POLICY);
    }
    if (proven.size >= MAX_CONNECTIONS) {
      this.#answer("auth", "429", "Too many connections of this key.");
      return this.#socket.close(POLICY);
    }
    proven.add(this);
    this.#stop = exchange.listen((event, order) => {
      if (!order) return;
      for (const { channel, data } of framesOf(event, order))
        if (this.#channels.has(channel)) this.#answer(channel, "200", "success", data);
    });
    this.#answer("auth", "200", "Authenticated");
  }

  #subscribe(channel: unknown): void {
    if (!this.#stop) return this.#answer("subscribe", "401", "Unauthorized");
    if (!CHANNELS.has(channel)) return this.#answer("subscribe", "400", "No such channel.");
    this.#channels.add(channel as StreamChannel);
    this.#answer("subscribe", "200", "Subscribed", {}, { channel });
  }

  #match(now: number): void {
    try {
      this.#account.exchange.match(now);
    } catch {
      // The ledger cannot be written. The next signed request reports that, and the fills follow once it can be.
    }
  }

  #answer(event: string, code: string, message: string, data: unknown = {}, more: object = {}): void {
    const frame = {
      event,
      ...more,
      code,
      message,
      data,
      connection_id: this.#id,
      timestamp: String(this.#now),
    };
    this.#socket.send(JSON.stringify(frame));
  }
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return fieldsOf(JSON.parse(text)) ?? {};
  } catch {
    return {};
  }
}
