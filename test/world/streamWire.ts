import type { OpenSocket, SocketEvents, StreamEnd, StreamSocket } from "../../src/exchange/stream/socket.ts";
import { streamAddressOf } from "../../src/practice/stream/address.ts";
import type { StreamKind } from "../../src/practice/stream/address.ts";
import type { StreamEvents } from "../../src/practice/stream/streams.ts";
import type { ClientSocket } from "../support/servers/streamFaults.ts";
import type { WorldExchange } from "./exchange.ts";
import type { Process } from "./process.ts";
import type { Scheduler } from "./scheduler.ts";

/** The services behind the stream connections, and the listeners of the checks. */
export interface StreamEnds {
  /** The streams at an address; undefined while nothing listens there. */
  serve(url: URL): WorldExchange | undefined;
  /** ms until what is sent now arrives. */
  latency(): number;
  /** Runs when a process asks for a connection. */
  opened(connection: StreamConnection): void;
  /** Runs when a frame arrives on the computer, before its process gets it. */
  arrives(connection: StreamConnection, text: string): void;
}

type Direction = "toServer" | "toClient";

/** One connection of a stream: the client's end, the server's end, and what is on its way between them, in order. */
export class StreamConnection {
  readonly process: Process;
  readonly url: URL;
  readonly kind: StreamKind;
  /** False after the client closed the connection, knows of its end, or was killed. */
  isHeld = true;
  readonly #events: SocketEvents;
  readonly #scheduler: Scheduler;
  readonly #ends: StreamEnds;
  readonly #forget: () => void;
  readonly #arrivals: Record<Direction, number> = { toServer: 0, toClient: 0 };
  #server: StreamEvents | undefined;
  /** The frames that were sent at the same time arrive together. */
  #sentNow: { readonly at: number; readonly texts: string[] } | undefined;

  constructor(
    process: Process,
    url: URL,
    events: SocketEvents,
    scheduler: Scheduler,
    ends: StreamEnds,
    ended: () => void,
  ) {
    this.process = process;
    this.url = url;
    this.kind = streamAddressOf(url.pathname)?.kind ?? "ticker";
    this.#events = events;
    this.#scheduler = scheduler;
    this.#ends = ends;
    const stopWaiting = process.onEnd(() => this.close());
    this.#forget = () => {
      stopWaiting();
      ended();
    };
  }

  /** The request to open the stream leaves its process. */
  begin(userAgent: string | undefined): void {
    this.#carry("toServer", () => {
      if (!this.isHeld) return;
      const exchange = this.#ends.serve(this.url);
      if (!exchange) return this.#reportEnd({ reason: "lost", detail: "nobody listens" });
      const target = this.url.pathname + this.url.search;
      const { streams, streamRelay, switches } = exchange;
      const refused = switches.streams.includes(this.kind) ? streams.refusal({ target, userAgent }) : 404;
      const status = streamRelay.faults.refusal?.status ?? refused;
      if (status !== undefined) {
        const reason = status >= 300 && status < 400 ? "redirect" : "refused";
        return this.#reportEnd({ reason, status, detail: `HTTP ${status}` });
      }
      this.#server = streamRelay.relay(this.kind, this.#clientEnd(), (socket) =>
        exchange.openStream(target, socket),
      );
      this.#toClient(() => this.#events.opened());
    });
  }

  send(text: string): void {
    if (this.isHeld) this.#carry("toServer", () => this.#server?.received(text));
  }

  ping(): void {
    const isAnswered = (): boolean => {
      const exchange = this.#ends.serve(this.url);
      return this.#server !== undefined && exchange?.streamRelay.faults.flow !== "stalled";
    };
    if (this.isHeld)
      this.#carry("toServer", () => {
        if (isAnswered()) this.#toClient(() => this.#events.pong?.());
      });
  }

  /** The client closes the connection, or its process ended. */
  close(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    this.#forget();
    this.#carry("toServer", () => this.#endServer());
  }

  /** The network breaks the connection off, on both sides. */
  drop(): void {
    this.#endServer();
    this.#reportEnd({ reason: "lost", detail: "closed (1006)" });
  }

  #clientEnd(): ClientSocket {
    return {
      send: (data) => typeof data === "string" && this.#sendFrame(data),
      ping: () => undefined,
      close: (code) => {
        this.#endServer();
        this.#reportEnd({ reason: "lost", detail: `closed (${code})` });
      },
      drop: () => this.drop(),
    };
  }

  #sendFrame(text: string): void {
    const { now } = this.#scheduler;
    if (this.#sentNow?.at === now) {
      this.#sentNow.texts.push(text);
      return;
    }
    const sent = (this.#sentNow = { at: now, texts: [text] });
    this.#carry("toClient", () => {
      if (this.isHeld) for (const each of sent.texts) this.#ends.arrives(this, each);
      this.process.run(() => {
        for (const each of sent.texts) if (this.isHeld) this.#events.frame(each);
      });
    });
  }

  #endServer(): void {
    const server = this.#server;
    this.#server = undefined;
    server?.ended();
  }

  #reportEnd(end: StreamEnd): void {
    this.#toClient(() => {
      this.isHeld = false;
      this.#forget();
      this.#events.ended(end);
    });
  }

  /** Notifies the client, unless it has closed the connection by then. */
  #toClient(task: () => void): void {
    this.#carry("toClient", () => this.process.run(() => this.isHeld && task()));
  }

  #carry(direction: Direction, task: () => void): void {
    const { now } = this.#scheduler;
    const at = Math.max(now + this.#ends.latency(), this.#arrivals[direction]);
    this.#arrivals[direction] = at;
    this.#scheduler.after(at - now, task);
  }
}

/** The stream connections of all processes. */
export class StreamWire {
  readonly #scheduler: Scheduler;
  readonly #ends: StreamEnds;
  readonly #held = new Set<StreamConnection>();

  constructor(scheduler: Scheduler, ends: StreamEnds) {
    this.#scheduler = scheduler;
    this.#ends = ends;
  }

  /** The connections that a process holds, open or opening. */
  get held(): ReadonlySet<StreamConnection> {
    return this.#held;
  }

  holds(process: Process, kind: StreamKind): boolean {
    return [...this.#held].some((each) => each.process === process && each.kind === kind);
  }

  /** Opens connections for a process. */
  opener(process: Process): OpenSocket {
    return (url, events, headers): StreamSocket => {
      process.check();
      const connection: StreamConnection = new StreamConnection(
        process,
        url,
        events,
        this.#scheduler,
        this.#ends,
        () => this.#held.delete(connection),
      );
      this.#held.add(connection);
      this.#ends.opened(connection);
      connection.begin(headers?.["User-Agent"]);
      return connection;
    };
  }

  /** One connection breaks. */
  dropOne(): void {
    this.#scheduler.pick([...this.#held])?.drop();
  }
}
