import * as vscode from "vscode";
import { commandIds, rowCommands } from "../contributions.ts";
import { Disposable } from "../desk/disposable.ts";
import type { Alert } from "../market/alertRule.ts";

type CommandName = keyof typeof commandIds;

/** A step of *Add Account*; `test` checks the account's exchange again. */
export type SetupStep = "address" | "prefix" | "key" | "secret" | "test";

/** A pair: its symbol, or an object with one, such as a row. */
type PairArgument = string | { readonly symbol: string };

/**
 * An order placed from this computer: its id or its row. Only the id is used, to look up the record, because another
 * extension may pass a forged row.
 */
type OrderArgument = string | { readonly id: string };

/**
 * Arguments of each command; commands without an entry have none. Keybindings and other extensions may pass anything,
 * so public commands must validate their arguments.
 */
interface Arguments {
  readonly placeBid: [pair?: PairArgument];
  /** Like `placeBid`, from a view's title bar: the focused row, if there is one. */
  readonly openTicket: [pair?: PairArgument];
  readonly placeAsk: [pair?: PairArgument];
  /** A row of the Wallet view. */
  readonly sellAsset: [row?: object];
  /** With a step, the setup of the window's account begins again there. */
  readonly addAccount: [begin?: SetupStep];
  readonly checkOrder: [order: OrderArgument];
  readonly markPlaced: [order: OrderArgument];
  readonly markNotPlaced: [order: OrderArgument];
  readonly orderAgain: [order: OrderArgument];
  readonly changeOrder: [order: OrderArgument];
  /** A row of the Orders view. */
  readonly copyOrder: [row: object];
  readonly revealOrder: [order: OrderArgument];
  /**
   * A row of the Orders view, that the focused row is meant, or the id of an order placed from this computer; without
   * one the user picks an order. Returns whether a cancellation was requested.
   */
  readonly cancelOrder: [order?: object | string];
  readonly cancelAllOfPair: [row?: object];
  readonly revealJournal: [row?: object];
  readonly enterCost: [row?: object];
  /** A row of the Wallet view. */
  readonly editHolding: [row?: object];
  /** A row of the Wallet view, or that the focused row is meant. */
  readonly removeHolding: [row?: object];
  readonly addAlert: [at?: PairArgument | { readonly symbol: string; readonly price: string }];
  readonly editAlert: [alert?: Alert];
  /** An alert, or that the focused row is meant. */
  readonly removeAlert: [alert?: object];
  readonly rearmAlert: [alert?: Alert];
  readonly openChart: [pair?: PairArgument];
  /** Without a pair, the selected row of Markets. */
  readonly previewChart: [symbol?: string];
  readonly star: [pair?: PairArgument];
  readonly unstar: [pair?: PairArgument];
  /** The id of a list or `all`; without one the user picks. */
  readonly switchList: [list?: string];
  readonly addToList: [pair?: PairArgument];
  readonly removeFromList: [pair?: PairArgument];
  readonly moveUp: [pair?: PairArgument];
  readonly moveDown: [pair?: PairArgument];
  readonly pin: [pair?: PairArgument];
  readonly unpin: [pair?: PairArgument];
}

const rowUsed = new vscode.EventEmitter<void>();

/** Fires when a row command runs, with or without a row, because it may move the focus away from the rows. */
export const onDidUseRow = rowUsed.event;

const commandRun = new vscode.EventEmitter<CommandName>();

/** Fires with the name of each command that runs. */
export const onDidRunCommand = commandRun.event;

type ArgumentsOf<Name extends CommandName> = Name extends keyof Arguments ? Arguments[Name] : [];

type Handlers = { readonly [Name in CommandName]: (...args: ArgumentsOf<Name>) => unknown };

/**
 * Registers commands.
 *
 * While the editor refreshes a view it knows none of the rows, and calls row commands with `undefined` instead of the
 * row. Such a call only shows a message, because acting on another row, or prompting for one, is not what the user
 * asked for. The palette and keybindings pass no arguments at all.
 */
export function registerCommands<Name extends CommandName>(handlers: Pick<Handlers, Name>): Disposable {
  const names = Object.keys(handlers) as Name[];
  return new Disposable(
    ...names.map((name) => {
      const handler = handlers[name] as (...args: unknown[]) => unknown;
      return vscode.commands.registerCommand(commandIds[name], (...args: unknown[]) => {
        commandRun.fire(name);
        if (!rowCommands.has(name)) return handler(...args);
        if (args.length > 0 && args[0] === undefined)
          return void vscode.window.showInformationMessage(
            vscode.l10n.t("Nothing was done, because the list was being updated. Try again."),
          );
        rowUsed.fire();
        return handler(...args);
      });
    }),
  );
}

export function executeCommand<Name extends CommandName>(
  name: Name,
  ...args: ArgumentsOf<Name>
): Thenable<unknown> {
  return vscode.commands.executeCommand(commandIds[name], ...args);
}

/** One of our commands with its arguments, for a row, a status bar item or a message. */
export function commandLink<Name extends CommandName>(
  name: Name,
  title: string,
  ...args: ArgumentsOf<Name>
): vscode.Command {
  return { command: commandIds[name], title, arguments: args };
}

export function run({ command, arguments: args = [] }: vscode.Command): Thenable<unknown> {
  return vscode.commands.executeCommand(command, ...(args as unknown[]));
}

/** Command links used in several messages. */
export const showLogLink = (): vscode.Command => commandLink("showLog", vscode.l10n.t("Show Log"));
export const setKeyLink = (): vscode.Command =>
  commandLink("setCredentials", vscode.l10n.t("Set API Key and Secret…"));
export const addAccountLink = (): vscode.Command => commandLink("addAccount", vscode.l10n.t("Add Account…"));
export const switchLink = (): vscode.Command =>
  commandLink("switchAccount", vscode.l10n.t("Switch Account…"));
export const editLink = (): vscode.Command => commandLink("editAccount", vscode.l10n.t("Edit Account…"));
export const testLink = (): vscode.Command => commandLink("testConnection", vscode.l10n.t("Test Connection"));

/** Shows a message with one button that runs a command. */
export async function offer(
  show: "showInformationMessage" | "showWarningMessage" | "showErrorMessage",
  text: string,
  link: vscode.Command,
): Promise<void> {
  if ((await vscode.window[show](text, link.title)) === link.title) await run(link);
}

/** A field of a command's argument, which may be anything. */
export function fieldOf(argument: unknown, name: string): unknown {
  if (typeof argument !== "object" || argument === null) return undefined;
  return (argument as Readonly<Record<string, unknown>>)[name];
}

/** The symbol in a command's argument. */
export function symbolOf(argument: unknown): string | undefined {
  const symbol = typeof argument === "string" ? argument : fieldOf(argument, "symbol");
  return typeof symbol === "string" ? symbol : undefined;
}
