import * as vscode from "vscode";
import type { WebhookService, WebhookUrlProblem } from "../../desk/notifications/webhook.ts";

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
