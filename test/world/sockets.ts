import { EventEmitter } from "node:events";
import type { Server, Socket } from "node:net";
import { type Disk, type DiskFile, failure, slashed } from "./disk.ts";
import type { Process } from "./process.ts";
import type { Scheduler } from "./scheduler.ts";

/** The current behaviour of the links between processes. */
export interface LinkTrouble {
  /** ms until bytes written now arrive. */
  latency(): number;
  /** Receives everything that arrives, for the checks. */
  arrived(from: Process, to: Process, bytes: Buffer): void;
}

/** One end of a link, with the part of a socket's interface that the windows use. */
class End extends EventEmitter {
  peer: End | undefined;
  destroyed = false;
  readonly writableLength = 0;
  readonly process: Process;
  readonly #sockets: Sockets;
  #isOver = false;

  constructor(process: Process, sockets: Sockets) {
    super();
    this.process = process;
    this.#sockets = sockets;
    process.onEnd(() => this.hangUp());
  }

  write(bytes: Buffer): boolean {
    const { peer } = this;
    if (this.destroyed || !peer || !this.process.isAlive) return false;
    this.#sockets.carry(this, () => {
      if (peer.destroyed || !peer.process.isAlive) return;
      this.#sockets.trouble.arrived(this.process, peer.process, bytes);
      peer.emit("data", bytes);
    });
    return true;
  }

  destroy(): void {
    if (this.destroyed) return;
    this.hangUp();
    this.process.after(0, () => this.close());
  }

  destroySoon(): void {
    this.destroy();
  }

  /** The system closes this end; the other end gets the close after all written bytes. */
  hangUp(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    const { peer } = this;
    if (peer) this.#sockets.carry(this, () => peer.end());
  }

  end(): void {
    this.destroyed = true;
    this.close();
  }

  close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.emit("close");
  }
}

/** The part of a server's interface that the leader uses. The server's address is a file of the disk. */
class Listener extends EventEmitter {
  listening = false;
  maxConnections = 0;
  readonly process: Process;
  readonly #disk: Disk;
  #address = "";
  #file: DiskFile | undefined;

  constructor(process: Process, disk: Disk) {
    super();
    this.process = process;
    this.#disk = disk;
    // A killed process leaves the file of its socket.
    process.onEnd(() => (this.listening = false));
  }

  listen(name: string, done: () => void): void {
    const address = slashed(name);
    this.process.after(0, () => {
      if (this.#disk.files.has(address)) {
        this.emit("error", failure("EADDRINUSE", address));
        return;
      }
      this.#address = address;
      this.#file = this.#disk.add(address, 0o600);
      this.#file.listener = this;
      this.listening = true;
      done();
    });
  }

  close(): void {
    if (!this.listening) return;
    this.listening = false;
    if (this.#disk.files.get(this.#address) === this.#file) this.#disk.remove(this.#address);
  }
}

/** The links between the processes of a computer. The bytes of one end arrive in their order. */
export class Sockets {
  readonly trouble: LinkTrouble;
  readonly #scheduler: Scheduler;
  readonly #disk: Disk;
  readonly #arrivals = new WeakMap<End, number>();
  /** Ends that wait for another end or have another end. */
  readonly #ends = new Set<End>();

  constructor(scheduler: Scheduler, disk: Disk, trouble: LinkTrouble) {
    this.#scheduler = scheduler;
    this.#disk = disk;
    this.trouble = trouble;
  }

  createServer(process: Process): Server {
    process.check();
    return new Listener(process, this.#disk) as unknown as Server;
  }

  connect(process: Process, name: string): Socket {
    const address = slashed(name);
    process.check();
    const own = new End(process, this);
    process.after(this.trouble.latency(), () => {
      const listener = this.#disk.files.get(address)?.listener;
      if (!(listener instanceof Listener) || !listener.listening) {
        own.emit("error", failure(listener ? "ECONNREFUSED" : "ENOENT", address));
        own.end();
        return;
      }
      const other = new End(listener.process, this);
      own.peer = other;
      other.peer = own;
      this.#ends.add(own);
      if (own.destroyed) return;
      listener.process.run(() => {
        if (listener.listening) listener.emit("connection", other);
        else other.destroy();
      });
    });
    return own as unknown as Socket;
  }

  /** One link breaks, on both sides. */
  dropOne(): void {
    const open = [...this.#ends].filter(({ destroyed }) => !destroyed);
    this.#ends.clear();
    for (const end of open) this.#ends.add(end);
    const end = this.#scheduler.pick(open);
    if (!end) return;
    end.process.run(() => end.destroy());
  }

  /** Runs `task` in the process of the other end, after everything that this end sent before. */
  carry(from: End, task: () => void): void {
    const { peer } = from;
    if (!peer) return;
    const at = Math.max(this.#scheduler.now + this.trouble.latency(), this.#arrivals.get(from) ?? 0);
    this.#arrivals.set(from, at);
    this.#scheduler.after(at - this.#scheduler.now, () => peer.process.run(task));
  }
}
