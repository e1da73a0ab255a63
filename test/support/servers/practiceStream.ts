import { DEFAULT_SEED, createMarket, type Market } from "../../../src/practice/market/market.ts";
import { Exchange } from "../../../src/practice/account/exchange.ts";
import { PracticeService } from "../../../src/practice/http/service.ts";
import type { PracticeStreams, StreamEvents } from "../../../src/practice/stream/streams.ts";
import type { Decimal } from "../../../src/market/numbers/decimal.ts";
import { fillOrder } from "../builders/fillOrder.ts";
import { signature, testPair } from "../builders/practiceRequest.ts";
import { FakeTimers } from "../fakes/timers.ts";

/** The parts of a stream frame that tests examine. */
export type Frame = Readonly<Record<string, unknown>>;

/** An open stream without a network, with everything sent to its socket. */
export interface HeldStream {
  readonly sent: string[];
  /** The frames that are JSON objects. */
  frames(): Frame[];
  readonly events: StreamEvents;
  pings: number;
  closed: number | undefined;
  /** Sends a message of the client. */
  send(message: unknown): void;
}

/** The streams of a practice exchange on fake timers, without a network. */
export class StreamBench {
  readonly timers = new FakeTimers(Date.UTC(2026, 2, 3, 4, 5, 6, 789));
  readonly service: PracticeService;
  readonly streams: PracticeStreams;
  readonly market: Market = createMarket(DEFAULT_SEED);
  readonly account = new Exchange(this.market);

  constructor() {
    this.service = new PracticeService({
      credentials: testPair,
      now: this.timers.now,
      account: this.account,
    });
    this.streams = this.service.openStreams(this.timers.after);
  }

  open(target: string): HeldStream {
    const sent: string[] = [];
    const end = (code: number): void => {
      held.closed ??= code;
      held.events.ended();
    };
    const events = this.streams.open(target, {
      send: (data) => sent.push(data),
      ping: () => (held.pings += 1),
      close: end,
    });
    const held: HeldStream = {
      sent,
      events,
      pings: 0,
      closed: undefined,
      frames: () => sent.flatMap(frameOf),
      send: (message) => events.received(JSON.stringify(message)),
    };
    return held;
  }

  /** The first message of a private stream: the signature is that of the timestamp alone, by default of this moment. */
  proof(timestamp = this.timers.now(), pair = testPair): Frame {
    return {
      event: "auth",
      data: {
        "X-SVC-APIKEY": pair.apiKey,
        "X-SVC-SIGN": signature(pair.apiSecret, String(timestamp)),
        "X-SVC-TIMESTAMP": String(timestamp),
      },
    };
  }

  fillOrder(orderId: string, amount: Decimal): boolean {
    return fillOrder(this.account, orderId, amount, this.timers.now());
  }

  /** A signed request to the exchange. */
  post(path: string, body: object): Frame {
    const text = JSON.stringify(body);
    const timestamp = String(this.timers.now());
    const answer = this.service.answer({
      method: "POST",
      path,
      headers: {
        "x-svc-apikey": testPair.apiKey,
        "x-svc-timestamp": timestamp,
        "x-svc-sign": signature(testPair.apiSecret, `${timestamp}POST${path}${text}`),
      },
      body: Buffer.from(text),
    });
    return JSON.parse(answer.text) as Frame;
  }
}

function frameOf(data: string): Frame[] {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? [value as Frame] : [];
  } catch {
    return [];
  }
}
