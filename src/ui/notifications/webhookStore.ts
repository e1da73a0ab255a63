import type * as vscode from "vscode";
import { webhookSecretKey } from "../../contributions.ts";
import { readWebhook, type Webhook, webhookText } from "../../desk/notifications/webhook.ts";

/** The webhook in the editor's SecretStorage, its only place. */
export class WebhookStore {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /** Fires when any window stored or removed a webhook. */
  onDidChange(listener: () => void): vscode.Disposable {
    return this.#secrets.onDidChange(({ key }) => {
      if (key === webhookSecretKey) listener();
    });
  }

  /** Undefined if none is stored, or it cannot be read. Rejects if the storage fails, without its message. */
  async read(): Promise<Webhook | undefined> {
    const text = await this.#run(() => this.#secrets.get(webhookSecretKey));
    return text === undefined ? undefined : readWebhook(text);
  }

  async save(webhook: Webhook): Promise<void> {
    await this.#run(() => this.#secrets.store(webhookSecretKey, webhookText(webhook)));
  }

  async remove(): Promise<void> {
    await this.#run(() => this.#secrets.delete(webhookSecretKey));
  }

  /** The storage's own error could contain anything. */
  async #run<Result>(task: () => Thenable<Result>): Promise<Result> {
    try {
      return await task();
    } catch {
      throw new Error("The secret storage rejected the request.");
    }
  }
}
