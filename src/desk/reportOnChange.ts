import { retryTime } from "../exchange/errors.ts";

/** Whether a failure is the same for a person as the one before it. */
export function saysTheSame(before: unknown, now: unknown): boolean {
  return textOf(before) === textOf(now) && retryTime(before) === retryTime(now);
}

/**
 * Reports a failure when it begins, changes or ends (undefined), not each time it occurs: a night offline is reported
 * twice.
 */
export function reportOnChange(tell: (problem: unknown) => void): (problem: unknown) => void {
  let told: unknown;
  return (problem) => {
    const isNews = !saysTheSame(told, problem);
    told = problem;
    if (isNews) tell(problem);
  };
}

function textOf(problem: unknown): string {
  return problem instanceof Error ? `${String(problem)} ${textOf(problem.cause)}` : String(problem);
}
