import { checkEndsAreShown, checkOrdersAreSettled, checkRecovery, unsettledOrders } from "./liveness.ts";
import type { Plan } from "./plan.ts";
import { World } from "./world.ts";
import type { OrderStory, Violation } from "./checks.ts";

/** The result of one world. */
export interface Result {
  readonly plan: Plan;
  readonly violations: readonly Violation[];
  readonly situations: ReadonlyMap<string, number>;
  readonly history: readonly string[];
  /** The orders by their amounts. */
  readonly orders: ReadonlyMap<string, OrderStory>;
  readonly steps: number;
}

/** The time without faults after which all rules of liveness must hold. */
const CALM_MS = 120_000;
/** The last check of an order is due up to 132 s after a window began to watch it. */
const SETTLED_MS = 150_000;
/** A journal file that could not be read is read again within this time, and its orders may begin to be watched then. */
const LATE_MS = 60_000;

/** Lets all settled promises run their callbacks. */
function drained(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve));
}

/** Runs a plan to its end, or to the first check that fails. */
export async function run(plan: Plan): Promise<Result> {
  const world = new World(plan);
  const rejected = (error: unknown): void => {
    if (!(error instanceof Error && error.name === "Killed"))
      world.violated("noStrayError", error instanceof Error ? (error.stack ?? error.message) : String(error));
  };
  process.on("unhandledRejection", rejected);
  let steps = 0;
  const passTo = async (end: number): Promise<void> => {
    while (world.violations.length === 0 && world.scheduler.step(end)) {
      steps += 1;
      await drained();
    }
  };
  try {
    world.begin();
    await drained();
    const calmFrom = plan.minutes * 60_000;
    await passTo(calmFrom);
    world.note("all faults end");
    world.calm();
    await passTo(calmFrom + CALM_MS);
    if (world.violations.length === 0) checkRecovery(world);
    await passTo(calmFrom + SETTLED_MS);
    if (unsettledOrders(world).length > 0) await passTo(calmFrom + SETTLED_MS + LATE_MS);
    if (world.violations.length === 0) checkOrdersAreSettled(world);
    if (world.violations.length === 0 && plan.switches) checkEndsAreShown(world);
    for (const [name, exchange] of Object.entries(world.exchanges)) {
      if (!exchange.conserves) world.violated("theLedgerConserves", `${name} lost or made money`);
    }
    for (const window of world.alive) world.close(window);
    await passTo(world.scheduler.now + 1);
    // Unhandled rejections are known after a turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off("unhandledRejection", rejected);
  }
  const { violations, situations, history, checks } = world;
  return { plan, violations, situations, history, orders: checks.orders, steps };
}
