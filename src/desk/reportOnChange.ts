import { retryTime } from "../exchange/errors.ts";

/** Whether a failure is the same for a person as the one before it. */
export function isSameFailure(before: unknown, now: unknown): boolean {
  return textOf(before) === textOf(now) && retryTime(before) === retryTime(now);
}

/**
 * Reports a failure when it begins, changes or ends (undefined), not each time it occurs: a night offline is reported
 * twice.
 */
export function reportOnChange(report: (problem: unknown) => void): (problem: unknown) => void {
  let reported: unknown;
  return (problem) => {
    const isNews = !isSameFailure(reported, problem);
    reported = problem;
    if (isNews) report(problem);
  };
}

function textOf(problem: unknown): string {
  return problem instanceof Error ? `${String(problem)} ${textOf(problem.cause)}` : String(problem);
}
