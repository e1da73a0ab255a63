import {
  NoResponseError,
  noResponseReasons,
  NotSentError,
  notSentReasons,
  RefusedError,
  UnreadableResponseError,
  unreadableReasons,
} from "../../exchange/errors.ts";

/**
 * Describes why an order or a cancellation failed or has no proven outcome, in plain English for the journal. Network
 * error codes are only logged.
 */
export function outcomeReason(error: unknown): string {
  if (error instanceof NotSentError) return notSentReasons[error.reason];
  if (error instanceof NoResponseError) return noResponseReasons[error.reason];
  if (error instanceof RefusedError) {
    const { code, meaning, serviceMessage = "a code that is not documented", contradictsItself } = error;
    const text = `the exchange responded with error ${code}: ${meaning ?? serviceMessage}`;
    return contradictsItself ? `${text}; the response contradicts itself` : text;
  }
  if (error instanceof UnreadableResponseError)
    return `${unreadableReasons[error.reason]} (HTTP ${error.httpStatus})`;
  return "an error inside Bidside";
}
