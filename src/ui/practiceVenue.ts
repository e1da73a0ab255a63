import * as vscode from "vscode";
import { readProfile, specPaths } from "../exchange/profile.ts";
import type { VenueOpening } from "../desk/venue.ts";
import type { CredentialStore } from "./credentialStore.ts";
import { ProfileError } from "./liveVenue.ts";

/** The embedded exchange, as far as the desk needs it: an address that speaks the specified API. */
export interface RunningPractice {
  readonly baseUrl: string;
  readonly headerPrefix: string;
  setCredentials(pair: { apiKey: string; apiSecret: string }): void;
  close(): Promise<void>;
}

export type StartPractice = (credentials: { apiKey: string; apiSecret: string }) => Promise<RunningPractice>;

/** Opens the practice exchange, in this window or the one another window already runs, and closes it at the end. */
export class PracticeVenue implements vscode.Disposable {
  readonly #store: CredentialStore;
  readonly #start: StartPractice;
  readonly #subscription: vscode.Disposable;
  #running: Promise<RunningPractice> | undefined;

  constructor(store: CredentialStore, start: StartPractice) {
    this.#store = store;
    this.#start = start;
    this.#subscription = store.onDidChange(({ practice }) => {
      if (practice) void this.#followKey();
    });
  }

  async open(): Promise<VenueOpening> {
    await this.close();
    this.#running = this.#plainPair().then(this.#start);
    const { baseUrl, headerPrefix } = await this.#running;
    const draft = { baseUrl, headerPrefix, paths: specPaths, walletMethod: "GET", symbolOrder: "quoteFirst" };
    const profile = readProfile(draft);
    if (Array.isArray(profile)) throw new ProfileError(profile);
    return {
      name: vscode.l10n.t("Practice"),
      profile,
      credentials: () => this.#store.forPractice(),
      mayMove: true,
    };
  }

  async close(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await (await running?.catch(() => undefined))?.close();
  }

  dispose(): void {
    this.#subscription.dispose();
    void this.close();
  }

  async #followKey(): Promise<void> {
    const running = await this.#running?.catch(() => undefined);
    running?.setCredentials(await this.#plainPair());
  }

  async #plainPair(): Promise<{ apiKey: string; apiSecret: string }> {
    const { apiKey, apiSecret } = await this.#store.forPractice();
    return { apiKey: apiKey.reveal(), apiSecret: apiSecret.reveal() };
  }
}
