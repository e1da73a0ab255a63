import type { ExchangeClient } from "../../exchange/client.ts";
import { isEndpoint, type Endpoint } from "../../exchange/endpoints.ts";
import {
  ExchangeError,
  NoResponseError,
  NotSentError,
  RefusedError,
  retryTime,
  UnreadableResponseError,
} from "../../exchange/errors.ts";
import { rootOf } from "../../exchange/meaning.ts";
import type { SharedProblem } from "../../hub/protocol.ts";

/**
 * A failure as shown in other windows; `now` in ms. Network error texts stay in this window's log. A rate limit is
 * included only while `client` is still rate-limited: one met before the clock was set back would last for hours in
 * another window.
 */
export function shareProblem(
  failure: unknown,
  client: Pick<ExchangeClient, "rateLimitedUntil"> | undefined,
  now: number,
): SharedProblem | undefined {
  const problem = rootOf(failure);
  if (problem === undefined) return undefined;
  if (problem instanceof NotSentError) {
    const { kind, endpoint, reason } = problem;
    return { kind, endpoint, reason, ...restOf(problem, client, now) };
  }
  if (problem instanceof NoResponseError) {
    const { kind, endpoint, reason } = problem;
    return { kind, endpoint, reason };
  }
  if (problem instanceof RefusedError) {
    const { kind, endpoint, code, httpStatus } = problem;
    return { kind, endpoint, code: shareCode(code), httpStatus, ...restOf(problem, client, now) };
  }
  if (problem instanceof UnreadableResponseError) {
    const { kind, endpoint, reason, httpStatus } = problem;
    return { kind, endpoint, reason, httpStatus, ...restOf(problem, client, now) };
  }
  return { kind: "internal" };
}

/** Error codes of an unknown form are not sent to other windows. */
function shareCode(code: number | string): number | string {
  const isCode =
    typeof code === "number" ? Number.isFinite(code) : /^[A-Za-z0-9][A-Za-z0-9.-]{0,23}$/.test(code);
  return isCode ? code : "unknown";
}

/** The remaining time of a problem's rate limit, if there is one. */
function restOf(
  problem: ExchangeError,
  client: Pick<ExchangeClient, "rateLimitedUntil"> | undefined,
  now: number,
): { readonly retryInMs?: number; readonly limitsHost?: true } {
  const retryAt = retryTime(problem);
  const isRateLimited = client?.rateLimitedUntil(limitedEndpoint(problem)) !== undefined;
  if (!isRateLimited || retryAt === undefined) return {};
  return { retryInMs: Math.max(0, retryAt - now), ...(problem.limitsHost && { limitsHost: true }) };
}

/** The endpoint that a rate limit is about. */
function limitedEndpoint(problem: ExchangeError): Endpoint {
  return problem instanceof NotSentError && problem.reason === "clockUnknown"
    ? "serverTime"
    : problem.endpoint;
}

const ELSEWHERE = "as another window found";

/** The failure reported by another window. Its rate limit applies to `client` too; `now` in ms. */
export function adoptProblem(
  problem: SharedProblem | undefined,
  client: Pick<ExchangeClient, "adoptRateLimit"> | undefined,
  now: number,
): unknown {
  const adopted = errorOf(problem, now);
  if (adopted instanceof ExchangeError && adopted.retryAt !== undefined)
    client?.adoptRateLimit(limitedEndpoint(adopted), adopted.retryAt, adopted.limitsHost);
  return adopted;
}

function errorOf(problem: SharedProblem | undefined, now: number): unknown {
  if (problem === undefined) return undefined;
  if (problem.kind === "internal" || !isEndpoint(problem.endpoint))
    return new Error("Another window has a problem. The log of that window has the details.");
  const { endpoint } = problem;
  const inMs = "retryInMs" in problem ? problem.retryInMs : undefined;
  const limitsHost = "limitsHost" in problem ? problem.limitsHost : undefined;
  const limit = inMs === undefined ? {} : { retryAt: now + inMs, limitsHost };
  switch (problem.kind) {
    case "notSent":
      return new NotSentError(endpoint, problem.reason, ELSEWHERE, limit);
    case "noAnswer":
      return new NoResponseError(endpoint, problem.reason, ELSEWHERE);
    case "refused":
      return new RefusedError(endpoint, { ...problem, ...limit });
    case "unreadable":
      return new UnreadableResponseError(endpoint, problem.reason, problem.httpStatus, ELSEWHERE, limit);
  }
}
