import type { Fault, Plan } from "./plan.ts";
import { type Result, run } from "./run.ts";

/** Smaller plans of the same seed, the smallest first. */
function* smaller(plan: Plan): Generator<Plan> {
  for (let minutes = 1; minutes < plan.minutes; minutes *= 2) yield { ...plan, minutes };
  for (let windows = 1; windows < plan.windows; windows += 1) yield { ...plan, windows };
  for (const fault of Object.keys(plan.rates) as Fault[]) {
    const { [fault]: _, ...rates } = plan.rates;
    yield { ...plan, rates };
  }
}

/**
 * The smallest plan that still fails the same check: less time, fewer windows, fewer faults. Any change of a
 * plan changes all later random choices, so this is a search and no proof.
 */
export async function shrunk(failure: Result): Promise<Result> {
  const check = failure.violations[0]?.check;
  let smallest = failure;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const plan of smaller(smallest.plan)) {
      const result = await run(plan);
      if (result.violations[0]?.check !== check) continue;
      smallest = result;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}
