import * as vscode from "vscode";
import { settingKeys } from "../../contributions.ts";
import type { Channel, SendOutcome } from "../../desk/notifications/channel.ts";
import type { Firing } from "../../desk/notifications/firing.ts";
import type { ChannelMessage } from "../../desk/notifications/message.ts";
import type { Notifications } from "../../desk/notifications/notifications.ts";
import { programChannel, runProgram } from "../../desk/notifications/program.ts";
import {
  sendToWebhook,
  webhookChannel,
  type WebhookService,
  webhookServices,
  webhookUrlProblem,
} from "../../desk/notifications/webhook.ts";
import { Secret } from "../../exchange/signing/credentials.ts";
import { thisSystem } from "../../files/operatingSystem.ts";
import type { Transport } from "../../http/transport.ts";
import { registerCommands } from "../commands.ts";
import { ask, choose } from "../quickInput.ts";
import { alertProgram, fillsGoOutside, onDidChangeSettings, save, webhookIsOn } from "../settings.ts";
import { showStatusMessage } from "../statusMessage.ts";
import { problemText } from "../text/channelProblem.ts";
import { testMessage } from "./messageText.ts";
import { programPresets } from "./programPresets.ts";
import type { WebhookStore } from "./webhookStore.ts";
import { serviceName, serviceUrlExample, urlProblemText } from "./webhookText.ts";

export interface OutsideParts {
  readonly transport: Transport;
  readonly userAgent: string;
  readonly webhooks: WebhookStore;
  /** Default: `https:` only. */
  readonly isAllowed?: (url: URL) => boolean;
}

/** The channels that reach the user outside the editor. */
export function outsideChannels(
  { webhooks, ...parts }: OutsideParts,
  messageOf: (firing: Firing) => ChannelMessage,
): Channel[] {
  return [
    webhookChannel({
      ...parts,
      read: () => webhooks.read(),
      isOn: ({ kind }) => webhookIsOn() && (kind === "alert" || fillsGoOutside()),
      messageOf,
    }),
    programChannel({
      program: alertProgram,
      isOn: ({ kind }) => kind === "alert" || fillsGoOutside(),
      messageOf,
    }),
  ];
}

interface AlertChannelsParts extends OutsideParts {
  /** ms since the epoch. */
  readonly now: () => number;
  readonly notifications: Pick<Notifications, "problems" | "report" | "sendTest">;
}

interface Action extends vscode.QuickPickItem {
  readonly run: () => Promise<void>;
}

/** Command "Alert Channels…", and the problem of a webhook that is on without a URL, which Settings Sync does not carry. */
export function registerAlertChannels(
  outside: OutsideParts,
  { now, notifications }: Pick<AlertChannelsParts, "now" | "notifications">,
): vscode.Disposable {
  const parts = { ...outside, now, notifications };
  const check = (): void => void reportMissingUrl(parts);
  check();
  return vscode.Disposable.from(
    onDidChangeSettings([settingKeys.alertWebhook], check),
    outside.webhooks.onDidChange(check),
    registerCommands({
      alertChannels: async () => {
        const actions = [...(await webhookActions(parts)), ...programActions(parts), ...fillActions()];
        const chosen = await choose(actions, {
          title: vscode.l10n.t("Alert Channels"),
          placeHolder: vscode.l10n.t("Where alerts reach you outside VS Code"),
        });
        await chosen?.run();
      },
    }),
  );
}

async function reportMissingUrl({ webhooks, notifications }: AlertChannelsParts): Promise<void> {
  const isOn = webhookIsOn();
  const isMissing = isOn && (await webhooks.read().catch(() => true)) === undefined;
  if (isMissing) notifications.report("webhook", { kind: "notSetUp" });
  else if (!isOn || notifications.problems.get("webhook")?.kind === "notSetUp")
    notifications.report("webhook", undefined);
}

async function webhookActions(parts: AlertChannelsParts): Promise<Action[]> {
  const stored = await parts.webhooks.read().catch(() => undefined);
  const setUp: Action = {
    label: stored
      ? vscode.l10n.t("$(globe) Change the Webhook…")
      : vscode.l10n.t("$(globe) Set Up a Webhook…"),
    detail: vscode.l10n.t(
      "A message to your phone or chat, through ntfy, Slack, Discord, Telegram or your own service",
    ),
    run: () => setUpWebhook(parts),
  };
  const isOn = webhookIsOn();
  const toggle: Action = {
    label: isOn
      ? vscode.l10n.t("$(bell-slash) Turn Off the Webhook")
      : vscode.l10n.t("$(bell) Turn On the Webhook"),
    description: stored ? serviceName(stored.service) : vscode.l10n.t("no URL on this computer"),
    run: () => save(settingKeys.alertWebhook, !isOn),
  };
  if (!stored) return isOn ? [setUp, toggle] : [setUp];
  const name = serviceName(stored.service);
  return [
    toggle,
    { label: vscode.l10n.t("$(beaker) Send a Test"), description: name, run: () => testWebhook(parts) },
    setUp,
    {
      label: vscode.l10n.t("$(trash) Remove the Webhook"),
      detail: vscode.l10n.t("Turns it off and deletes its URL from this computer"),
      run: () => removeWebhook(parts),
    },
  ];
}

function programActions(parts: AlertChannelsParts): Action[] {
  const program = alertProgram();
  const choosing: Action = {
    label:
      program.length > 0
        ? vscode.l10n.t("$(terminal) Change the Program…")
        : vscode.l10n.t("$(terminal) Run a Program…"),
    detail: vscode.l10n.t("A system notification, a sound, or your own program, on this computer"),
    run: () => chooseProgram(parts),
  };
  if (program.length === 0) return [choosing];
  const [description = ""] = program;
  return [
    { label: vscode.l10n.t("$(beaker) Test the Program"), description, run: () => testProgram(parts) },
    choosing,
    {
      label: vscode.l10n.t("$(trash) Remove the Program"),
      description,
      run: async () => {
        await save(settingKeys.alertProgram, undefined);
        parts.notifications.report("program", undefined);
      },
    },
  ];
}

/** Whether fills go out too; nothing if no channel is set up. */
function fillActions(): Action[] {
  const sendsFills = fillsGoOutside();
  if (!webhookIsOn() && alertProgram().length === 0) return [];
  const label = sendsFills
    ? vscode.l10n.t("$(close) Stop Sending Fills")
    : vscode.l10n.t("$(check) Send Fills Too");
  return [
    {
      label,
      detail: vscode.l10n.t("The pair and side of orders that fill, without figures"),
      run: () => save(settingKeys.alertSendFills, !sendsFills),
    },
  ];
}

async function chooseProgram(parts: AlertChannelsParts): Promise<void> {
  const own = vscode.l10n.t("Own Program…");
  const chosen = await choose(
    [
      ...programPresets(thisSystem.platform).map(({ label, program }) => ({
        label,
        program,
        description: program[0] ?? "",
      })),
      { label: own, description: settingKeys.alertProgram, program: undefined },
    ],
    { title: vscode.l10n.t("Run a Program"), placeHolder: vscode.l10n.t("What runs for each alert?") },
  );
  if (!chosen) return;
  if (!chosen.program) {
    await vscode.commands.executeCommand("workbench.action.openSettings", `@id:${settingKeys.alertProgram}`);
    return;
  }
  await save(settingKeys.alertProgram, chosen.program);
  await testProgram(parts);
}

async function testProgram(parts: AlertChannelsParts): Promise<void> {
  const { notifications, now } = parts;
  const send = () => runProgram(alertProgram(), testMessage(now()));
  reportTest("program", await notifications.sendTest("program", send), parts);
}

async function setUpWebhook(parts: AlertChannelsParts): Promise<void> {
  const title = vscode.l10n.t("Set Up a Webhook");
  const chosen = await choose(
    webhookServices.map((service) => ({
      service,
      label: serviceName(service),
      description: serviceUrlExample(service),
    })),
    { title, placeHolder: vscode.l10n.t("Which service gets the messages?") },
  );
  if (!chosen) return;
  const url = await askUrl(title, chosen.service);
  if (!url) return;
  const isSaved = await reportStorage(() => parts.webhooks.save({ service: chosen.service, url }));
  if (!isSaved) return;
  await save(settingKeys.alertWebhook, true);
  const test = vscode.l10n.t("Send a Test");
  const text = vscode.l10n.t("The webhook is on. It sends pair, rule, price and time of each alert.");
  if ((await vscode.window.showInformationMessage(text, test)) === test) await testWebhook(parts);
}

async function askUrl(title: string, service: WebhookService): Promise<Secret | undefined> {
  const typed = await ask({
    title,
    prompt: vscode.l10n.t(
      "Paste the URL of the webhook. Whoever has it can send you messages, so it is kept in the editor's secret storage only.",
    ),
    placeHolder: serviceUrlExample(service),
    password: true,
    problem: (text) => {
      const problem = webhookUrlProblem(service, text.trim());
      return problem && urlProblemText(problem);
    },
  });
  return typed === undefined ? undefined : new Secret(typed.trim());
}

async function testWebhook(parts: AlertChannelsParts): Promise<void> {
  const { webhooks, notifications, now } = parts;
  const webhook = await webhooks.read().catch(() => undefined);
  const outcome: SendOutcome = webhook
    ? await notifications.sendTest("webhook", () => sendToWebhook(parts, webhook, testMessage(now())))
    : { kind: "refused", problem: { kind: "notSetUp" } };
  reportTest("webhook", outcome, parts);
}

function reportTest(
  channel: "webhook" | "program",
  outcome: SendOutcome,
  { notifications }: Pick<AlertChannelsParts, "notifications">,
): void {
  if (outcome.kind === "sent") {
    notifications.report(channel, undefined);
    return showStatusMessage(vscode.l10n.t("The test was sent."));
  }
  const text = vscode.l10n.t("The test was not sent: {0}", problemText(outcome.problem));
  void vscode.window.showErrorMessage(text);
}

async function removeWebhook({ webhooks }: AlertChannelsParts): Promise<void> {
  await save(settingKeys.alertWebhook, false);
  await reportStorage(() => webhooks.remove());
}

/** Whether the secret storage took a change; an error is shown if not. */
async function reportStorage(task: () => Promise<void>): Promise<boolean> {
  try {
    await task();
    return true;
  } catch {
    void vscode.window.showErrorMessage(
      vscode.l10n.t(
        "The webhook was not changed, because this computer's secret storage rejected the request. Unlock the secret storage, then try again.",
      ),
    );
    return false;
  }
}
