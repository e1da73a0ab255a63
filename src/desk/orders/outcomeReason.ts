import { NoAnswerError, NotSentError, RefusedError, UnreadableAnswerError } from "../../exchange/errors.ts";

/**
 * Why the outcome of a bid is not proven, in plain English for the journal. Error names of the network stay in the
 * log.
 */
export function outcomeReason(error: unknown): string {
  if (error instanceof NotSentError) return NOT_SENT[error.reason];
  if (error instanceof NoAnswerError) {
    return error.reason === "timeout"
      ? "the exchange did not answer in time"
      : "the connection was lost before the answer was complete";
  }
  if (error instanceof RefusedError) {
    const { code, meaning, serviceMessage = "a code that is not documented", contradictsItself } = error;
    const said = `the exchange answered with error ${code}: ${meaning ?? serviceMessage}`;
    return contradictsItself ? `${said}; the answer contradicts itself` : said;
  }
  if (error instanceof UnreadableAnswerError) return `${UNREADABLE[error.reason]} (HTTP ${error.httpStatus})`;
  return "an error inside Bidside";
}

const NOT_SENT: Readonly<Record<NotSentError["reason"], string>> = {
  unreachable: "the exchange could not be reached",
  certificate: "the exchange's certificate was not trusted",
  insecure: "plain http is for this computer only",
  noCredentials: "no API key was stored",
  credentialsUnreadable: "the stored API key could not be read",
  badCredentials: "the stored API key cannot be sent",
  clockUnknown: "the exchange's clock could not be read",
  blocked: "the exchange's rate limit was still running",
  tooLate: "it took too long, or the price moved",
};

const UNREADABLE: Readonly<Record<UnreadableAnswerError["reason"], string>> = {
  httpStatus: "an error page came instead of an answer",
  notJson: "the answer was not JSON",
  shape: "the answer was in an unknown form",
  contradictory: "the answer contradicted itself",
  tooLarge: "the answer was too large",
  redirect: "the exchange redirected to another address",
};
