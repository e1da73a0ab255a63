import type { MarketClient } from "../../exchange/client.ts";
import { isEndpoint } from "../../exchange/endpoints.ts";
import { ExchangeError, RefusedError } from "../../exchange/errors.ts";
import { isMeaning, meaningOf, ReportedError, rootOf, statusOf } from "../../exchange/meaning.ts";
import type { SharedProblem } from "../../hub/protocol.ts";

/**
 * A failure as shown in other windows; `now` in ms. Network error texts stay in this window's log. A rate limit is
 * included only while `client` is still rate-limited: one met before the clock was set back would last for hours in
 * another window.
 */
export function shareProblem(
  failure: unknown,
  client: MarketClient | undefined,
  now: number,
): SharedProblem | undefined {
  const problem = rootOf(failure);
  if (problem === undefined) return undefined;
  const meaning = meaningOf(problem);
  if (!(problem instanceof ExchangeError)) return { meaning };
  const { endpoint, retryAt } = problem;
  const isRateLimited = client?.rateLimitedUntil(endpoint) !== undefined;
  return {
    meaning,
    endpoint,
    httpStatus: statusOf(problem),
    ...(meaning === "code" && problem instanceof RefusedError && { code: shareCode(problem.code) }),
    ...(isRateLimited &&
      retryAt !== undefined && {
        retryInMs: Math.max(0, retryAt - now),
        ...(problem.limitsHost && { limitsHost: true }),
      }),
  };
}

/** Error codes of an unknown form are not sent to other windows. */
function shareCode(code: number | string): number | string {
  const isCode =
    typeof code === "number" ? Number.isFinite(code) : /^[A-Za-z0-9][A-Za-z0-9.-]{0,23}$/.test(code);
  return isCode ? code : "unknown";
}

/** The failure reported by another window. Its rate limit applies to `client` too; `now` in ms. */
export function adoptProblem(
  problem: SharedProblem | undefined,
  client: MarketClient | undefined,
  now: number,
): unknown {
  if (problem === undefined) return undefined;
  const { meaning, endpoint = "", httpStatus = 0, code, retryInMs, limitsHost } = problem;
  if (!isMeaning(meaning) || !isEndpoint(endpoint))
    return new Error("Another window has a problem. The log of that window has the details.");
  const limit = retryInMs === undefined ? {} : { retryAt: now + retryInMs, limitsHost };
  const adopted =
    code === undefined
      ? new ReportedError(endpoint, meaning, httpStatus, limit)
      : new RefusedError(endpoint, { code, httpStatus, ...limit });
  if (adopted.retryAt !== undefined) client?.adoptRateLimit(endpoint, adopted.retryAt, adopted.limitsHost);
  return adopted;
}
