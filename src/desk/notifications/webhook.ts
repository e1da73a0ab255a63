import * as z from "zod/mini";
import { Secret } from "../../exchange/signing/credentials.ts";
import { TransportError, type TransportFailure } from "../../http/errors.ts";
import type { Transport } from "../../http/transport.ts";
import type { ChannelProblem } from "../../storage/channelProblems.ts";
import { type Channel, outsideLimit, type SendOutcome } from "./channel.ts";
import type { Firing } from "./firing.ts";
import type { ChannelMessage } from "./message.ts";

/** The forms of a message, named after the services that read them. `json` is for an own service. */
export const webhookServices = ["ntfy", "slack", "discord", "telegram", "json"] as const;
export type WebhookService = (typeof webhookServices)[number];

/** Where a webhook's messages go. The URL is a secret: whoever has it can send. */
export interface Webhook {
  readonly service: WebhookService;
  readonly url: Secret;
}

const storedSchema = z.strictObject({ service: z.enum(webhookServices), url: z.string() });

/** The text of a webhook for the secret storage, which `readWebhook` reads. */
export function webhookText({ service, url }: Webhook): string {
  return JSON.stringify({ service, url: url.reveal() });
}

/** Undefined if the text is not a webhook. */
export function readWebhook(text: string): Webhook | undefined {
  try {
    const { service, url } = storedSchema.parse(JSON.parse(text));
    return { service, url: new Secret(url) };
  } catch {
    return undefined;
  }
}

export type WebhookUrlProblem = "notUrl" | "notHttps" | "hasUser" | "noChat";

/** Why a URL cannot be used; undefined if it can. */
export function webhookUrlProblem(
  service: WebhookService,
  text: string,
  isAllowed = isHttps,
): WebhookUrlProblem | undefined {
  if (!URL.canParse(text)) return "notUrl";
  const url = new URL(text);
  if (!isAllowed(url)) return "notHttps";
  // The transport sends no such part.
  if (url.username !== "" || url.password !== "") return "hasUser";
  if (service === "telegram" && !url.searchParams.get("chat_id")) return "noChat";
  return undefined;
}

const isHttps = ({ protocol }: URL): boolean => protocol === "https:";

/** Responses are not read, but a connection is only usable for so many bytes. */
const MAX_RESPONSE_BYTES = 64 * 1024;
/** A service that does not answer may have shown the message, so it is not sent again and again. */
const MOST_UNANSWERED = 2;

interface WebhookOptions {
  readonly transport: Transport;
  readonly userAgent: string;
  /** The stored webhook; undefined without one. Rejects if the secret storage fails. */
  readonly read: () => Promise<Webhook | undefined>;
  readonly isOn: (firing: Firing) => boolean;
  readonly messageOf: (firing: Firing) => ChannelMessage;
  /** Default: `https:` only. */
  readonly isAllowed?: (url: URL) => boolean;
}

/** Sends firings to a URL of the user. */
export function webhookChannel(options: WebhookOptions): Channel {
  const { read, isOn, messageOf } = options;
  return {
    id: "webhook",
    isOn,
    limit: outsideLimit,
    send: async (firing, attempt) => {
      const webhook = await read();
      if (!webhook) return { kind: "refused", problem: { kind: "notSetUp" } };
      return await sendToWebhook(options, webhook, messageOf(firing), attempt);
    },
  };
}

/** Sends one message. A redirect is not followed. `attempt`: 1 for the first. */
export async function sendToWebhook(
  { transport, userAgent, isAllowed }: Pick<WebhookOptions, "transport" | "userAgent" | "isAllowed">,
  { service, url: secret }: Webhook,
  message: ChannelMessage,
  attempt = 1,
): Promise<SendOutcome> {
  const text = secret.reveal();
  if (webhookUrlProblem(service, text, isAllowed)) return { kind: "refused", problem: { kind: "notSetUp" } };
  const url = new URL(text);
  const { type, body } = webhookBody(service, url, message);
  try {
    const { status } = await transport({
      label: "Webhook",
      method: "POST",
      url,
      headers: { "User-Agent": userAgent, "Content-Type": type },
      body: Buffer.from(body),
      maxBytes: MAX_RESPONSE_BYTES,
    });
    return outcomeOf(status);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return outcomeOfFailure(error.failure, attempt);
  }
}

/** The body that a service expects, and its media type. */
function webhookBody(
  service: WebhookService,
  url: URL,
  message: ChannelMessage,
): { readonly type: string; readonly body: string } {
  const { text } = message;
  switch (service) {
    case "ntfy":
      return { type: "text/plain; charset=utf-8", body: text };
    case "slack":
      // https://api.slack.com/reference/surfaces/formatting#escaping
      return json({ text: text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;") });
    case "discord":
      return json({ content: text, allowed_mentions: { parse: [] } });
    case "telegram":
      return json({ chat_id: url.searchParams.get("chat_id"), text });
    case "json":
      return json(message);
  }
}

function json(body: object): { readonly type: string; readonly body: string } {
  return { type: "application/json", body: JSON.stringify(body) };
}

function outcomeOf(status: number): SendOutcome {
  if (status >= 200 && status < 300) return { kind: "sent" };
  const mayPass = status >= 500 || status === 408 || status === 425 || status === 429;
  return { kind: mayPass ? "retry" : "refused", problem: { kind: "status", status } };
}

function outcomeOfFailure(failure: TransportFailure, attempt: number): SendOutcome {
  if (failure.kind === "unreadable" && failure.reason !== "redirect") return outcomeOf(failure.status);
  const mayPass =
    failure.kind === "notSent"
      ? failure.reason !== "insecure"
      : failure.kind === "noAnswer" && attempt < MOST_UNANSWERED;
  return { kind: mayPass ? "retry" : "refused", problem: problemOf(failure) };
}

function problemOf({ kind, reason }: TransportFailure): ChannelProblem {
  switch (reason) {
    case "redirect":
      return { kind: "redirect" };
    case "certificate":
    case "unknownIssuer":
    case "handshake":
    case "insecure":
      return { kind: "insecure" };
    default:
      return { kind: kind === "notSent" ? "unreachable" : "noAnswer" };
  }
}
