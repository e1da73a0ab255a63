import * as vscode from "vscode";
import { stateKeys } from "../contributions.ts";
import {
  firstOpenStep,
  setupSteps,
  type SetupDraft,
  type SetupState,
  type SetupStep,
} from "../desk/liveSetup.ts";
import type { Timers } from "../desk/timers.ts";
import type { VenueOpening } from "../desk/venue.ts";
import type { ExchangeClient } from "../exchange/client.ts";
import { readProfile, type ProfileDraft, type ProfileProblem } from "../exchange/profile.ts";
import { Secret } from "../exchange/secret.ts";
import { isUsableKey, isUsableSecret } from "../exchange/sign.ts";
import { keepCredentials, secretProblem } from "./credentialsPrompt.ts";
import type { CredentialStore } from "./credentialStore.ts";
import { profileText } from "./errorText.ts";
import { openLive } from "./liveVenue.ts";
import { askStep, back, type Step } from "./quickInput.ts";
import { profileSetting, saveLiveExchange, venueSetting } from "./settings.ts";
import { showSetupTest } from "./setUpTest.ts";

export interface SetupParts {
  /** Keeps what was given between two visits. */
  readonly memento: Pick<vscode.Memento, "get" | "update">;
  readonly store: CredentialStore;
  readonly createClient: (opening: VenueOpening) => ExchangeClient | Promise<ExchangeClient>;
  readonly timers: Timers;
  readonly log: vscode.LogOutputChannel;
}

/**
 * Command "Set Up Live Exchange": address, header prefix, API key, API secret, then a test that only reads. Each step can be
 * left and taken up again. The address and the prefix go into the settings, and the exchange is switched to, only by the choice
 * that the test ends with. `begin` names the step to begin with, for the exchange of the settings; without a step, the set-up
 * goes on where the person left.
 */
export async function setUpLive(parts: SetupParts, begin?: unknown): Promise<void> {
  const setup = new LiveSetup(parts);
  let step = await setup.firstStep(setupSteps.find((each) => each === begin));
  while (step) step = await setup.run(step);
}

const stepOf = (step: SetupStep): Step => ({ number: setupSteps.indexOf(step) + 1, of: setupSteps.length });

class LiveSetup {
  readonly #parts: SetupParts;

  constructor(parts: SetupParts) {
    this.#parts = parts;
  }

  async firstStep(begin: SetupStep | undefined): Promise<SetupStep | undefined> {
    if (begin !== undefined) await this.#keep(undefined);
    const state = await this.#state();
    return begin === undefined || !state.hasAddress ? firstOpenStep(state) : begin;
  }

  /** Runs one step; gives the next one, or undefined where the person left or is done. */
  async run(step: SetupStep): Promise<SetupStep | undefined> {
    switch (step) {
      case "address":
        return await this.#askAddress();
      case "prefix":
        return await this.#askPrefix();
      case "key":
        return await this.#askKey();
      case "secret":
        return await this.#askSecret();
      case "test":
        return await this.#test();
    }
  }

  async #askAddress(): Promise<SetupStep | undefined> {
    const typed = await askStep(
      {
        title: vscode.l10n.t("Live Exchange"),
        prompt: vscode.l10n.t("Base URL of the exchange's API. It begins with https://."),
        value: this.#profile.baseUrl,
        placeHolder: "https://api.example.com",
        problem: (text) => this.#problem("baseUrl", text.trim()),
      },
      stepOf("address"),
    );
    if (typeof typed !== "string") return undefined;
    await this.#keep({ ...this.#draft, baseUrl: typed.trim() });
    return "prefix";
  }

  async #askPrefix(): Promise<SetupStep | undefined> {
    const typed = await askStep(
      {
        title: vscode.l10n.t("Header Prefix"),
        prompt: vscode.l10n.t(
          "The names of the exchange's signature headers begin with this prefix. The API documentation of the exchange shows it. X-SVC- is for X-SVC-APIKEY, X-SVC-TIMESTAMP and X-SVC-SIGN.",
        ),
        value: this.#profile.headerPrefix,
        placeHolder: "X-SVC-",
        problem: (text) => this.#problem("headerPrefix", text.trim()),
      },
      stepOf("prefix"),
    );
    if (typed === back) return "address";
    if (typed === undefined) return undefined;
    await this.#keep({ ...this.#draft, baseUrl: this.#profile.baseUrl, headerPrefix: typed.trim() });
    return "key";
  }

  async #askKey(): Promise<SetupStep | undefined> {
    const { origin } = this.#url;
    const stored = await this.#stored(origin);
    const typed = await askStep(
      {
        title: vscode.l10n.t("API Key for {0}", origin),
        prompt: stored
          ? vscode.l10n.t("A key is stored for this address. Press Enter to keep it, or paste another one.")
          : vscode.l10n.t(
              "Paste the API key. It is kept in the editor's secret storage, for this address only. Leave the field empty to watch prices without a key.",
            ),
        password: true,
        problem: (text) => (text.trim() === "" ? undefined : secretProblem(text.trim(), isUsableKey)),
      },
      stepOf("key"),
    );
    if (typed === back) return "prefix";
    if (typed === undefined) return undefined;
    const text = typed.trim();
    if (text === "") return stored ? "secret" : "test";
    if (text === stored?.apiKey.reveal()) return "secret";
    const kept = await keepCredentials(() => this.#parts.store.saveBegunKey(origin, new Secret(text)));
    return kept ? "secret" : undefined;
  }

  async #askSecret(): Promise<SetupStep | undefined> {
    const { origin } = this.#url;
    const stored = await this.#stored(origin);
    if (!stored) return "key";
    const hasSecret = stored.apiSecret !== undefined;
    const typed = await askStep(
      {
        title: vscode.l10n.t("API Secret for {0}", origin),
        prompt: hasSecret
          ? vscode.l10n.t("A secret is stored with this key. Press Enter to keep it, or paste another one.")
          : vscode.l10n.t(
              "Paste the API secret. It is kept in the editor's secret storage, for this address only.",
            ),
        password: true,
        problem: (text) =>
          hasSecret && text.trim() === "" ? undefined : secretProblem(text.trim(), isUsableSecret),
      },
      stepOf("secret"),
    );
    if (typed === back) return "key";
    if (typed === undefined) return undefined;
    const text = typed.trim();
    if (text === "") return "test";
    const pair = { apiKey: stored.apiKey, apiSecret: new Secret(text) };
    const kept = await keepCredentials(() => this.#parts.store.save(origin, pair));
    return kept ? "test" : undefined;
  }

  async #test(): Promise<SetupStep | undefined> {
    const { timers, log, store, createClient } = this.#parts;
    const draft = this.#profile;
    const opening = await openLive(store, draft);
    const choice = await showSetupTest(
      { name: opening.name, client: await createClient(opening), isInUse: isInUse(draft) },
      { timers, log, step: stepOf("test") },
    );
    if (choice === back) return (await this.#stored(this.#url.origin)) ? "secret" : "key";
    if (choice !== "use") return choice;
    await this.#keep(undefined);
    await saveLiveExchange(draft);
    return undefined;
  }

  /** The profile that the set-up is about: the settings, and over them what was given since. */
  get #profile(): ProfileDraft {
    return { ...profileSetting(), ...this.#draft };
  }

  /** Only a step after the address asks for this, so the address is one. */
  get #url(): URL {
    return new URL(this.#profile.baseUrl);
  }

  get #draft(): SetupDraft {
    const kept = this.#parts.memento.get<Record<string, unknown>>(stateKeys.liveSetup) ?? {};
    const { baseUrl, headerPrefix } = kept;
    return {
      ...(typeof baseUrl === "string" && { baseUrl }),
      ...(typeof headerPrefix === "string" && { headerPrefix }),
    };
  }

  async #keep(draft: SetupDraft | undefined): Promise<void> {
    await this.#parts.memento.update(stateKeys.liveSetup, draft);
  }

  async #state(): Promise<SetupState> {
    const hasAddress = this.#problem("baseUrl", this.#profile.baseUrl) === undefined;
    const stored = hasAddress ? await this.#stored(this.#url.origin) : undefined;
    const kind = stored?.apiSecret ? "pair" : stored ? "key" : "none";
    return { hasAddress, draft: this.#draft, stored: kind };
  }

  /** What is stored for an address; a key entered anew comes before the pair it is to replace. */
  async #stored(origin: string): Promise<{ apiKey: Secret; apiSecret?: Secret } | undefined> {
    const { store } = this.#parts;
    try {
      const begun = await store.begunKey(origin);
      return begun ? { apiKey: begun } : await store.forOrigin(origin);
    } catch {
      // What cannot be read is asked for anew.
      return undefined;
    }
  }

  #problem(field: "baseUrl" | "headerPrefix", text: string): string | undefined {
    const profile = readProfile({ ...this.#profile, [field]: text });
    const problem = Array.isArray(profile)
      ? profile.find((each: ProfileProblem) => each.startsWith(field))
      : undefined;
    return problem === undefined ? undefined : profileText(problem);
  }
}

/** Whether this window is on the live exchange that the draft describes. */
function isInUse({ baseUrl, headerPrefix }: ProfileDraft): boolean {
  const now = profileSetting();
  return venueSetting() === "live" && now.baseUrl === baseUrl && now.headerPrefix === headerPrefix;
}
