import * as vscode from "vscode";
import {
  NoAnswerError,
  NotSentError,
  placesOrder,
  RefusedError,
  UnreadableAnswerError,
} from "../../exchange/errors.ts";
import type { FeatureProblem } from "../../exchange/features.ts";
import type { ProfileProblem } from "../../exchange/profile.ts";
import { commandLink, showLogLink } from "../commands.ts";
import { ProfileError } from "../venue/profileError.ts";
import type { AmountText } from "./amountText.ts";
import { codeText } from "./codeText.ts";
import { harmless } from "./foreignText.ts";
import { momentText, timeText } from "./timeText.ts";

const HOUR_MS = 3_600_000;

/** An error for a person: what happened, what to do, and the most helpful command. */
export interface Explanation {
  /** What happened. An order with an unknown outcome shows only this, because the remedy is for a read. */
  readonly cause: string;
  /** What happened and what to do. */
  readonly sentence: string;
  readonly action: vscode.Command;
}

const setKey = (): vscode.Command => commandLink("setCredentials", vscode.l10n.t("Set API Key and Secret…"));
const setUp = (): vscode.Command => commandLink("setUpLive", vscode.l10n.t("Set Up Live Exchange…"));
const settings = (): vscode.Command => ({
  command: "workbench.action.openSettings",
  title: vscode.l10n.t("Open Settings"),
  arguments: ["bidside.exchange"],
});

/** The log is offered if no other action helps more. */
function explained(cause: string, remedy = "", action = showLogLink()): Explanation {
  return { cause, sentence: [cause, remedy].filter(Boolean).join(" "), action };
}

/**
 * Explains any error of a venue. `name` is the venue's name; undefined while no venue is open. A service's own words
 * may contain amounts, which are shown like `amounts`.
 */
export function explain(
  error: unknown,
  amounts: AmountText,
  name = vscode.l10n.t("The exchange"),
): Explanation {
  if (error instanceof ProfileError) {
    const { problems } = error;
    const inSettings = problems.some(
      (problem) => !problem.startsWith("baseUrl") && !problem.startsWith("header"),
    );
    return explained(problems.map(profileText).join(" "), "", inSettings ? settings() : setUp());
  }
  if (error instanceof NotSentError) return notSent(error, amounts, name);
  if (error instanceof NoAnswerError) return explained(noAnswerText(error, name));
  if (error instanceof RefusedError) return refused(error, amounts, name);
  if (error instanceof UnreadableAnswerError) return unreadable(error, name);
  return explained(
    vscode.l10n.t("Bidside had an internal error."),
    vscode.l10n.t("The log has the details."),
  );
}

function notSent(error: NotSentError, amounts: AmountText, name: string): Explanation {
  switch (error.reason) {
    case "unreachable":
      return explained(
        vscode.l10n.t("{0} cannot be reached.", name),
        vscode.l10n.t("Check the network and the base URL."),
      );
    case "certificate":
      return explained(
        vscode.l10n.t("The certificate of {0} cannot be trusted, so nothing was sent.", name),
        vscode.l10n.t("Check the base URL and the clock of this computer. The log shows the reason."),
      );
    case "insecure":
      return explained(profileText("baseUrlInsecure"), "", settings());
    case "noCredentials":
      return explained(vscode.l10n.t("There is no API key for {0} yet.", name), "", setKey());
    case "credentialsUnreadable":
      return explained(
        vscode.l10n.t(
          "The API key for {0} could not be read from the secret storage of this computer.",
          name,
        ),
        vscode.l10n.t("Unlock the secret storage, or set the API key again. Your orders are not affected."),
        setKey(),
      );
    case "badCredentials":
      return explained(
        vscode.l10n.t("The API key or the API secret contains characters that cannot be used."),
        vscode.l10n.t("Set both again."),
        setKey(),
      );
    case "keyChanged":
      return explained(
        vscode.l10n.t("Another API key for {0} was stored meanwhile.", name),
        vscode.l10n.t("Check which account is signed in, then submit again."),
      );
    case "clockUnknown":
      return explained(
        vscode.l10n.t("The exchange's clock could not be read, so requests cannot be signed."),
        error.cause instanceof Error ? explain(error.cause, amounts, name).sentence : "",
      );
    case "notOffered":
      return explained(vscode.l10n.t("{0} offers no orders to sell.", name));
    case "tooLate":
      return explained(
        vscode.l10n.t("It took too long, the price moved, or another exchange or account was opened."),
        vscode.l10n.t("Check the exchange and the rate, then submit again."),
      );
    case "blocked":
      return pause(name, error);
  }
}

function noAnswerText(error: NoAnswerError, name: string): string {
  return error.reason === "timeout"
    ? vscode.l10n.t("{0} did not answer in time.", name)
    : vscode.l10n.t("The connection to {0} was lost before the answer was complete.", name);
}

function refused(error: RefusedError, amounts: AmountText, name: string): Explanation {
  if (error.contradictsItself) return explained(contradictionText(name));
  if (error.isRateBlock) return pause(name, error);
  const what = whatItMeans(error, amounts);
  const code = harmless(codeText(error.code, amounts.foreign));
  const cause = vscode.l10n.t("{0} answered with error {1}: {2}.", name, code, what);
  return explained(cause, remedyFor(error), actionFor(error.code));
}

function contradictionText(name: string): string {
  return vscode.l10n.t("The answer of {0} contradicts itself.", name);
}

const KEY_CODES: ReadonlySet<number | string> = new Set([3, 4, 5, 6, 52, "A1000", "A1001", "V1003"]);

/** Missing headers are a problem of their prefix. The other codes of section 7 and its family are about the key. */
function actionFor(code: number | string): vscode.Command {
  if (code === 2 || code === 7) return settings();
  return KEY_CODES.has(code) ? setKey() : showLogLink();
}

/** The code's meaning, with the exchange's own text if that says more. */
function whatItMeans({ meaning, serviceMessage = "" }: RefusedError, amounts: AmountText): string {
  const own = harmless(amounts.foreign(serviceMessage)).replace(/[.\s]+$/, "");
  if (meaning === undefined) return own || vscode.l10n.t("undocumented error code");
  const known = vscode.l10n.t(meaning);
  return own === "" || own.toLowerCase() === meaning.toLowerCase() ? known : `${known} (${own})`;
}

function remedyFor(error: RefusedError): string {
  if (!placesOrder(error.endpoint) && !error.provesNothingHappened)
    return vscode.l10n.t("Try again in a moment.");
  return error.remedy === undefined
    ? vscode.l10n.t("Look up the code in the exchange's documentation.")
    : vscode.l10n.t(error.remedy);
}

/** With seconds for a short wait, with the day for a wait until another day. */
function pauseEndText(end: number, now: number): string {
  return end - now < HOUR_MS ? timeText(end) : momentText(end, now);
}

/** Reads are repeated automatically; an order never is. */
function pause(name: string, { endpoint, retryAt }: NotSentError | RefusedError): Explanation {
  const cause = vscode.l10n.t("Too many requests to {0}.", name);
  if (retryAt === undefined) return explained(cause);
  const time = pauseEndText(retryAt, Date.now());
  const remedy = placesOrder(endpoint)
    ? vscode.l10n.t("You can submit again after {0}.", time)
    : vscode.l10n.t("Bidside tries again after {0}.", time);
  return explained(cause, remedy);
}

function unreadable(error: UnreadableAnswerError, name: string): Explanation {
  switch (error.reason) {
    case "httpStatus":
      return error.httpStatus >= 500
        ? explained(
            vscode.l10n.t("{0} has a problem (HTTP {1}).", name, error.httpStatus),
            vscode.l10n.t("Try again in a moment."),
          )
        : explained(
            vscode.l10n.t("{0} does not know this address (HTTP {1}).", name, error.httpStatus),
            vscode.l10n.t("Check the base URL and the paths."),
            settings(),
          );
    case "notJson":
      return explained(
        vscode.l10n.t("The answer of {0} is not JSON.", name),
        vscode.l10n.t("Check that the base URL is the address of the API."),
        settings(),
      );
    case "shape":
      return explained(
        vscode.l10n.t("The answer of {0} has an unknown format.", name),
        vscode.l10n.t("Check the base URL and the paths."),
        settings(),
      );
    case "contradictory":
      return explained(contradictionText(name), vscode.l10n.t("Try again in a moment."));
    case "tooLarge":
      return explained(vscode.l10n.t("The answer of {0} is too large.", name));
    case "redirect":
      return explained(
        vscode.l10n.t(
          "{0} redirects to another address. Bidside does not follow redirects, to protect your API key.",
          name,
        ),
        vscode.l10n.t("Enter the final base URL."),
        settings(),
      );
  }
}

/** What is wrong with a live profile, and how to fix it. */
export function profileText(problem: ProfileProblem): string {
  if (isFeatureProblem(problem)) return featureText(problem.slice("feature:".length));
  const texts: Record<Exclude<ProfileProblem, FeatureProblem>, string> = {
    baseUrlMissing: vscode.l10n.t("No live exchange yet. Enter the base URL of its API."),
    baseUrlInvalid: vscode.l10n.t(
      "The base URL is not a web address. It looks like https://api.example.com.",
    ),
    baseUrlInsecure: vscode.l10n.t(
      "The base URL must begin with https://. Plain http:// is accepted only for this computer.",
    ),
    baseUrlExtras: vscode.l10n.t("The base URL must not contain a user name, a query or a fragment."),
    headerPrefixInvalid: vscode.l10n.t(
      "The header prefix must be letters, digits and dashes, and end with a dash, like X-SVC-.",
    ),
    pathInvalid: vscode.l10n.t("Each path must begin with one slash and contain no spaces."),
    walletMethodInvalid: vscode.l10n.t("The wallet method must be auto, GET or POST."),
    symbolOrderInvalid: vscode.l10n.t("The symbol order must be quoteFirst or baseFirst."),
    historyPathInvalid: vscode.l10n.t(
      "The history path must begin with one slash and contain no spaces, like /tradingview/history.",
    ),
  };
  return texts[problem];
}

function isFeatureProblem(problem: ProfileProblem): problem is FeatureProblem {
  return problem.startsWith("feature:");
}

/** `place` names the part, like `openOrders.path`; it is empty if the whole is no object. */
function featureText(place: string): string {
  if (place === "") return vscode.l10n.t("The features of the exchange must be a JSON object.");
  const name = harmless(place);
  return place.endsWith(".path")
    ? vscode.l10n.t("{0} in the features must begin with one slash and contain no spaces.", name)
    : vscode.l10n.t("{0} in the features is unknown, missing, or has a wrong value.", name);
}
