import * as vscode from "vscode";
import type { VenueOpening } from "../../desk/venue.ts";
import { type ProfileDraft, readProfile } from "../../exchange/profile.ts";
import { Secret } from "../../exchange/signing/credentials.ts";
import { ProfileError } from "../text/profileError.ts";

/** A running embedded exchange: its profile and its own key pair. */
interface RunningPractice {
  readonly profile: Omit<ProfileDraft, "paths">;
  readonly credentials: { readonly apiKey: string; readonly apiSecret: string };
  reset(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the practice exchange, or connects to the window that already runs it, and closes it on disposal. */
export class PracticeVenue implements vscode.Disposable {
  readonly #start: () => Promise<RunningPractice>;
  #running: Promise<RunningPractice> | undefined;

  constructor(start: () => Promise<RunningPractice>) {
    this.#start = start;
  }

  async open(): Promise<VenueOpening> {
    await this.#close();
    this.#running = this.#start();
    const { profile: draft, credentials } = await this.#running;
    const profile = readProfile({ ...draft, paths: {} });
    if (Array.isArray(profile)) throw new ProfileError(profile);
    const pair = { apiKey: new Secret(credentials.apiKey), apiSecret: new Secret(credentials.apiSecret) };
    return {
      name: vscode.l10n.t("Practice"),
      profile,
      credentials: () => Promise.resolve(pair),
      addressMayChange: true,
    };
  }

  /** Resets the account in whichever window serves it. Rejects if the exchange is not open or unreachable. */
  async reset(): Promise<void> {
    const running = await this.#running;
    if (!running) throw new Error("The practice exchange is not open.");
    await running.reset();
  }

  dispose(): void {
    void this.#close();
  }

  async #close(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await (await running?.catch(() => undefined))?.close();
  }
}
