import * as vscode from "vscode";
import type { Desk } from "../../desk/desk.ts";
import type { SignedIn } from "../../desk/venue.ts";
import { errorLine } from "../../desk/errorLine.ts";
import type { AccountDiscovery } from "../../exchange/discovery/accountDiscovery.ts";
import { type PastedAddress, readPastedAddress } from "../../exchange/discovery/address.ts";
import { discoveredProfile } from "../../exchange/discovery/discoveredProfile.ts";
import {
  discoverExchange,
  discoverExchangeAccount,
  type DiscoveryPorts,
} from "../../exchange/discovery/discovery.ts";
import {
  acceptsPrivateStream,
  PRIVATE_STREAM_PATH,
} from "../../exchange/discovery/privateStreamDiscovery.ts";
import type { PublicDiscovery } from "../../exchange/discovery/publicDiscovery.ts";
import { meaningOf } from "../../exchange/meaning.ts";
import { draftOf, readProfile, type ProfileDraft, type ServiceProfile } from "../../exchange/profile.ts";
import { type Credentials, Secret } from "../../exchange/signing/credentials.ts";
import { isUsableKey, isUsableSecret } from "../../exchange/signing/signature.ts";
import { siblingStreamHost } from "../../exchange/stream/streamHost.ts";
import { practiceAccount, type Account } from "../../market/account.ts";
import type { SetupStep } from "../commands.ts";
import { askStep, back, type Step } from "../quickInput.ts";
import { shownAmounts } from "../text/amountText.ts";
import { showStatusMessage } from "../statusMessage.ts";
import { explain, profileText } from "../text/errorText.ts";
import { isSaved } from "./accountCommands.ts";
import type { CredentialStore, KeyPlace } from "./credentialStore.ts";
import type { SaveKey } from "./keyOwner.ts";
import { exportDraft } from "./profileFiles.ts";
import { storeCredentials, secretProblem } from "./credentialsPrompt.ts";
import { showDiscovery } from "./discoveryPick.ts";
import { accountChoices, accountPartNames, nothingFoundChoices, publicPartNames } from "./discoveryTexts.ts";
import { showExchangeOffer } from "./exchangePage.ts";
import { changesOf, offerOf } from "./offerText.ts";

export interface SetupParts {
  readonly desk: Pick<Desk, "timers" | "log">;
  readonly store: CredentialStore;
  readonly saveKey: SaveKey;
  readonly extensionUri: vscode.Uri;
  /** Begins the setup of another account, or of one that was removed, by its id. */
  readonly newAccount: (id?: string) => AccountSetup;
  readonly discovery: DiscoveryPorts;
}

/** The account that is set up. */
export interface AccountSetup {
  readonly account: Account;
  /** The profile so far; its address is empty for a new account. */
  readonly draft: Required<ProfileDraft>;
  /** The answers of an unfinished setup. */
  readonly answers?: Answers;
  /** Stores the answers for another session; undefined: the setup is finished. */
  readonly keepAnswers?: (answers: Answers | undefined) => Thenable<void>;
  /** Whether another account uses this key at the same origin; the user was then told. */
  readonly isOtherAccounts?: (origin: string, apiKey: Secret) => Promise<boolean>;
  /** Writes the account. Throws if the disk fails. */
  readonly use: (draft: Required<ProfileDraft>) => void;
}

const setupSteps: readonly SetupStep[] = ["address", "prefix", "key", "secret", "test"];

type Screen = SetupStep | "discovery" | "offer";

const stepOf = (screen: Screen): Step => ({ number: NUMBERS[screen], of: NUMBERS.offer });
const NUMBERS: Readonly<Record<Screen, number>> = {
  address: 1,
  discovery: 2,
  prefix: 2,
  key: 3,
  secret: 4,
  test: 5,
  offer: 5,
};

/**
 * Command "Add Account": asks for the address, detects what the exchange offers, asks for API key and secret,
 * and detects what they may read. Sends only reads. The result is a page; its *Switch to Live* button adds the
 * account. With `own`, the account of the window, `begin` is the first step of setting it up again.
 */
export async function setUpAccount(parts: SetupParts, own?: AccountSetup, begin?: unknown): Promise<void> {
  const step = own && setupSteps.find((each) => each === begin);
  const setup = new ExchangeSetup(parts, own && step ? own : parts.newAccount());
  await setup.run(setup.firstScreen(step));
}

/** Command "Test Connection" on the practice exchange, which can be tested but not set up. */
export async function testPractice(parts: SetupParts, practice: SignedIn): Promise<void> {
  const { baseUrl, headerPrefix } = practice.profile;
  const answers = { address: baseUrl.href, headerPrefix };
  const account = { account: practiceAccount, draft: draftOf({}), answers, use: () => undefined };
  await new ExchangeSetup(parts, account, practice).run("discovery");
}

/** What the user typed; no key or secret. */
export interface Answers {
  readonly address?: string;
  readonly headerPrefix?: string;
}

class ExchangeSetup {
  readonly #parts: SetupParts;
  #account: AccountSetup;
  #answers: Answers;
  readonly #practice: SignedIn | undefined;
  /** The screen that follows discovery. */
  #afterDiscovery: Screen | undefined;
  /** The user only wants to enter a key for the current exchange. */
  #isKeyOnly = false;
  #found: PublicDiscovery | undefined;
  #foundAccount: AccountDiscovery | undefined;
  #streamHost: string | undefined;

  constructor(parts: SetupParts, account: AccountSetup, practice?: SignedIn) {
    this.#parts = parts;
    this.#account = account;
    this.#answers = account.answers ?? {};
    this.#practice = practice;
  }

  async run(first: Screen): Promise<void> {
    let screen: Screen | undefined = first;
    while (screen) screen = await this.#show(screen);
  }

  /** The screen to begin with; without `begin`, where the user left off. */
  firstScreen(begin: SetupStep | undefined): Screen {
    if (begin === "address" || typeof this.#address === "string") return "address";
    this.#isKeyOnly = begin === "key" || begin === "secret";
    if (this.#isKeyOnly && begin) return begin;
    this.#afterDiscovery = begin;
    return "discovery";
  }

  #show(screen: Screen): Promise<Screen | undefined> {
    switch (screen) {
      case "address":
        return this.#askAddress();
      case "discovery":
        return this.#discover();
      case "prefix":
        return this.#askPrefix();
      case "key":
        return this.#askKey();
      case "secret":
        return this.#askSecret();
      case "test":
        return this.#discoverAccount();
      case "offer":
        return this.#showOffer();
    }
  }

  async #askAddress(): Promise<Screen | undefined> {
    const typed = await askStep(
      {
        title: vscode.l10n.t("Live Exchange"),
        prompt: vscode.l10n.t("Paste the address of the exchange's API, or any link from its documentation."),
        value: this.#answers.address ?? this.#account.draft.baseUrl,
        placeHolder: "api.example.com",
        problem: (text) => addressProblem(text),
      },
      stepOf("address"),
    );
    if (typeof typed !== "string") return undefined;
    const read = readPastedAddress(typed);
    if (typeof read === "string") return "address";
    await this.#use(read);
    return "discovery";
  }

  /** An account stays at its origin, because its key does; another origin is that of another account. */
  async #use({ address, bases: [base] }: Exclude<PastedAddress, string>): Promise<void> {
    const { draft } = this.#account;
    if (URL.canParse(draft.baseUrl) && new URL(draft.baseUrl).origin !== base.origin)
      this.#account = this.#parts.newAccount();
    // Discard the results for another address.
    if (address !== (this.#answers.address ?? draft.baseUrl)) await this.#keep({ address });
    this.#found = this.#foundAccount = this.#streamHost = undefined;
  }

  async #discover(): Promise<Screen | undefined> {
    const address = this.#address;
    if (typeof address === "string") return "address";
    const { bases, apiHost } = address;
    const answer = await showDiscovery({
      title: vscode.l10n.t("Checking {0}", bases[0].host),
      step: stepOf("discovery"),
      parts: publicPartNames(),
      run: (onPart, mayContinue) =>
        discoverExchange(bases, { ...this.#parts.discovery, mayContinue }, this.#logged(onPart), this.#known),
      problemOf: (result) => {
        if (!("error" in result)) return undefined;
        this.#parts.desk.log.warn(`Checking ${bases[0].host}: ${errorLine(result.error)}`);
        return { text: this.#explain(result.error), choices: nothingFoundChoices(apiHost) };
      },
    });
    if (answer === back) return "address";
    if (!answer) return undefined;
    if ("id" in answer) {
      if (answer.id === "apiHost" && apiHost !== undefined) {
        const read = readPastedAddress(apiHost);
        if (typeof read === "string") return "address";
        await this.#use(read);
        return "discovery";
      }
      return answer.id === "again" ? "discovery" : "address";
    }
    if ("error" in answer.result) return "address";
    this.#found = answer.result;
    const next = this.#afterDiscovery;
    this.#afterDiscovery = undefined;
    return next ?? this.#nextAfterDiscovery();
  }

  #discoverFirst(next: Screen): Screen {
    this.#afterDiscovery = next;
    return "discovery";
  }

  async #nextAfterDiscovery(): Promise<Screen> {
    if (this.#headerPrefix === undefined) return "prefix";
    const stored = await this.#stored();
    if (!stored) return "key";
    return stored.apiSecret ? "test" : "secret";
  }

  async #askPrefix(): Promise<Screen | undefined> {
    const typed = await askStep(
      {
        title: vscode.l10n.t("Header Prefix"),
        prompt: vscode.l10n.t(
          "Bidside could not detect the prefix of this exchange's signature headers. Its API documentation names it: X-SVC- for X-SVC-APIKEY, X-SVC-TIMESTAMP and X-SVC-SIGN.",
        ),
        value: this.#headerPrefix ?? "",
        placeHolder: "X-SVC-",
        problem: (text) => prefixProblem(text.trim()),
      },
      stepOf("prefix"),
    );
    if (typed === back) return "address";
    if (typed === undefined) return undefined;
    await this.#keep({ ...this.#answers, headerPrefix: typed.trim() });
    const stored = await this.#stored();
    return stored?.apiSecret ? "test" : stored ? "secret" : "key";
  }

  async #askKey(): Promise<Screen | undefined> {
    const { origin } = this.#base;
    const text = await askHidden("key", {
      title: vscode.l10n.t("API Key for {0}", origin),
      prompt: vscode.l10n.t(
        "Paste the API key. It is kept in the editor's secret storage, for this address only. Leave the field empty to watch prices without a key.",
      ),
      mayBeEmpty: true,
      isUsable: isUsableKey,
    });
    if (text === back) return "address";
    if (text === undefined) return undefined;
    if (text === "") return (await this.#stored())?.apiSecret ? "test" : "offer";
    const saved = await storeCredentials(async () => {
      await this.#parts.store.savePendingKey(this.#place, new Secret(text));
      return true;
    });
    return saved ? "secret" : undefined;
  }

  async #askSecret(): Promise<Screen | undefined> {
    const { origin } = this.#base;
    const stored = await this.#stored();
    if (!stored) return "key";
    const text = await askHidden("secret", {
      title: vscode.l10n.t("API Secret for {0}", origin),
      prompt: vscode.l10n.t(
        "Paste the API secret. It is kept in the editor's secret storage, for this address only.",
      ),
      mayBeEmpty: false,
      isUsable: isUsableSecret,
    });
    if (text === back) return "key";
    if (text === undefined) return undefined;
    const pair = { apiKey: stored.apiKey, apiSecret: new Secret(text) };
    const { store, saveKey } = this.#parts;
    if (await this.#account.isOtherAccounts?.(origin, pair.apiKey)) return undefined;
    const { account } = this.#account;
    const owner = await storeCredentials(() =>
      saveKey(account, pair.apiKey, ({ id }) => store.save({ account: id, origin }, pair)),
    );
    if (!owner) return undefined;
    if (owner.id === account.id) return "test";
    await store.removePendingKey(account.id);
    // The key is that of another account of this exchange, which the window was switched to.
    if (this.#account.draft.baseUrl !== "") return undefined;
    this.#account = this.#parts.newAccount(owner.id);
    await this.#keep(this.#answers);
    return "test";
  }

  async #discoverAccount(): Promise<Screen | undefined> {
    const found = this.#found;
    if (!found) return this.#discoverFirst("test");
    if (this.#headerPrefix === undefined) return "prefix";
    const stored = await this.#stored();
    if (!stored?.apiSecret) return stored ? "secret" : "key";
    const pair: Credentials = { apiKey: stored.apiKey, apiSecret: stored.apiSecret };
    const signing = {
      profile: { headerPrefix: this.#headerPrefix },
      credentials: () => Promise.resolve(pair),
    };
    const answer = await showDiscovery({
      title: vscode.l10n.t("Checking Your Account on {0}", this.#base.host),
      step: stepOf("test"),
      parts: accountPartNames(),
      run: (onPart, mayContinue) =>
        discoverExchangeAccount(
          found,
          signing,
          { ...this.#parts.discovery, mayContinue },
          this.#logged(onPart),
          this.#known,
        ),
      problemOf: ({ error }) => {
        if (error === undefined) return undefined;
        this.#parts.desk.log.warn(`The account at ${this.#base.host}: ${errorLine(error)}`);
        return { text: this.#explain(error), choices: accountChoices(error) };
      },
    });
    if (answer === back) return "key";
    if (!answer) return undefined;
    if ("id" in answer) return answer.id as Screen;
    this.#foundAccount = answer.result;
    if (this.#isKeyOnly) {
      showStatusMessage(vscode.l10n.t("The API key for {0} works.", this.#base.host));
      return undefined;
    }
    this.#streamHost = await this.#findPrivateStream();
    return "offer";
  }

  /** Uses the same host without asking; a sibling host only after the user agrees, once. */
  async #findPrivateStream(): Promise<string | undefined> {
    const base = this.#base;
    const { discovery } = this.#parts;
    if (!this.#foundAccount?.features.openOrders) return undefined;
    const isSecure = base.protocol === "https:";
    if (await acceptsPrivateStream(base.host, isSecure, discovery)) return base.host;
    const sibling = siblingStreamHost(base);
    if (sibling === undefined) return undefined;
    const accepts = () => acceptsPrivateStream(sibling, isSecure, discovery);
    if (this.#known?.features.privateStream?.host === sibling) return (await accepts()) ? sibling : undefined;
    const connect = vscode.l10n.t("Connect");
    const chosen = await vscode.window.showInformationMessage(
      vscode.l10n.t("Get order updates from {0}?", sibling),
      {
        modal: true,
        detail: vscode.l10n.t(
          "Exchanges of this kind often send order updates from a second host in the same domain. If you allow this, {0} also gets your API key and a signature, over an encrypted connection, but not your API secret. If you decline, Bidside polls your orders instead.",
          sibling,
        ),
      },
      connect,
    );
    if (chosen !== connect) return undefined;
    return (await accepts()) ? sibling : undefined;
  }

  async #showOffer(): Promise<Screen | undefined> {
    const found = this.#found;
    if (!found) return this.#discoverFirst("offer");
    const headerPrefix = this.#headerPrefix ?? this.#account.draft.headerPrefix;
    const draft = discoveredProfile(found, this.#foundAccount, {
      headerPrefix,
      known: this.#known,
      ...(this.#streamHost !== undefined && {
        privateStream: {
          path: PRIVATE_STREAM_PATH,
          ...(this.#streamHost !== this.#base.host && { host: this.#streamHost }),
        },
      }),
    });
    const error = this.#foundAccount?.error;
    const { draft: before } = this.#account;
    const now = before.baseUrl === draft.baseUrl ? readProfile(before) : undefined;
    const offer = offerOf({
      found,
      account: this.#foundAccount,
      privateStreamHost: this.#streamHost,
      accountProblem: error === undefined ? undefined : this.#explain(error),
      use: this.#practice ? "none" : now === undefined ? "switch" : "update",
      changes: now === undefined || Array.isArray(now) ? [] : changesOf(now, readProfile(draft)),
    });
    for (;;) {
      const action = await showExchangeOffer(this.#parts.extensionUri, offer);
      switch (action) {
        case "use":
          if (await isSaved(this.#parts.desk.log, () => this.#account.use(draft)))
            await this.#keep(undefined);
          return undefined;
        case "change":
          return "address";
        case "enterKey":
          return "key";
        case "export":
          await exportDraft(draft, this.#parts.desk.log);
          continue;
        case undefined:
          return undefined;
      }
    }
  }

  #logged<Part extends string>(onPart: (part: Part, isFound: boolean) => void) {
    return (part: Part, isFound: boolean): void => {
      this.#parts.desk.log.info(`${this.#base.host}: ${part} ${isFound ? "found" : "not found"}`);
      onPart(part, isFound);
    };
  }

  /** Explains an error of this discovery, which has already tried every known path. */
  #explain(error: unknown): string {
    const { host } = this.#base;
    if (meaningOf(error) === "wrongPath")
      return vscode.l10n.t(
        "{0} responds, but not at any path Bidside knows. Check the address in the exchange's API documentation.",
        host,
      );
    return explain(error, shownAmounts(), host).sentence;
  }

  /** The detected base URL, else the first one to try. */
  get #base(): URL {
    if (this.#found) return this.#found.baseUrl;
    const address = this.#address;
    return typeof address === "string" ? new URL("https://localhost") : address.bases[0];
  }

  /** The address as typed, else that of the account. */
  get #address(): PastedAddress {
    return readPastedAddress(this.#answers.address ?? this.#account.draft.baseUrl);
  }

  get #place(): KeyPlace {
    return { account: this.#account.account.id, origin: this.#base.origin };
  }

  /** As detected, else as typed during this setup, else as configured for this exchange. */
  get #headerPrefix(): string | undefined {
    return this.#found?.headerPrefix ?? this.#answers.headerPrefix ?? this.#known?.headerPrefix;
  }

  /** The configured profile if it is for this exchange: its paths are tried first. */
  get #known(): ServiceProfile | undefined {
    if (this.#practice) return this.#practice.profile;
    const profile = readProfile(this.#account.draft);
    return Array.isArray(profile) || profile.baseUrl.origin !== this.#base.origin ? undefined : profile;
  }

  async #keep(answers: Answers | undefined): Promise<void> {
    this.#answers = answers ?? {};
    await this.#account.keepAnswers?.(answers);
  }

  /**
   * The stored key for the address. A new key without its secret takes precedence over the pair it will replace.
   */
  async #stored(): Promise<{ apiKey: Secret; apiSecret?: Secret } | undefined> {
    const { store } = this.#parts;
    if (this.#practice) return await this.#practice.credentials();
    try {
      const pending = await store.pendingKey(this.#place);
      return pending ? { apiKey: pending } : await store.read(this.#place);
    } catch {
      // The user is asked again for an unreadable key.
      return undefined;
    }
  }
}

/** Prompts for a key or secret in a password box; the result is trimmed. */
async function askHidden(
  screen: "key" | "secret",
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
  const typed = await askStep({ title, prompt, password: true, problem }, stepOf(screen));
  return typeof typed === "string" ? typed.trim() : typed;
}

function addressProblem(text: string): string | undefined {
  const address = readPastedAddress(text);
  if (address === "missing") return profileText("baseUrlMissing");
  if (address === "invalid") return profileText("baseUrlInvalid");
  return address === "insecure" ? profileText("baseUrlInsecure") : undefined;
}

function prefixProblem(headerPrefix: string): string | undefined {
  const profile = readProfile(draftOf({ baseUrl: "https://localhost", headerPrefix }));
  const isWrong = Array.isArray(profile) && profile.includes("headerPrefixInvalid");
  return isWrong ? profileText("headerPrefixInvalid") : undefined;
}
