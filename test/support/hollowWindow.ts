import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type * as vscode from "vscode";
import { root } from "./editor/paths.ts";
import { bringToFront, loadUi, say, Uri, window, WindowParts } from "./hollowHost.ts";
import { waitFor } from "./waitFor.ts";

interface Told {
  readonly type: string;
  readonly busy?: boolean;
  readonly notice?: { readonly text: string; readonly action?: { readonly id: string } };
}

/** A window of the hollow editor with the whole extension activated in it, as the editor activates it. */
export class HollowWindow {
  readonly parts = new WindowParts();
  readonly #subscriptions: vscode.Disposable[] = [];

  /** `storage` is the extension's folder, the same for all windows. */
  static async open(secrets: vscode.SecretStorage, storage: string): Promise<HollowWindow> {
    const { activate } = await loadUi(() => import("../../src/extension.ts"));
    const opened = new HollowWindow();
    bringToFront(opened.parts);
    // Other tests may have put their own in its place.
    Object.assign(window, { showWarningMessage: say });
    const kept = new Map<string, unknown>();
    activate({
      subscriptions: opened.#subscriptions,
      secrets,
      extensionUri: Uri.file(root),
      globalStorageUri: Uri.file(storage),
      globalState: {
        get: (key: string, fallback: unknown) => kept.get(key) ?? fallback,
        update: async (key: string, value: unknown) => void kept.set(key, value),
        setKeysForSync: () => undefined,
      },
    } as unknown as vscode.ExtensionContext);
    return opened;
  }

  /** The status bar item that shows the balance. */
  get status(): { readonly text: string; readonly tooltip: string; readonly command: string | undefined } {
    const item = this.parts.statusItems.find(({ text }) => text !== "");
    return { text: item?.text ?? "", tooltip: item?.tooltip?.value ?? "", command: item?.command };
  }

  /** Runs a command as a person does, who types the given texts into its input boxes. */
  async run(command: string, ...typed: readonly string[]): Promise<void> {
    bringToFront(this.parts);
    this.parts.typed.push(...typed);
    await this.parts.commands.get(command)?.();
    this.parts.typed.length = 0;
  }

  /** Bids through the form and its questions, each answered with yes; gives what the form shows in the end. */
  async bid(symbol: string, amount: string, rate: string): Promise<NonNullable<Told["notice"]>> {
    await this.run("bidside.placeBid");
    const page = await waitFor("the form", () => this.parts.pages.at(-1));
    await waitFor("its page", () => page.says.isHeard);
    page.says.fire({ type: "ready", symbol });
    page.told.length = 0;
    page.says.fire({ type: "submit", draft: { id: randomUUID(), symbol, amount, rate } });
    return await waitFor("the outcome", () => {
      const told = (page.told as Told[]).findLast(({ type }) => type === "outcome");
      return told?.busy === false ? told.notice : undefined;
    });
  }

  close(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}

/** The extension's folder of orders in `storage`. */
export const ordersIn = (storage: string): string => join(storage, "orders");
