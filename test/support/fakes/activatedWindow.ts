import { join } from "node:path";
import type * as vscode from "vscode";
import { commandIds } from "../../../src/contributions.ts";
import type { FormNotice, ToTicket } from "../../../src/protocol/ticket.ts";
import { root } from "../../../tools/paths.ts";
import { formDraft } from "../builders/formDraft.ts";
import { waitFor } from "../waitFor.ts";
import {
  bringToFront,
  type HollowPanel,
  type HollowTree,
  HollowStore,
  loadUi,
  panels,
  person,
  typed,
  Uri,
  window,
  WindowParts,
} from "./vscode.ts";

/** The editor's own value, which other tests replace. */
const { showInformationMessage, showWarningMessage } = window;

/** A window of the fake editor with the whole extension activated; its user confirms every dialog. */
export class HollowWindow {
  readonly #parts = new WindowParts();
  readonly #subscriptions: vscode.Disposable[] = [];
  #form: HollowPanel | undefined;

  /** `storage` is the extension's folder, the same for all windows. */
  static async open(secrets: vscode.SecretStorage, storage: string): Promise<HollowWindow> {
    const { activate } = await loadUi(() => import("../../../src/extension.ts"));
    const opened = new HollowWindow();
    process.env["XDG_DATA_HOME"] = dataHomeIn(storage);
    opened.#bringToFront();
    await activate({
      subscriptions: opened.#subscriptions,
      secrets,
      extensionUri: Uri.file(root),
      globalStorageUri: Uri.file(storage),
      globalState: new HollowStore(),
      workspaceState: new HollowStore(),
      extension: { packageJSON: { version: "0.0.0" } },
    } as unknown as vscode.ExtensionContext);
    return opened;
  }

  /** The status bar item that shows the balance. */
  get status(): { readonly text: string; readonly tooltip: string; readonly command: string | undefined } {
    const item = this.#parts.statusItems.find(({ text }) => text !== "");
    const { text = "", tooltip, command } = item ?? {};
    const id = typeof command === "object" ? command.command : command;
    return { text, tooltip: tooltip?.value ?? "", command: id };
  }

  /** A view of the side bar. */
  tree(id: string): HollowTree {
    const tree = this.#parts.trees.get(id);
    if (!tree) throw new Error(`There is no view ${id}.`);
    return tree;
  }

  /** Runs a command as a user who types the given texts into its input boxes. */
  async run(command: string, ...texts: readonly string[]): Promise<void> {
    this.#bringToFront();
    typed.splice(0, typed.length, ...texts);
    await this.#parts.commands.get(command)?.();
  }

  /** Runs a command as the menu of a row does. */
  async runOn(command: string, row: unknown): Promise<void> {
    this.#bringToFront();
    await this.#parts.commands.get(command)?.(row);
  }

  /** Bids through the form. Returns the form's last notice. */
  async bid(symbol: string, amount: string, rate: string): Promise<FormNotice> {
    await this.run(commandIds.placeBid);
    const form = (this.#form ??= panels.pop());
    if (!form) throw new Error("No form was opened.");
    await form.page;
    let outcome: FormNotice | undefined;
    let exchange = "";
    const listener = form.onDidPost((message) => {
      const sent = message as ToTicket;
      if (sent.type === "market") exchange = sent.exchange.key;
      if (sent.type === "outcome" && !sent.busy) outcome = sent.notice;
    });
    form.receive({ type: "ready", symbol: "" });
    outcome = undefined;
    form.receive({ type: "submit", draft: formDraft({ symbol, amount, rate }, exchange) });
    const notice = await waitFor("the outcome", () => outcome);
    listener.dispose();
    return notice;
  }

  close(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #bringToFront(): void {
    bringToFront(this.#parts);
    Object.assign(window, { showInformationMessage, showWarningMessage });
    person.choose = ([first]) => first;
  }
}

/** The folder of the user's records, where `storage` is the extension's folder. */
export const recordsIn = (storage: string): string => join(dataHomeIn(storage), "bidside", "fake");

/** The user's folder for application data. */
const dataHomeIn = (storage: string): string => join(storage, "data-home");
