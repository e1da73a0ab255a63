import type * as vscode from "vscode";
import { pendingSecretKey, liveSecretKey } from "../../contributions.ts";
import { type Credentials, Secret } from "../../exchange/signing/credentials.ts";

/** API keys and secrets in the editor's SecretStorage, each pair bound to the origin it was entered for. */
export class CredentialStore {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /**
   * The pair for exactly this origin; undefined without one. Rejects if the storage fails or the stored text is
   * invalid.
   */
  async forOrigin(origin: string): Promise<Credentials | undefined> {
    const text = await this.#secrets.get(liveSecretKey(origin));
    if (text === undefined) return undefined;
    const { apiKey, apiSecret } = (parseJson(text) ?? {}) as Partial<Record<string, unknown>>;
    if (typeof apiKey !== "string" || typeof apiSecret !== "string")
      throw new Error("The stored text is not an API key and secret.");
    return { apiKey: new Secret(apiKey), apiSecret: new Secret(apiSecret) };
  }

  async save(origin: string, { apiKey, apiSecret }: Credentials): Promise<void> {
    const text = JSON.stringify({ apiKey: apiKey.reveal(), apiSecret: apiSecret.reveal() });
    await this.#secrets.store(liveSecretKey(origin), text);
    await this.#secrets.delete(pendingSecretKey(origin));
  }

  async remove(origin: string): Promise<void> {
    await this.#secrets.delete(liveSecretKey(origin));
    await this.#secrets.delete(pendingSecretKey(origin));
  }

  /** An API key whose secret has not been entered yet; it signs nothing. */
  async pendingKey(origin: string): Promise<Secret | undefined> {
    const text = await this.#secrets.get(pendingSecretKey(origin));
    return text === undefined ? undefined : new Secret(text);
  }

  async savePendingKey(origin: string, apiKey: Secret): Promise<void> {
    await this.#secrets.store(pendingSecretKey(origin), apiKey.reveal());
  }

  /** Fires when a stored pair changes, in any window. */
  onDidChange(listener: () => void): vscode.Disposable {
    return this.#secrets.onDidChange(({ key }) => {
      if (key.startsWith(liveSecretKey(""))) listener();
    });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
