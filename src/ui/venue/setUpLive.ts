import * as vscode from "vscode";
import { stateKeys } from "../../contributions.ts";
import type { Desk } from "../../desk/desk.ts";
import {
  firstOpenStep,
  setupSteps,
  type SetupDraft,
  type SetupState,
  type SetupStep,
} from "../../desk/liveSetup.ts";
import { readProfile, type ProfileDraft, type ProfileProblem } from "../../exchange/profile.ts";
import { Secret } from "../../exchange/signing/credentials.ts";
import { isUsableKey, isUsableSecret } from "../../exchange/signing/signature.ts";
import { executeCommand } from "../commands.ts";
import { askStep, back, type Step } from "../quickInput.ts";
import { profileSetting, saveLiveExchange, venueSetting } from "../settings.ts";
import { profileText } from "../text/errorText.ts";
import type { CredentialStore } from "./credentialStore.ts";
import { keepCredentials, secretProblem } from "./credentialsPrompt.ts";
import { openLive } from "./liveVenue.ts";
import { showSetupTest } from "./setUpTest.ts";

type SetupDesk = Pick<Desk, "createClient" | "timers" | "log">;
/** Keeps the answers for the next visit. */
type SetupMemento = Pick<vscode.Memento, "get" | "update">;

/**
 * Command "Set Up Live Exchange": address, header prefix, API key, API secret, then a test that only reads. The person can
 * leave each step and continue later. Only the choice at the end of the test writes address and prefix into the settings
 * and switches to the exchange. `begin` names the first step, for the exchange of the settings; without `begin`, the set-up
 * continues where the person left.
 */
export async function setUpLive(
  desk: SetupDesk,
  memento: SetupMemento,
  store: CredentialStore,
  begin?: unknown,
): Promise<void> {
  const setup = new LiveSetup(desk, memento, store);
  let step = await setup.firstStep(setupSteps.find((each) => each === begin));
  while (step) step = await setup.run[step]();
}

const stepOf = (step: SetupStep): Step => ({ number: setupSteps.indexOf(step) + 1, of: setupSteps.length });

/** Asks for a key or a secret in a password box. Gives the text without surrounding spaces. */
async function askHidden(
  step: "key" | "secret",
  question: {
    readonly title: string;
    readonly prompt: string;
    readonly mayBeEmpty: boolean;
    readonly isUsable: (text: string) => boolean;
  },
): Promise<string | typeof back | undefined> {
  const { title, prompt, mayBeEmpty, isUsable } = question;
  const problem = (text: string): string | undefined =>
    mayBeEmpty && text.trim() === "" ? undefined : secretProblem(text.trim(), isUsable);
  const typed = await askStep({ title, prompt, password: true, problem }, stepOf(step));
  return typeof typed === "string" ? typed.trim() : typed;
}

class LiveSetup {
  readonly #desk: SetupDesk;
  readonly #memento: SetupMemento;
  readonly #store: CredentialStore;

  /** Runs a step. Gives the next step; undefined if the person left or is done. */
  readonly run: Readonly<Record<SetupStep, () => Promise<SetupStep | undefined>>> = {
    address: () => this.#askAddress(),
    prefix: () => this.#askPrefix(),
    key: () => this.#askKey(),
    secret: () => this.#askSecret(),
    test: () => this.#test(),
  };

  constructor(desk: SetupDesk, memento: SetupMemento, store: CredentialStore) {
    this.#desk = desk;
    this.#memento = memento;
    this.#store = store;
  }

  async firstStep(begin: SetupStep | undefined): Promise<SetupStep | undefined> {
    if (begin !== undefined) await this.#keep(undefined);
    const state = await this.#state();
    return begin === undefined || !state.hasAddress ? firstOpenStep(state) : begin;
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
    const { symbolOrder: _, ...before } = this.#draft;
    await this.#keep({
      ...(typed.trim() === this.#draft.baseUrl ? this.#draft : before),
      baseUrl: typed.trim(),
    });
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
    const text = await askHidden("key", {
      title: vscode.l10n.t("API Key for {0}", origin),
      prompt: stored
        ? vscode.l10n.t("A key is stored for this address. Press Enter to keep it, or paste another one.")
        : vscode.l10n.t(
            "Paste the API key. It is kept in the editor's secret storage, for this address only. Leave the field empty to watch prices without a key.",
          ),
      mayBeEmpty: true,
      isUsable: isUsableKey,
    });
    if (text === back) return "prefix";
    if (text === undefined) return undefined;
    if (text === "") return stored ? "secret" : "test";
    if (text === stored?.apiKey.reveal()) return "secret";
    const kept = await keepCredentials(() => this.#store.saveBegunKey(origin, new Secret(text)));
    return kept ? "secret" : undefined;
  }

  async #askSecret(): Promise<SetupStep | undefined> {
    const { origin } = this.#url;
    const stored = await this.#stored(origin);
    if (!stored) return "key";
    const hasSecret = stored.apiSecret !== undefined;
    const text = await askHidden("secret", {
      title: vscode.l10n.t("API Secret for {0}", origin),
      prompt: hasSecret
        ? vscode.l10n.t("A secret is stored with this key. Press Enter to keep it, or paste another one.")
        : vscode.l10n.t(
            "Paste the API secret. It is kept in the editor's secret storage, for this address only.",
          ),
      mayBeEmpty: hasSecret,
      isUsable: isUsableSecret,
    });
    if (text === back) return "key";
    if (text === undefined) return undefined;
    if (text === "") return "test";
    const pair = { apiKey: stored.apiKey, apiSecret: new Secret(text) };
    const kept = await keepCredentials(() => this.#store.save(origin, pair));
    return kept ? "test" : undefined;
  }

  async #test(): Promise<SetupStep | undefined> {
    const draft = this.#profile;
    const opening = openLive(this.#store, draft);
    const client = await this.#desk.createClient(opening);
    const choice = await showSetupTest(
      { name: opening.name, client, features: opening.profile.features, isInUse: isInUse(draft) },
      this.#desk,
      stepOf("test"),
    );
    if (choice === back) return (await this.#stored(this.#url.origin)) ? "secret" : "key";
    if (choice === "symbolOrder") {
      const symbolOrder = draft.symbolOrder === "quoteFirst" ? "baseFirst" : "quoteFirst";
      await this.#keep({
        ...this.#draft,
        baseUrl: draft.baseUrl,
        headerPrefix: draft.headerPrefix,
        symbolOrder,
      });
      return "test";
    }
    if (choice === "import") {
      await executeCommand("importProfile");
      return undefined;
    }
    if (choice !== "use") return choice;
    await this.#keep(undefined);
    await saveLiveExchange(draft);
    return undefined;
  }

  /**
   * The profile of the set-up: the settings, replaced by the person's answers so far. Another address begins without
   * anything of the exchange before: its paths, its features and its order of symbols are not this one's.
   */
  get #profile(): Required<ProfileDraft> {
    const now = profileSetting();
    const { baseUrl = now.baseUrl } = this.#draft;
    return {
      ...(isSameAddress(baseUrl, now.baseUrl) ? now : { ...NEW_PROFILE, headerPrefix: now.headerPrefix }),
      ...this.#draft,
      baseUrl,
    };
  }

  /** Valid: only the steps after the address use this. */
  get #url(): URL {
    return new URL(this.#profile.baseUrl);
  }

  get #draft(): SetupDraft {
    const kept = this.#memento.get<Record<string, unknown>>(stateKeys.liveSetup) ?? {};
    const { baseUrl, headerPrefix, symbolOrder } = kept;
    return {
      ...(typeof baseUrl === "string" && { baseUrl }),
      ...(typeof headerPrefix === "string" && { headerPrefix }),
      ...(typeof symbolOrder === "string" && { symbolOrder }),
    };
  }

  async #keep(draft: SetupDraft | undefined): Promise<void> {
    await this.#memento.update(stateKeys.liveSetup, draft);
  }

  async #state(): Promise<SetupState> {
    const hasAddress = this.#problem("baseUrl", this.#profile.baseUrl) === undefined;
    const stored = hasAddress ? await this.#stored(this.#url.origin) : undefined;
    const kind = stored?.apiSecret ? "pair" : stored ? "key" : "none";
    return { hasAddress, draft: this.#draft, stored: kind };
  }

  /** The stored key for an address. A new key without its secret comes before the stored pair that it will replace. */
  async #stored(origin: string): Promise<{ apiKey: Secret; apiSecret?: Secret } | undefined> {
    try {
      const begun = await this.#store.begunKey(origin);
      return begun ? { apiKey: begun } : await this.#store.forOrigin(origin);
    } catch {
      // The person is asked again for an unreadable key.
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

/** The profile of an exchange of which only the address is known: the four endpoints of the specification. */
const NEW_PROFILE: Required<Omit<ProfileDraft, "baseUrl" | "headerPrefix">> = {
  paths: {},
  walletMethod: "auto",
  symbolOrder: "quoteFirst",
  historyPath: "",
  features: {},
};

function isSameAddress(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) =>
    URL.canParse(text) ? new URL(text).href.replace(/\/+$/, "") : text,
  );
  return a === b;
}

/** Whether this window is on the live exchange that the draft describes. */
function isInUse({ baseUrl, headerPrefix }: ProfileDraft): boolean {
  const now = profileSetting();
  return venueSetting() === "live" && now.baseUrl === baseUrl && now.headerPrefix === headerPrefix;
}
