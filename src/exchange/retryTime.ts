import { NotSentError, RefusedError } from "./errors.ts";

/**
 * When the exchange accepts the next request, ms since the epoch; undefined without a rate limit. A rate limit on
 * server time delays signed requests too.
 */
export function retryTime(problem: unknown): number | undefined {
  if (problem instanceof RefusedError) return problem.retryAt;
  if (problem instanceof NotSentError) return problem.retryAt ?? retryTime(problem.cause);
  return undefined;
}
