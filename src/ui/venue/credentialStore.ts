import type * as vscode from "vscode";
import { accountSecretKey, pendingSecretKey } from "../../contributions.ts";
import { type Credentials, Secret } from "../../exchange/signing/credentials.ts";

/** Whose key it is, and the only origin that it is sent to. */
export interface KeyPlace {
  /** The account's id. */
  readonly account: string;
  readonly origin: string;
}

/** API keys and secrets in the editor's SecretStorage, each pair of one account and bound to the origin it was entered for. */
export class CredentialStore {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /**
   * The account's pair, if it was entered for exactly this origin; else undefined. Rejects if the storage fails or the
   * stored text is invalid.
   */
  async read({ account, origin }: KeyPlace): Promise<Credentials | undefined> {
    const text = await this.#secrets.get(accountSecretKey(account));
    if (text === undefined) return undefined;
    const stored = fieldsOf(text);
    const { apiKey, apiSecret } = stored;
    if (typeof stored["origin"] !== "string" || typeof apiKey !== "string" || typeof apiSecret !== "string")
      throw new Error("The stored text is not an API key and secret.");
    if (stored["origin"] !== origin) return undefined;
    return { apiKey: new Secret(apiKey), apiSecret: new Secret(apiSecret) };
  }

  async save({ account, origin }: KeyPlace, { apiKey, apiSecret }: Credentials): Promise<void> {
    const text = JSON.stringify({ origin, apiKey: apiKey.reveal(), apiSecret: apiSecret.reveal() });
    await this.#secrets.store(accountSecretKey(account), text);
    await this.removePendingKey(account);
  }

  async remove(account: string): Promise<void> {
    await this.#secrets.delete(accountSecretKey(account));
    await this.removePendingKey(account);
  }

  /** An API key whose secret has not been entered yet; it signs nothing. */
  async pendingKey({ account, origin }: KeyPlace): Promise<Secret | undefined> {
    const text = await this.#secrets.get(pendingSecretKey(account));
    const { origin: enteredFor, apiKey } = fieldsOf(text ?? "");
    return enteredFor === origin && typeof apiKey === "string" ? new Secret(apiKey) : undefined;
  }

  async savePendingKey({ account, origin }: KeyPlace, apiKey: Secret): Promise<void> {
    const text = JSON.stringify({ origin, apiKey: apiKey.reveal() });
    await this.#secrets.store(pendingSecretKey(account), text);
  }

  async removePendingKey(account: string): Promise<void> {
    await this.#secrets.delete(pendingSecretKey(account));
  }

  /** Fires when a stored pair changes, in any window. */
  onDidChange(listener: () => void): vscode.Disposable {
    return this.#secrets.onDidChange(({ key }) => {
      if (key.startsWith(accountSecretKey(""))) listener();
    });
  }
}

/** The fields of stored JSON; none if it is none. */
function fieldsOf(text: string): Partial<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Partial<Record<string, unknown>>;
  } catch {
    return {};
  }
}
