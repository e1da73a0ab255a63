import { retryTime } from "./retryTime.ts";

/** Whether a failure tells a person nothing that the one before it did not. */
export function saysTheSame(before: unknown, now: unknown): boolean {
  return textOf(before) === textOf(now) && retryTime(before) === retryTime(now);
}

/** Passes on a trouble when it begins, changes or ends (undefined), not each time it is met: a night offline is told twice. */
export function toldOnce(tell: (problem: unknown) => void): (problem: unknown) => void {
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
