import { ExponentialBackoff, handleWhen, retry, type IRetryPolicyConfig } from "cockatiel";
import { messageOf, NoAnswerError, NotSentError, UnreadableAnswerError } from "./errors.ts";

const quickRetry: IRetryPolicyConfig = {
  maxAttempts: 2,
  backoff: new ExponentialBackoff({ initialDelay: 300, maxDelay: 2000 }),
};

/**
 * Runs a read, and repeats it after a failure that may be temporary. `beginAgain` is called right before each
 * repetition, once; false ends the read with its last failure.
 */
export type ReadRetry = <T>(read: () => Promise<T>, beginAgain?: () => boolean) => Promise<T>;

/** For reads only: an order is never sent again. `tell` is called for each repetition. */
export function createReadRetry(
  policy: IRetryPolicyConfig = quickRetry,
  tell: (text: string) => void,
): ReadRetry {
  return (read, beginAgain = () => true) => {
    let isAllowed = true;
    const attempts = retry(
      handleWhen((error) => isAllowed && isTransient(error)),
      policy,
    );
    attempts.onRetry((event) => {
      if ("error" in event) tell(`${messageOf(event.error)}; trying again in ${Math.round(event.delay)} ms`);
    });
    let failure: unknown;
    return attempts.execute(async ({ attempt }) => {
      // Another window may have started to ask in the meantime.
      if (attempt > 0) isAllowed = beginAgain();
      if (!isAllowed) throw failure;
      return await read().catch((error: unknown) => {
        failure = error;
        throw error;
      });
    });
  };
}

function isTransient(error: unknown): boolean {
  if (error instanceof NoAnswerError) return true;
  if (error instanceof UnreadableAnswerError) return error.reason === "httpStatus" && error.httpStatus >= 500;
  if (!(error instanceof NotSentError)) return false;
  return error.reason === "unreachable" || (error.reason === "clockUnknown" && isTransient(error.cause));
}
