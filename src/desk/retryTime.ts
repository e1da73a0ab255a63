import { NotSentError, RefusedError } from "../exchange/errors.ts";

/** When a service lets the next request through, ms since the epoch; undefined where it set no block. */
export function retryTime(problem: unknown): number | undefined {
  return problem instanceof RefusedError || problem instanceof NotSentError ? problem.retryAt : undefined;
}
