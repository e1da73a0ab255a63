import type { HubEvents, Peer, Role } from "../../hub/hub.ts";
import type { Announcement, Need, Reading, Request, Subject } from "../../hub/protocol.ts";
import { Listeners } from "../event.ts";

/** The connection to the other windows, as far as the desk needs it: the hub. */
interface WayToOthers {
  readonly role: Role;
  readonly peers: readonly Peer[];
  readonly leader: Need | undefined;
  checkLead(): boolean;
  setNeed(need: Need): void;
  publish(message: Reading | Announcement): void;
  ask(request: Request): void;
  fingerprint(text: string): string;
  dispose(): void;
}

export interface WindowsOptions {
  /** Connects to the other windows. If this rejects, the window works without them. */
  readonly open: (need: Need, events: HubEvents) => Promise<WayToOthers>;
  /** What this window needs at first. */
  readonly need: Need;
  readonly now: () => number;
  readonly trouble: (what: string) => void;
}

/** The digest of every text in a window that has no connection to others. */
const NO_OTHERS = "0000000000000000";

/**
 * This window among all windows of the computer. One window asks the exchange for all windows with the same venue and
 * account, and the others take its readings. Nothing is requested before it is known which window that is.
 */
export class Windows {
  readonly #options: WindowsOptions;
  readonly #changed = new Listeners<void>();
  readonly #roles = new Listeners<Role>();
  readonly #met = new Listeners<Peer>();
  readonly #heard = new Listeners<Reading | Announcement | Request>();
  /** The newest request for each, from any window. */
  readonly #asked: Partial<Record<Subject, Extract<Reading, { type: "asked" }>>> = {};
  readonly #opening: Promise<WayToOthers | undefined>;
  #others: WayToOthers | undefined;
  #isAlone = false;
  #isDisposed = false;
  #need: Need;

  /** Fires when another window may be the one that asks, or another interval may be needed. */
  readonly onDidChange = this.#changed.add;
  /** Fires when this window became the leader or stopped being it. Messages in between may be lost. */
  readonly onDidChangeRole = this.#roles.add;
  /** Fires in the leader when another window came, or needs something else. */
  readonly onDidMeet = this.#met.add;
  /** Messages from the other windows. */
  readonly onDidHear = this.#heard.add;

  constructor(options: WindowsOptions) {
    this.#options = options;
    this.#need = options.need;
    this.#opening = this.#open();
  }

  get role(): Role {
    if (this.#isDisposed) return "joining";
    return this.#others?.role ?? (this.#isAlone ? "leader" : "joining");
  }

  /** Looks whether this window was replaced, and steps down then. True if it acts for all. */
  checkLead(): boolean {
    return this.role === "leader" && (this.#others?.checkLead() ?? true);
  }

  /** Resolves when it is known which window acts for all. */
  settled(): Promise<void> {
    if (this.role !== "joining" || this.#isDisposed) return Promise.resolve();
    return new Promise((resolve) => {
      const stop = this.#roles.add((role) => {
        if (role === "joining") return;
        stop();
        resolve();
      });
    });
  }

  /** What this window needs. */
  get need(): Need {
    return this.#need;
  }

  /** Whether there is another window to send this window's readings to. */
  get hasFollowers(): boolean {
    return (this.#others?.peers.length ?? 0) > 0;
  }

  setNeed(wanted: Partial<Need>): void {
    const need = { ...this.#need, ...wanted };
    if (JSON.stringify(need) === JSON.stringify(this.#need)) return;
    this.#need = need;
    this.#others?.setNeed(need);
    this.#changed.fire();
  }

  /** Whether this window asks the exchange itself: it leads, or the leader has another venue or account. */
  reads(subject: Subject): boolean {
    const { venue, account } = this.#need;
    if (venue === undefined || venue === "none") return false;
    if (subject === "balance" && account === undefined) return false;
    if (this.role !== "follower") return this.role === "leader";
    const leader = this.#others?.leader;
    if (leader?.venue === undefined) return false;
    if (leader.venue !== venue) return true;
    return subject === "balance" && leader.account !== undefined && leader.account !== account;
  }

  /** What is needed by all windows that this one asks for. */
  needsFor(subject: Subject): readonly Need[] {
    if (!this.reads(subject)) return [];
    if (this.role === "follower") return [this.#need];
    const { venue, account } = this.#need;
    const others = (this.#others?.peers ?? []).map(({ need }) => need);
    return [this.#need, ...others].filter(
      (each) => each.venue === venue && (subject === "market" || each.account === account),
    );
  }

  /**
   * Begins one request: to be called right before it is sent, once. False if this window must not send it. If the
   * request serves all windows, they are told first, in case this window is killed.
   */
  beginRead(subject: Subject): boolean {
    const { venue, account } = this.#need;
    if (venue === undefined || !this.reads(subject)) return false;
    if (this.role === "follower") return true;
    if (!this.checkLead()) return false;
    const at = this.#options.now();
    const asked = { type: "asked", subject, venue, ...(subject === "balance" && { account }), at } as const;
    this.#asked[subject] = asked;
    this.publish(asked);
    return true;
  }

  /** Sends to all other windows. They accept a reading only from the leader. */
  publish(message: Reading | Announcement): void {
    this.#others?.publish(message);
  }

  /** Asks the leader to read again. */
  ask(subject: Subject): void {
    this.#others?.ask({ type: "refresh", subject });
  }

  /** 16 hex digits that identify a text among the windows and reveal nothing to others. */
  async fingerprint(text: string): Promise<string> {
    return (await this.#opening)?.fingerprint(text) ?? NO_OTHERS;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#others?.dispose();
  }

  async #open(): Promise<WayToOthers | undefined> {
    const { open, trouble } = this.#options;
    try {
      const others = await open(this.#need, {
        roleChanged: () => this.#followRole(),
        needsChanged: (peer) => this.#followNeeds(peer),
        received: (message) => this.#hear(message),
        trouble,
      });
      if (this.#isDisposed) others.dispose();
      this.#others = others;
      others.setNeed(this.#need);
      return others;
    } catch (error) {
      trouble(error instanceof Error ? error.message : "the other windows cannot be met");
      this.#isAlone = true;
      return undefined;
    } finally {
      this.#followRole();
    }
  }

  #followRole(): void {
    this.#changed.fire();
    this.#roles.fire(this.role);
  }

  #followNeeds(peer: Peer | undefined): void {
    this.#changed.fire();
    if (!peer) return;
    for (const asked of Object.values(this.#asked)) peer.send(asked);
    this.#met.fire(peer);
  }

  #hear(message: Reading | Announcement | Request): void {
    if (message.type === "asked") this.#asked[message.subject] = message;
    this.#heard.fire(message);
  }
}
