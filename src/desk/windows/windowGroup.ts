import type { Hub, HubEvents, Role } from "../../hub/hub.ts";
import type { Follower } from "../../hub/leader.ts";
import type { Announcement, LeaderUpdate, Request, Subject, WindowDemand } from "../../hub/protocol.ts";
import { Event } from "../event.ts";

/**
 * Connects to the windows that show an account (its id), or to all windows of the computer. If this rejects, the window
 * works without them.
 */
export type OpenWindows = (
  demand: WindowDemand,
  events: HubEvents,
  account: string | undefined,
) => Promise<HubPort>;

/** The part of the hub that the desk needs. */
type HubPort = Omit<Hub, "dropped">;
type Message = LeaderUpdate | Announcement | Request;

export interface WindowGroupOptions {
  readonly open: (demand: WindowDemand, events: HubEvents) => Promise<HubPort>;
  /** The initial demand of this window. */
  readonly demand: WindowDemand;
  /** Called for each message and demand before it is used: the computer may have slept. */
  readonly checkWake: () => void;
  readonly warn: (what: string) => void;
}

/** This window among a group of windows, one of which leads. */
export class WindowGroup {
  readonly #options: WindowGroupOptions;
  readonly #roleChanged = new Event<Role>();
  readonly #demandsChanged = new Event<Follower | undefined>();
  readonly #followerLost = new Event<void>();
  readonly #received = new Event<Message>();
  #hub: HubPort | undefined;
  #isAlone = false;
  #isDisposed = false;
  #demand: WindowDemand;

  /** Fires when the role of this window changed. Messages in between may be lost. */
  readonly onDidChangeRole = this.#roleChanged.add;
  /**
   * As leader: a window joined, changed its demand (`Follower`), or left (undefined). As follower: the leader's demand
   * changed.
   */
  readonly onDidChangeDemands = this.#demandsChanged.add;
  /** Fires in the leader when another window left or was killed. */
  readonly onDidLoseFollower = this.#followerLost.add;
  /** Messages from the other windows. */
  readonly onDidReceive = this.#received.add;

  constructor(options: WindowGroupOptions) {
    this.#options = options;
    this.#demand = options.demand;
    void this.#open();
  }

  get role(): Role {
    if (this.#isDisposed) return "joining";
    return this.#hub?.role ?? (this.#isAlone ? "leader" : "joining");
  }

  /** Whether this window leads. If it was replaced, it steps down first. */
  checkLead(): boolean {
    return this.role === "leader" && (this.#hub?.checkLead() ?? true);
  }

  /** The other windows; known only to the leader. */
  get followers(): readonly Follower[] {
    return this.#hub?.followers ?? [];
  }

  /** The leader's own demand; undefined unless this window is a follower. */
  get leader(): WindowDemand | undefined {
    return this.#hub?.leader;
  }

  /** Resolves when the windows have settled which one leads. */
  settled(): Promise<void> {
    return roleSettled(this);
  }

  setDemand(demand: WindowDemand): void {
    this.#demand = demand;
    this.#hub?.setDemand(demand);
  }

  /** Sends to all other windows. They accept updates only from the leader. */
  publish(message: LeaderUpdate | Announcement): void {
    this.#hub?.publish(message);
  }

  /** Requests a poll by the leader. */
  ask(subject: Subject): void {
    this.#hub?.ask({ type: "refresh", subject });
  }

  /** Leaves the group. No event follows. */
  dispose(): void {
    this.#isDisposed = true;
    this.#hub?.dispose();
  }

  async #open(): Promise<void> {
    const { open, warn, checkWake } = this.#options;
    try {
      const hub = await open(this.#demand, {
        roleChanged: () => this.#updateRole(),
        demandsChanged: (follower) => {
          checkWake();
          this.#demandsChanged.fire(follower);
          if (!follower && this.role === "leader") this.#followerLost.fire();
        },
        received: (message) => {
          checkWake();
          this.#received.fire(message);
        },
        warn,
      });
      if (this.#isDisposed) hub.dispose();
      this.#hub = hub;
      hub.setDemand(this.#demand);
    } catch (error) {
      warn(error instanceof Error ? error.message : "the other windows cannot be met");
      this.#isAlone = true;
    }
    if (this.role !== "joining") this.#updateRole();
  }

  #updateRole(): void {
    if (!this.#isDisposed) this.#roleChanged.fire(this.role);
  }
}

export async function roleSettled(windows: Pick<WindowGroup, "role" | "onDidChangeRole">): Promise<void> {
  if (windows.role !== "joining") return;
  await new Promise<void>((resolve) => {
    const stop = windows.onDidChangeRole((role) => {
      if (role === "joining") return;
      stop();
      resolve();
    });
  });
}
