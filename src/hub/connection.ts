import type { Socket } from "node:net";
import type * as z from "zod/mini";
import { FrameReader, LARGEST_FRAME, frameOf } from "./frames.ts";
import { answer, challenge, proof } from "./protocol.ts";
import type { Timers } from "../time/timers.ts";
import type { Token } from "./token.ts";

/** The role of the peer, by this side's role. */
const PEERS = { leader: "follower", follower: "leader", window: "caller", caller: "window" } as const;
type End = keyof typeof PEERS;

/** Maximum frame size in bytes before the peer is authenticated. */
const LARGEST_STRANGE_FRAME = 1024;
/**
 * Time to authenticate. Windows soon find another leader; an MCP server waits for a window that other extensions keep busy for
 * seconds.
 */
const PROOF_MS = { leader: 1000, follower: 1000, window: 5000, caller: 5000 } as const;
/** Maximum bytes buffered for a peer that does not read. It may reconnect once it reads again. */
const MAX_WAITING = 32 * 1024 * 1024;

export interface ConnectionEvents<Message> {
  /** Messages allowed from the peer after authentication. */
  readonly schema: z.ZodMiniType<Message>;
  /** The peer is authenticated. */
  readonly opened: () => void;
  readonly received: (message: Message) => void;
  /** Called once. `why` is set if this side closed the connection because the peer misbehaved. */
  readonly closed: (why: string | undefined) => void;
}

/**
 * An authenticated connection between two windows, or between an MCP server and a window. The worst that incoming data can do is
 * close it.
 */
export class HubConnection<Incoming, Outgoing> {
  readonly #socket: Socket;
  readonly #events: ConnectionEvents<Incoming>;
  readonly #reader = new FrameReader(LARGEST_STRANGE_FRAME);
  #handle: (value: unknown) => void;
  #isOpen = false;
  #why: string | undefined;
  readonly #cancelProofLimit: () => void;

  /** `end`: this side's role. */
  constructor(socket: Socket, token: Token, end: End, timers: Timers, events: ConnectionEvents<Incoming>) {
    this.#socket = socket;
    this.#events = events;
    this.#cancelProofLimit = timers.after(PROOF_MS[end], () => this.drop("it did not prove itself in time"));
    this.#handle =
      end === "leader" || end === "window" ? this.#challenge(token, end) : this.#answer(token, end);
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#cancelProofLimit();
      events.closed(this.#why);
    });
  }

  /** Sends a message, or an already encoded frame. Does nothing if the peer is not authenticated or has stopped reading. */
  send(message: Outgoing | Buffer): void {
    if (!this.#isOpen || this.#socket.destroyed) return;
    if (this.#socket.writableLength > MAX_WAITING) this.drop("it does not read");
    else this.#socket.write(Buffer.isBuffer(message) ? message : frameOf(message));
  }

  /** Closes the connection because the peer misbehaved. */
  drop(why: string): void {
    if (this.#socket.destroyed) return;
    this.#why = why;
    this.#socket.destroy();
  }

  /** Closes the connection normally. Data already sent still arrives. */
  close(): void {
    this.#socket.destroySoon();
  }

  #read(chunk: Buffer): void {
    try {
      for (const value of this.#reader.read(chunk)) {
        if (this.#socket.destroyed) return;
        this.#handle(value);
      }
    } catch (error) {
      this.drop(error instanceof Error ? error.name : "an error");
    }
  }

  #challenge(token: Token, end: End): (value: unknown) => void {
    const mine = token.newNonce();
    this.#socket.write(frameOf({ nonce: mine }));
    return (value) => {
      const theirs = answer.parse(value);
      if (!token.verifies(theirs.proof, PEERS[end], mine, theirs.nonce))
        return this.drop("it does not know the token");
      this.#socket.write(frameOf({ proof: token.sign(end, theirs.nonce, mine) }));
      this.#open();
    };
  }

  #answer(token: Token, end: End): (value: unknown) => void {
    return (value) => {
      const theirs = challenge.parse(value).nonce;
      const mine = token.newNonce();
      this.#socket.write(frameOf({ nonce: mine, proof: token.sign(end, theirs, mine) }));
      this.#handle = (last) => {
        if (!token.verifies(proof.parse(last).proof, PEERS[end], mine, theirs))
          return this.drop("it does not know the token");
        this.#open();
      };
    };
  }

  #open(): void {
    this.#cancelProofLimit();
    this.#reader.limit = LARGEST_FRAME;
    this.#handle = (value) => this.#events.received(this.#events.schema.parse(value));
    this.#isOpen = true;
    this.#events.opened();
  }
}
