import * as vscode from "vscode";
import { commandIds } from "../contributions.ts";
import {
  NoAnswerError,
  NotSentError,
  RefusedError,
  UnreadableAnswerError,
  type ExchangeError,
} from "../exchange/errors.ts";
import type { ProfileProblem } from "../exchange/profile.ts";
import { ProfileError } from "./liveVenue.ts";
import { momentText, timeText, withoutAmounts } from "./numberText.ts";

const HOUR_MS = 3_600_000;

/** One sentence or two for a person, and the one command that helps most. */
export interface Explanation {
  readonly sentence: string;
  readonly action: ErrorAction;
}

export interface ErrorAction {
  readonly command: string;
  readonly title: string;
  readonly arguments?: readonly unknown[];
}

const showLog = (): ErrorAction => ({ command: commandIds.showLog, title: vscode.l10n.t("Show Log") });
const setKey = (): ErrorAction => ({
  command: commandIds.setCredentials,
  title: vscode.l10n.t("Set API Key and Secret"),
});
const settings = (): ErrorAction => ({
  command: "workbench.action.openSettings",
  title: vscode.l10n.t("Open Settings"),
  arguments: ["bidside.exchange"],
});

/** What happened and what to do, for any error a venue can give. `name` is the venue's. */
export function explain(error: unknown, name: string): Explanation {
  if (error instanceof ProfileError) {
    return { sentence: error.problems.map(profileText).join(" "), action: settings() };
  }
  if (error instanceof NotSentError) return notSent(error, name);
  if (error instanceof NoAnswerError) return { sentence: noAnswerText(error, name), action: showLog() };
  if (error instanceof RefusedError) return refused(error, name);
  if (error instanceof UnreadableAnswerError) return unreadable(error, name);
  return {
    sentence: vscode.l10n.t("Something went wrong inside Bidside. The log has the details."),
    action: showLog(),
  };
}

function notSent(error: NotSentError, name: string): Explanation {
  switch (error.reason) {
    case "unreachable":
      return {
        sentence: vscode.l10n.t("{0} cannot be reached. Check the network and the base URL.", name),
        action: showLog(),
      };
    case "certificate":
      return {
        sentence: vscode.l10n.t(
          "The certificate of {0} cannot be trusted, so nothing was sent. Check the base URL and this machine's clock; the log says why.",
          name,
        ),
        action: showLog(),
      };
    case "insecure":
      return { sentence: profileText("baseUrlInsecure"), action: settings() };
    case "noCredentials":
      return { sentence: vscode.l10n.t("There is no API key for {0} yet.", name), action: setKey() };
    case "credentialsUnreadable":
      return {
        sentence: vscode.l10n.t(
          "The API key for {0} could not be read from this machine's secret storage. Unlock it, or enter the key again. Your orders are not affected.",
          name,
        ),
        action: setKey(),
      };
    case "badCredentials":
      return {
        sentence: vscode.l10n.t("The API key or secret has characters that cannot be sent. Set them again."),
        action: setKey(),
      };
    case "clockUnknown": {
      const why = error.cause instanceof Error ? ` ${explain(error.cause, name).sentence}` : "";
      return {
        sentence: vscode.l10n.t("The server's clock could not be read, so nothing can be signed.") + why,
        action: showLog(),
      };
    }
    case "tooLate":
      return {
        sentence: vscode.l10n.t(
          "Before it could leave, too much time had passed or the market had moved. Check the rate, then submit again.",
        ),
        action: showLog(),
      };
    case "blocked":
      return { sentence: pauseText(name, error), action: showLog() };
  }
}

function noAnswerText(error: ExchangeError, name: string): string {
  return error instanceof NoAnswerError && error.reason === "timeout"
    ? vscode.l10n.t("{0} did not answer in time.", name)
    : vscode.l10n.t("The connection to {0} was lost before the answer was complete.", name);
}

function refused(error: RefusedError, name: string): Explanation {
  if (error.isRateBlock) return { sentence: pauseText(name, error), action: showLog() };
  const what = whatItMeans(error);
  const sentence = vscode.l10n.t("{0} answered with error {1}: {2}.", name, error.code, what);
  return { sentence: `${sentence} ${remedyFor(error)}`, action: actionFor(error.code) };
}

/** Headers that did not arrive are a matter of their prefix; the other codes of section 7 and its family are the key's. */
function actionFor(code: number | string): ErrorAction {
  if (code === 2 || code === 7) return settings();
  return [3, 4, 5, 6, 52].includes(Number(code)) ? setKey() : showLog();
}

/** The code's meaning, with what the service itself said where that tells more. */
function whatItMeans({ meaning, serviceMessage = "" }: RefusedError): string {
  const own = withoutAmounts(serviceMessage).replace(/[.\s]+$/, "");
  if (meaning === undefined) return own || vscode.l10n.t("a code nobody documented");
  const known = vscode.l10n.t(meaning);
  return own === "" || own.toLowerCase() === meaning.toLowerCase() ? known : `${known} (${own})`;
}

function remedyFor(error: RefusedError): string {
  if (error.endpoint !== "placeBid" && !error.provesNothingHappened)
    return vscode.l10n.t("Try again in a moment.");
  return error.remedy === undefined
    ? vscode.l10n.t("Look the code up at the exchange.")
    : vscode.l10n.t(error.remedy);
}

/** To the second where that matters; the day where it is another. */
function pauseEndText(end: number, now: number): string {
  return end - now < HOUR_MS ? timeText(end) : momentText(end, now);
}

/** Reads are tried again by themselves; a bid never is. */
function pauseText(name: string, { endpoint, retryAt }: NotSentError | RefusedError): string {
  if (retryAt === undefined) return vscode.l10n.t("{0} asks for a pause: too many requests.", name);
  const time = pauseEndText(retryAt, Date.now());
  return endpoint === "placeBid"
    ? vscode.l10n.t("{0} asks for a pause: too many requests. You can submit again after {1}.", name, time)
    : vscode.l10n.t("{0} asks for a pause: too many requests. Bidside asks again after {1}.", name, time);
}

function unreadable(error: UnreadableAnswerError, name: string): Explanation {
  switch (error.reason) {
    case "httpStatus":
      return error.httpStatus >= 500
        ? {
            sentence: vscode.l10n.t(
              "{0} is in trouble (HTTP {1}). Try again in a moment.",
              name,
              error.httpStatus,
            ),
            action: showLog(),
          }
        : {
            sentence: vscode.l10n.t(
              "{0} does not know this address (HTTP {1}). Check the base URL and the paths.",
              name,
              error.httpStatus,
            ),
            action: settings(),
          };
    case "notJson":
      return {
        sentence: vscode.l10n.t(
          "{0} answered with something that is not JSON. Check that the base URL is the API's.",
          name,
        ),
        action: settings(),
      };
    case "shape":
      return {
        sentence: vscode.l10n.t(
          "{0} answered in a form Bidside does not know. Check the base URL and the paths.",
          name,
        ),
        action: settings(),
      };
    case "tooLarge":
      return {
        sentence: vscode.l10n.t("The answer of {0} was larger than Bidside accepts.", name),
        action: showLog(),
      };
    case "redirect":
      return {
        sentence: vscode.l10n.t(
          "{0} redirects to another address. Bidside does not follow, to keep your key safe. Enter the final base URL.",
          name,
        ),
        action: settings(),
      };
  }
}

/** What is wrong with a live profile, and how to mend it. */
export function profileText(problem: ProfileProblem): string {
  switch (problem) {
    case "baseUrlMissing":
      return vscode.l10n.t(
        "The live venue has no base URL yet. Enter the exchange's API address in the settings.",
      );
    case "baseUrlInvalid":
      return vscode.l10n.t("The base URL is not a web address. It looks like https://api.example.com.");
    case "baseUrlInsecure":
      return vscode.l10n.t(
        "The base URL must begin with https://. Plain http:// is accepted only for this machine.",
      );
    case "baseUrlExtras":
      return vscode.l10n.t("The base URL must not hold a user name, a query or a fragment.");
    case "headerPrefixInvalid":
      return vscode.l10n.t(
        "The header prefix must be letters, digits and dashes, and end with a dash, like X-SVC-.",
      );
    case "pathInvalid":
      return vscode.l10n.t("Each path must begin with one slash and hold no spaces.");
    case "walletMethodInvalid":
      return vscode.l10n.t("The wallet method must be auto, GET or POST.");
    case "symbolOrderInvalid":
      return vscode.l10n.t("The symbol order must be quoteFirst or baseFirst.");
    case "historyPathInvalid":
      return vscode.l10n.t(
        "The history path must begin with one slash and hold no spaces, like /tradingview/history.",
      );
  }
}
