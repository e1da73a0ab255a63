import { retryTime } from "../exchange/errors.ts";

/** Whether two failures would be shown alike. */
export function isSameFailure(before: unknown, now: unknown): boolean {
  return textOf(before) === textOf(now) && retryTime(before) === retryTime(now);
}

/** Reports a failure only when it begins, changes or ends (undefined): a night offline is reported twice. */
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
