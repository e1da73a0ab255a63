import type { OpenWindows } from "../../../src/desk/windows/windowGroup.ts";
import type { HubEvents, Role } from "../../../src/hub/hub.ts";
import type { Follower } from "../../../src/hub/leader.ts";
import type { LeaderUpdate, WindowDemand } from "../../../src/hub/protocol.ts";

/** A window that is connected to the others. */
class Member implements Follower {
  demand: WindowDemand;
  readonly #events: HubEvents;
  isOpen = true;

  constructor(demand: WindowDemand, events: HubEvents) {
    this.demand = demand;
    this.#events = events;
  }

  send(message: LeaderUpdate): void {
    this.emit(({ received }) => received(message));
  }

  /** The event arrives after its sender has finished. */
  emit(event: (events: HubEvents) => void): void {
    queueMicrotask(() => this.isOpen && event(this.#events));
  }
}

/**
 * Connects the windows of one computer without sockets or real time, so that a run is reproducible. The oldest open window
 * leads.
 */
export function windowsInMemory(): OpenWindows {
  const groups = new Map<string | undefined, OpenGroup>();
  return (demand, events, account) => {
    const group = groups.get(account) ?? groupInMemory();
    groups.set(account, group);
    return group(demand, events);
  };
}

type OpenGroup = (...joining: [WindowDemand, HubEvents]) => ReturnType<OpenWindows>;

function groupInMemory(): OpenGroup {
  let open: readonly Member[] = [];
  const roleOf = (member: Member): Role => (member === open[0] ? "leader" : "follower");
  return async (first, events) => {
    const member = new Member(first, events);
    open = [...open, member];
    const leads = (): boolean => roleOf(member) === "leader";
    const others = (): Member[] => open.filter((each) => each !== member);
    return {
      get role() {
        return roleOf(member);
      },
      get followers() {
        return leads() ? others() : [];
      },
      get leader() {
        return leads() ? undefined : open[0]?.demand;
      },
      checkLead: leads,
      setDemand(demand) {
        member.demand = demand;
        if (leads())
          for (const each of others()) each.emit(({ demandsChanged }) => demandsChanged(undefined));
        else open[0]?.emit(({ demandsChanged }) => demandsChanged(member));
      },
      publish(message) {
        if ("venue" in message && !leads()) return;
        for (const each of others()) each.emit(({ received }) => received(message));
      },
      ask: (request) => open[0]?.emit(({ received }) => received(request)),
      dispose() {
        const led = leads();
        member.isOpen = false;
        open = others();
        const [leader, ...followers] = open;
        if (led) for (const each of open) each.emit(({ roleChanged }) => roleChanged(roleOf(each)));
        for (const each of led ? followers : []) leader?.emit(({ demandsChanged }) => demandsChanged(each));
        if (!led) leader?.emit(({ demandsChanged }) => demandsChanged(undefined));
      },
    };
  };
}
