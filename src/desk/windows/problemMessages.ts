import type { ExchangeClient } from "../../exchange/client.ts";
import {
  NoAnswerError,
  NotSentError,
  RefusedError,
  retryTime,
  UnreadableAnswerError,
} from "../../exchange/errors.ts";
import type { SharedProblem } from "../../hub/protocol.ts";

/**
 * The data to show a failure in another window. Error texts of the network stay in this window's log. A rate limit is
 * told only while it lasts for `client`: one that was met before the clock was set back would last for hours there.
 */
export function shareProblem(
  problem: unknown,
  client: ExchangeClient | undefined,
): SharedProblem | undefined {
  if (problem === undefined) return undefined;
  if (problem instanceof NotSentError) {
    const { kind, endpoint, reason } = problem;
    const isClock = reason === "clockUnknown";
    const isBlocked = client?.blockedUntil(isClock ? "serverTime" : endpoint) !== undefined;
    return { kind, endpoint, reason, retryAt: isBlocked ? retryTime(problem) : undefined };
  }
  if (problem instanceof NoAnswerError) {
    const { kind, endpoint, reason } = problem;
    return { kind, endpoint, reason };
  }
  if (problem instanceof RefusedError) {
    const { kind, endpoint, code, httpStatus, retryAt } = problem;
    const isBlocked = client?.blockedUntil(endpoint) !== undefined;
    return { kind, endpoint, code: shareCode(code), httpStatus, ...(isBlocked && { retryAt }) };
  }
  if (problem instanceof UnreadableAnswerError) {
    const { kind, endpoint, reason, httpStatus } = problem;
    return { kind, endpoint, reason, httpStatus };
  }
  return { kind: "internal" };
}

/** A known form of error code is sent as it is; any other code is not repeated. */
function shareCode(code: number | string): number | string {
  const isCode =
    typeof code === "number" ? Number.isFinite(code) : /^[A-Za-z0-9][A-Za-z0-9.-]{0,23}$/.test(code);
  return isCode ? code : "unknown";
}

/** A rate limit that another window met counts for this window too. */
export function adoptBlock(client: ExchangeClient | undefined, problem: SharedProblem | undefined): void {
  if (!problem || !("retryAt" in problem) || problem.retryAt === undefined) return;
  const isClock = problem.kind === "notSent" && problem.reason === "clockUnknown";
  client?.adoptBlock(isClock ? "serverTime" : problem.endpoint, problem.retryAt);
}

const ELSEWHERE = "as another window found";

/** The failure that another window reported. */
export function adoptProblem(problem: SharedProblem | undefined): unknown {
  switch (problem?.kind) {
    case undefined:
      return undefined;
    case "notSent": {
      const { endpoint, reason, retryAt } = problem;
      return new NotSentError(endpoint, reason, ELSEWHERE, retryAt === undefined ? {} : { retryAt });
    }
    case "noAnswer":
      return new NoAnswerError(problem.endpoint, problem.reason, ELSEWHERE);
    case "refused":
      return new RefusedError(problem.endpoint, problem);
    case "unreadable":
      return new UnreadableAnswerError(problem.endpoint, problem.reason, problem.httpStatus, ELSEWHERE);
    case "internal":
      return new Error("Another window has a problem. The log of that window has the details.");
  }
}
