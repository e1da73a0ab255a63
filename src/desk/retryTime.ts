import { NotSentError, RefusedError } from "../exchange/errors.ts";

/**
 * When a service lets the next request through, ms since the epoch; undefined where it set no block. A block on server
 * time keeps signed requests back too.
 */
export function retryTime(problem: unknown): number | undefined {
  if (problem instanceof RefusedError) return problem.retryAt;
  if (problem instanceof NotSentError) return problem.retryAt ?? retryTime(problem.cause);
  return undefined;
}
