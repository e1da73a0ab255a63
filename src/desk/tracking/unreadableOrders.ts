import type { Announcement, LeaderUpdate, Request } from "../../hub/protocol.ts";
import { Disposable } from "../disposable.ts";
import { Event } from "../event.ts";
import type { Windows } from "../windows/windows.ts";
import type { OrderTracker } from "./orderTracker.ts";

/**
 * Whether the newest responses had orders or fills that could not be read: in this window, or in the one that reads the
 * account for it.
 */
export class UnreadableOrders extends Disposable {
  readonly #windows: Windows;
  readonly #tracker: OrderTracker;
  readonly #changed = new Event<void>();
  /** What the window that reads said last. */
  #isSaid = false;

  readonly onDidChange = this.#changed.add;

  constructor(windows: Windows, tracker: OrderTracker) {
    super();
    this.#windows = windows;
    this.#tracker = tracker;
    this.register(
      tracker.onDidChangeUnreadable(() => {
        this.#publish();
        this.#changed.fire();
      }),
      windows.onDidUpdateFollower(() => this.#publish()),
      windows.onDidReceive((message) => this.#receive(message)),
      // The next window that reads says so anew.
      windows.onDidChangeRole(() => this.#say(false)),
    );
  }

  get isAny(): boolean {
    return this.#windows.reads("balance") ? this.#tracker.hasUnreadable : this.#isSaid;
  }

  #publish(): void {
    const { role, hasFollowers, demand } = this.#windows;
    const { venue, account } = demand;
    if (role !== "leader" || !hasFollowers || venue === undefined || account === undefined) return;
    this.#windows.publish({ type: "orders", venue, account, isUnreadable: this.#tracker.hasUnreadable });
  }

  #receive(message: LeaderUpdate | Announcement | Request): void {
    const { venue, account } = this.#windows.demand;
    if (message.type !== "orders" || message.venue !== venue || message.account !== account) return;
    this.#say(message.isUnreadable);
  }

  #say(isUnreadable: boolean): void {
    this.#isSaid = isUnreadable;
    this.#changed.fire();
  }
}
