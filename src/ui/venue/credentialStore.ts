import type * as vscode from "vscode";
import { begunSecretKey, liveSecretKey } from "../../contributions.ts";
import { type Credentials, Secret } from "../../exchange/signing/credentials.ts";

/**
 * API keys and secrets, only in the editor's SecretStorage. A live pair belongs to the origin that it was entered
 * for.
 */
export class CredentialStore {
  readonly #secrets: vscode.SecretStorage;

  constructor(secrets: vscode.SecretStorage) {
    this.#secrets = secrets;
  }

  /**
   * The pair for exactly this origin; undefined without one. Rejects if the storage fails, or if the stored text is
   * no pair.
   */
  async forOrigin(origin: string): Promise<Credentials | undefined> {
    return await this.#read(liveSecretKey(origin));
  }

  async save(origin: string, credentials: Credentials): Promise<void> {
    await this.#write(liveSecretKey(origin), credentials);
    await this.#secrets.delete(begunSecretKey(origin));
  }

  async remove(origin: string): Promise<void> {
    await this.#secrets.delete(liveSecretKey(origin));
    await this.#secrets.delete(begunSecretKey(origin));
  }

  /** An API key whose secret was not entered yet. It signs nothing. */
  async begunKey(origin: string): Promise<Secret | undefined> {
    const text = await this.#secrets.get(begunSecretKey(origin));
    return text === undefined ? undefined : new Secret(text);
  }

  async saveBegunKey(origin: string, apiKey: Secret): Promise<void> {
    await this.#secrets.store(begunSecretKey(origin), apiKey.reveal());
  }

  /** Fires when a stored pair changed, in this window or another one. */
  onDidChange(listener: () => void): vscode.Disposable {
    return this.#secrets.onDidChange(({ key }) => {
      if (key.startsWith(liveSecretKey(""))) listener();
    });
  }

  async #read(key: string): Promise<Credentials | undefined> {
    const text = await this.#secrets.get(key);
    if (text === undefined) return undefined;
    const stored = parseJson(text);
    const { apiKey, apiSecret } = (stored ?? {}) as Partial<Record<string, unknown>>;
    if (typeof apiKey !== "string" || typeof apiSecret !== "string")
      throw new Error("The stored text is not an API key and secret.");
    return { apiKey: new Secret(apiKey), apiSecret: new Secret(apiSecret) };
  }

  async #write(key: string, { apiKey, apiSecret }: Credentials): Promise<void> {
    await this.#secrets.store(
      key,
      JSON.stringify({ apiKey: apiKey.reveal(), apiSecret: apiSecret.reveal() }),
    );
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
