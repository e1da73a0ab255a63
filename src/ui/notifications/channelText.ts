import * as vscode from "vscode";
import type { ChannelProblem } from "../../desk/notifications/channel.ts";
import type { WebhookService, WebhookUrlProblem } from "../../desk/notifications/webhook.ts";
import type { TransportFailure } from "../../http/errors.ts";

/** `Webhook: the service refused the message (404). …`, for each channel that failed. */
export function problemLines(problems: ReadonlyMap<string, ChannelProblem>): string[] {
  return [...problems].flatMap(([id, problem]) => {
    if (id === "webhook") return vscode.l10n.t("Webhook: {0}", problemText(problem));
    return id === "program" ? vscode.l10n.t("Program: {0}", problemText(problem)) : [];
  });
}

/** Why a channel did not deliver, and what to do. */
export function problemText(problem: ChannelProblem): string {
  switch (problem.kind) {
    case "transport":
      return failureText(problem.failure);
    case "status":
      return problem.status >= 500 || problem.status === 429
        ? vscode.l10n.t("the service is busy or down (HTTP {0}).", problem.status)
        : vscode.l10n.t("the service refused the message (HTTP {0}). Check its URL.", problem.status);
    case "notSetUp":
      return vscode.l10n.t("it is on, but not set up. Run Alert Channels….");
    case "programMissing":
      return vscode.l10n.t("it was not found or cannot be run. Check the setting bidside.alerts.program.");
    case "programHung":
      return vscode.l10n.t("it was stopped, because it did not end within 10 seconds.");
    case "programFailed":
      return problem.exitCode === undefined
        ? vscode.l10n.t("it crashed.")
        : vscode.l10n.t("it failed with exit code {0}.", problem.exitCode);
    case "overLimit":
      return vscode.l10n.t(
        "the limit of 100 messages a day was reached, so the latest alerts were not sent.",
      );
    case "disk":
      return vscode.l10n.t("nothing is sent while messages cannot be recorded on the disk.");
    case "unexpected":
      return vscode.l10n.t("the message could not be sent. The log shows why.");
  }
}

function failureText(failure: TransportFailure): string {
  switch (failure.reason) {
    case "redirect":
      return vscode.l10n.t(
        "the service redirects to another address, which is not followed. Enter the new URL.",
      );
    case "certificate":
    case "unknownIssuer":
    case "handshake":
    case "insecure":
      return vscode.l10n.t("a secure connection was not possible, so nothing was sent.");
    default:
      return failure.kind === "notSent"
        ? vscode.l10n.t("the service cannot be reached.")
        : vscode.l10n.t("the service did not answer. It may have received the message.");
  }
}

export function serviceName(service: WebhookService): string {
  switch (service) {
    case "ntfy":
      return "ntfy";
    case "slack":
      return "Slack";
    case "discord":
      return "Discord";
    case "telegram":
      return "Telegram";
    case "json":
      return vscode.l10n.t("Plain JSON");
  }
}

/** What the URL of a service looks like. */
export function serviceUrlExample(service: WebhookService): string {
  switch (service) {
    case "ntfy":
      return "https://ntfy.sh/your-secret-topic";
    case "slack":
      return "https://hooks.slack.com/services/…";
    case "discord":
      return "https://discord.com/api/webhooks/…";
    case "telegram":
      return "https://api.telegram.org/bot…/sendMessage?chat_id=…";
    case "json":
      return "https://example.com/…";
  }
}

export function urlProblemText(problem: WebhookUrlProblem): string {
  switch (problem) {
    case "notUrl":
      return vscode.l10n.t("Paste the whole URL, or press Escape to cancel.");
    case "notHttps":
      return vscode.l10n.t("The URL must begin with https://.");
    case "hasUser":
      return vscode.l10n.t("A user name or password in the URL is not sent. Remove it.");
    case "noChat":
      return vscode.l10n.t("The URL must name the chat: add ?chat_id= and its id at the end.");
  }
}
