import * as vscode from "vscode";
import { isSigned, placesOrder, type Endpoint } from "../../exchange/endpoints.ts";
import { ExchangeError, RefusedError, retryTime, UnreadableResponseError } from "../../exchange/errors.ts";
import { meaningOf, rootOf, statusOf, type Meaning } from "../../exchange/meaning.ts";
import type { ProfileProblem } from "../../exchange/profile.ts";
import { commandLink, editLink, setKeyLink, showLogLink, testLink } from "../commands.ts";
import { ProfileError } from "./profileError.ts";
import type { AmountText } from "./amountText.ts";
import { codeText } from "./codeText.ts";
import { endpointText } from "./endpointText.ts";
import { sanitizeText } from "./sanitizeText.ts";
import { momentText, timeText } from "./timeText.ts";

const HOUR_MS = 3_600_000;

/** A user-facing error: what happened, what to do, and the most helpful command. */
interface Explanation {
  /** What happened. Shown without the remedy for an order with an unknown outcome, because the remedy is for reads. */
  readonly cause: string;
  /** What happened and what to do. */
  readonly sentence: string;
  readonly action: vscode.Command;
}

const tryAgain = (): vscode.Command => commandLink("refresh", vscode.l10n.t("Try Again"));
const proxyLink = (): vscode.Command => ({
  command: "workbench.action.openSettings",
  title: vscode.l10n.t("Open Settings"),
  arguments: ["http.proxy"],
});

/** Offers the log unless another action helps more. */
function explained(cause: string, remedy = "", action = showLogLink()): Explanation {
  return { cause, sentence: [cause, remedy].filter(Boolean).join(" "), action };
}

/**
 * Explains any error of an exchange. `name` is the exchange's name; undefined while none is open. Numbers in the
 * exchange's own message are masked as `amounts` are.
 */
export function explain(
  error: unknown,
  amounts: AmountText,
  name = vscode.l10n.t("The exchange"),
): Explanation {
  if (error instanceof ProfileError) {
    return explained(error.problems.map(profileText).join(" "), "", editLink());
  }
  const root = rootOf(error);
  const answer = root instanceof UnreadableResponseError || root instanceof RefusedError ? root : undefined;
  return explanations[meaningOf(root)]({
    root,
    name,
    amounts,
    endpoint: root instanceof ExchangeError ? root.endpoint : undefined,
    status: statusOf(root) ?? 0,
    words: serviceWords(answer?.serviceMessage, amounts),
    isOrder: error instanceof ExchangeError && placesOrder(error.endpoint),
  });
}

interface Facts {
  readonly root: unknown;
  readonly name: string;
  readonly amounts: AmountText;
  readonly endpoint: Endpoint | undefined;
  readonly status: number;
  /** The exchange's own message; "" if none. */
  readonly words: string;
  /** Whether the request places an order, which is never retried. */
  readonly isOrder: boolean;
}

/** Cause, remedy and button for each kind of failure. */
const explanations: Record<Meaning, (facts: Facts) => Explanation> = {
  unreachable: ({ name }) =>
    explained(
      vscode.l10n.t("{0} cannot be reached.", name),
      vscode.l10n.t("Check the network and the API address."),
      testLink(),
    ),
  hostNotFound: ({ name }) =>
    explained(
      vscode.l10n.t("{0} cannot be reached: no server with this name was found.", name),
      vscode.l10n.t("Check the network and the API address."),
      testLink(),
    ),
  connectionRefused: ({ name }) =>
    explained(
      vscode.l10n.t("{0} cannot be reached: the connection was refused.", name),
      vscode.l10n.t("The exchange may be down. Otherwise check the host and port of the API address."),
      testLink(),
    ),
  handshake: ({ name }) =>
    explained(
      vscode.l10n.t("A secure connection to {0} could not be established, so nothing was sent.", name),
      vscode.l10n.t(
        "Check the API address and its port. A firewall or a proxy may be in the way. The log shows the reason.",
      ),
    ),
  certificate: ({ name }) =>
    explained(
      vscode.l10n.t("The certificate of {0} cannot be trusted, so nothing was sent.", name),
      vscode.l10n.t("Check the API address and the clock of this computer. The log shows the reason."),
    ),
  unknownIssuer: ({ name }) =>
    explained(
      vscode.l10n.t(
        "The certificate of {0} was issued by an authority that this computer does not know, so nothing was sent.",
        name,
      ),
      vscode.l10n.t(
        "A company network or an antivirus program probably inspects the connection. Ask its administrator to install its root certificate on this computer, or use another network.",
      ),
    ),
  notHttp: ({ name }) =>
    explained(
      vscode.l10n.t("The response from {0} is not valid HTTP.", name),
      vscode.l10n.t("Check the host and port of the API address. A proxy or firewall may be in the way."),
      testLink(),
    ),
  insecure: () => explained(profileText("baseUrlInsecure"), "", editLink()),
  proxySignIn: ({ name }) =>
    explained(
      vscode.l10n.t(
        "Your network's proxy requires a user name and password (HTTP 407) to connect to {0}.",
        name,
      ),
      vscode.l10n.t("Add them to the proxy's address in the http.proxy setting."),
      proxyLink(),
    ),
  proxyRefused: ({ name }) =>
    explained(
      vscode.l10n.t("Your network's proxy refused to connect to {0}.", name),
      vscode.l10n.t("Ask the proxy's administrator to allow this host, or check the http.proxy setting."),
      proxyLink(),
    ),
  timeout: ({ name }) => explained(vscode.l10n.t("{0} did not respond in time.", name), "", tryAgain()),
  connectionLost: ({ name }) =>
    explained(
      vscode.l10n.t("The connection to {0} was lost before the response was complete.", name),
      "",
      tryAgain(),
    ),
  noCredentials: ({ name }) =>
    explained(vscode.l10n.t("No API key is stored for {0} yet.", name), "", setKeyLink()),
  credentialsUnreadable: ({ name }) =>
    explained(
      vscode.l10n.t("The API key for {0} could not be read from the secret storage of this computer.", name),
      vscode.l10n.t("Unlock the secret storage, or set the API key again. Your orders are not affected."),
      setKeyLink(),
    ),
  badCredentials: () =>
    explained(
      vscode.l10n.t("The API key or the API secret contains invalid characters."),
      vscode.l10n.t("Enter both again."),
      setKeyLink(),
    ),
  keyChanged: ({ name }) =>
    explained(
      vscode.l10n.t("Another API key for {0} was stored in the meantime.", name),
      vscode.l10n.t("Check which account you use, then submit again."),
    ),
  keyOwnerUnknown: ({ name }) =>
    explained(
      vscode.l10n.t(
        "The stored API key was never used with this account on {0}, so it may belong to another one.",
        name,
      ),
      vscode.l10n.t("Enter the API key again."),
      setKeyLink(),
    ),
  clockUnknown: () =>
    explained(vscode.l10n.t("The exchange's clock could not be read, so requests cannot be signed.")),
  notOffered: ({ name }) => explained(vscode.l10n.t("{0} does not offer sell orders.", name)),
  tooLate: () =>
    explained(
      vscode.l10n.t("The confirmation took too long, the price moved, or you switched exchange or account."),
      vscode.l10n.t("Check the exchange and the limit price, then submit again."),
    ),
  rateLimit: pause,
  code: refused,
  signInWanted: (facts) =>
    facts.endpoint !== undefined && isSigned(facts.endpoint)
      ? explained(
          quoting(
            vscode.l10n.t("{0} did not accept the API key (HTTP {1}).", facts.name, facts.status),
            facts,
          ),
          vscode.l10n.t("Check that the API key is valid, then set the API key and secret again."),
          setKeyLink(),
        )
      : explained(
          quoting(
            vscode.l10n.t("{0} requires a sign-in for public data (HTTP {1}).", facts.name, facts.status),
            facts,
          ),
          vscode.l10n.t("Check the API address and the paths."),
          editLink(),
        ),
  forbidden: (facts) =>
    explained(
      quoting(vscode.l10n.t("{0} blocked this request (HTTP {1}).", facts.name, facts.status), facts),
      facts.endpoint !== undefined && isSigned(facts.endpoint)
        ? vscode.l10n.t(
            "It may block your network, country or VPN, or the API key may lack a permission or be limited to other IP addresses.",
          )
        : vscode.l10n.t("It may block your network, country or VPN. Your API key is not the cause."),
      testLink(),
    ),
  challenge: ({ name, status }) =>
    explained(
      vscode.l10n.t(
        "{0} responded with a browser check (HTTP {1}), which only a person can pass.",
        name,
        status,
      ),
      vscode.l10n.t("Try another network or turn off your VPN, and check the API address."),
      testLink(),
    ),
  notInThisCountry: (facts) =>
    explained(
      quoting(
        vscode.l10n.t(
          "{0} is not available in your country or network, for legal reasons (HTTP 451).",
          facts.name,
        ),
        facts,
      ),
      vscode.l10n.t("Contact the exchange to find out where it is available. Your API key is not the cause."),
      testLink(),
    ),
  wrongPath,
  maintenance: (facts) =>
    explained(
      vscode.l10n.t("{0} is down for maintenance (HTTP {1}).", facts.name, facts.status),
      pauseText(facts) ?? vscode.l10n.t("Try again later."),
      tryAgain(),
    ),
  unavailable: (facts) =>
    explained(
      quoting(
        vscode.l10n.t("{0} is overloaded or down for maintenance (HTTP {1}).", facts.name, facts.status),
        facts,
      ),
      pauseText(facts) ?? vscode.l10n.t("Try again in a moment."),
      tryAgain(),
    ),
  outage: (facts) =>
    explained(
      quoting(vscode.l10n.t("{0} reported a server error (HTTP {1}).", facts.name, facts.status), facts),
      vscode.l10n.t("Try again in a moment."),
      tryAgain(),
    ),
  badRequest: (facts) =>
    explained(
      quoting(
        vscode.l10n.t("{0} did not understand the request (HTTP {1}).", facts.name, facts.status),
        facts,
      ),
      vscode.l10n.t("Check the API address and the paths."),
      editLink(),
    ),
  notJson: ({ name }) =>
    explained(
      vscode.l10n.t("The response from {0} is not JSON.", name),
      vscode.l10n.t("Check that the API address does not lead to a website."),
      editLink(),
    ),
  shape: (facts) =>
    explained(
      quoting(vscode.l10n.t("The response from {0} has an unknown format.", facts.name), facts),
      vscode.l10n.t("Check the API address and the paths."),
      editLink(),
    ),
  contradictory: ({ name, root }) =>
    explained(
      vscode.l10n.t("The response from {0} is inconsistent.", name),
      root instanceof RefusedError ? "" : vscode.l10n.t("Try again in a moment."),
    ),
  symbolOrder: ({ name }) =>
    explained(
      vscode.l10n.t(
        "{0} writes pairs in the opposite order to this account's symbol order, so base and quote would be swapped. No prices are shown.",
        name,
      ),
      vscode.l10n.t("Change the symbol order."),
      editLink(),
    ),
  tooLarge: ({ name }) => explained(vscode.l10n.t("The response from {0} is too large.", name)),
  redirect: ({ name, root }) => {
    const target = root instanceof UnreadableResponseError ? root.redirectsTo : undefined;
    return explained(
      vscode.l10n.t(
        "{0} redirects to {1}. Bidside does not follow redirects, to protect your API key.",
        name,
        target === undefined ? vscode.l10n.t("another address") : sanitizeText(target),
      ),
      vscode.l10n.t("If this is the exchange's API, enter it as the API address."),
      editLink(),
    );
  },
  internal: () =>
    explained(
      vscode.l10n.t("Bidside encountered an internal error."),
      vscode.l10n.t("See the log for details."),
    ),
};

/** The exchange's message, sanitized, without its full stop. */
function serviceWords(serviceMessage = "", amounts: AmountText): string {
  return sanitizeText(amounts.maskIn(serviceMessage)).replace(/[.\s。]+$/, "");
}

function quoting(cause: string, { words }: Facts): string {
  return words === "" ? cause : vscode.l10n.t("{0} Its message: {1}.", cause, words);
}

/** The exchange has no such path. Many exchanges have moved the paths of the specification. */
function wrongPath({ root, name, endpoint, status }: Facts): Explanation {
  const what = endpoint === undefined ? "" : endpointText(endpoint);
  const path = root instanceof ExchangeError ? root.path : undefined;
  const cause =
    path === undefined
      ? vscode.l10n.t("{0} does not serve the path for: {1} (HTTP {2}).", name, what, status)
      : vscode.l10n.t(
          "{0} does not serve {1}, the path for: {2} (HTTP {3}).",
          name,
          sanitizeText(path),
          what,
          status,
        );
  return explained(cause, vscode.l10n.t("Test the connection to find the new path."), testLink());
}

function refused({ root, name, amounts, words, isOrder }: Facts): Explanation {
  // Only this error has a code.
  const error = root as RefusedError;
  const { code, meaning, about } = error;
  const isNews = words !== "" && words.toLowerCase() !== meaning?.toLowerCase();
  const known = meaning === undefined ? "" : vscode.l10n.t(meaning);
  const unknown = words || vscode.l10n.t("undocumented error code");
  const what = known === "" ? unknown : isNews ? `${known} (${words})` : known;
  const cause = vscode.l10n.t(
    "{0} returned error {1}: {2}.",
    name,
    sanitizeText(codeText(code, amounts.maskIn)),
    what,
  );
  switch (about) {
    case "prefix":
      return explained(cause, remedyOf(error), editLink());
    case "key":
    case "secret":
    case "permission":
      return explained(cause, remedyOf(error), setKeyLink());
    case "clock":
    case "passing":
      // No button may resend an order.
      return isOrder
        ? explained(cause, remedyOf(error))
        : explained(cause, vscode.l10n.t("Try again in a moment."), tryAgain());
    case undefined:
      return explained(cause, remedyOf(error));
  }
}

function remedyOf({ remedy }: RefusedError): string {
  return remedy === undefined
    ? vscode.l10n.t("Look up the code in the exchange's documentation.")
    : vscode.l10n.t(remedy);
}

/** The time, with seconds if it is less than an hour away, else with the date if not today. */
function pauseEndText(end: number, now: number): string {
  return end - now < HOUR_MS ? timeText(end) : momentText(end, now);
}

function pause(facts: Facts): Explanation {
  return explained(vscode.l10n.t("Too many requests to {0}.", facts.name), pauseText(facts));
}

/** When the exchange accepts requests again, if it asks for a pause. Reads are retried automatically, orders never. */
function pauseText({ root, isOrder }: Facts): string | undefined {
  const retryAt = retryTime(root);
  if (retryAt === undefined) return undefined;
  const time = pauseEndText(retryAt, Date.now());
  return isOrder
    ? vscode.l10n.t("You can submit again after {0}.", time)
    : vscode.l10n.t("Bidside retries after {0}.", time);
}

/** Explains what is wrong with a live profile, and how to fix it. */
export function profileText(problem: ProfileProblem): string {
  const [kind, ...rest] = problem.split(":");
  const valuePath = rest.join(":");
  if (kind === "feature") return featureText(valuePath);
  if (kind === "endpoint")
    return vscode.l10n.t("{0} in the paths is unknown or has an invalid value.", sanitizeText(valuePath));
  if (kind === "sharedPath") {
    const [endpoint = "", owner = ""] = valuePath.split(" ");
    return vscode.l10n.t(
      "{0} and {1} have the same path. Each needs its own, because a request would otherwise do the wrong thing.",
      endpoint,
      owner,
    );
  }
  return plainProblemText(problem as PlainProblem);
}

type PlainProblem = Exclude<ProfileProblem, `${"feature" | "endpoint" | "sharedPath"}:${string}`>;

function plainProblemText(problem: PlainProblem): string {
  const texts: Record<PlainProblem, string> = {
    baseUrlMissing: vscode.l10n.t("No live exchange is set up yet. Enter its API address."),
    baseUrlInvalid: vscode.l10n.t(
      "The API address is not a web address. Use one like https://api.example.com.",
    ),
    baseUrlInsecure: vscode.l10n.t(
      "The API address must begin with https://. Plain http:// is accepted only for this computer.",
    ),
    baseUrlExtras: vscode.l10n.t("The API address must not contain a user name, a query or a fragment."),
    headerPrefixInvalid: vscode.l10n.t(
      "The header prefix must be letters, digits and dashes, and end with a dash, like X-SVC-.",
    ),
    pathInvalid: vscode.l10n.t(
      "Each path must begin with one slash, stay below the API address, and contain no spaces.",
    ),
    walletMethodInvalid: vscode.l10n.t("The wallet method must be auto, GET or POST."),
    symbolOrderInvalid: vscode.l10n.t("The symbol order must be quoteFirst or baseFirst."),
    historyPathInvalid: vscode.l10n.t(
      "The history path must begin with one slash and contain no spaces, like /tradingview/history.",
    ),
  };
  return texts[problem];
}

/** `valuePath` is the path of the value, like `openOrders.path`; "" if the features are not an object. */
function featureText(valuePath: string): string {
  if (valuePath === "") return vscode.l10n.t("The features of the exchange must be a JSON object.");
  const name = sanitizeText(valuePath);
  return valuePath.endsWith(".path")
    ? vscode.l10n.t("{0} in the features must begin with one slash and contain no spaces.", name)
    : vscode.l10n.t("{0} in the features is unknown, missing, or has an invalid value.", name);
}
