import * as vscode from "vscode";
import { commandIds, rowCommands } from "../contributions.ts";
import type { Alert } from "../market/alertRule.ts";
import type { OrderRow } from "./orders/orderRows.ts";

type CommandName = keyof typeof commandIds;

/** A step of *Set Up Live Exchange*; `test` looks at the exchange of the settings anew. */
export type SetupStep = "address" | "prefix" | "key" | "secret" | "test";

/** A pair: its symbol, or a row or another object with the symbol. */
type PairArgument = string | { readonly symbol: string };

/**
 * An order of this computer: its id, or its row. Only the id is used: the record is looked up, because another extension
 * may pass a row of its own making.
 */
type OrderArgument = string | Pick<OrderRow, "own">;

/**
 * Each command's arguments; a command without an entry has none. A keybinding or another extension may pass anything, so
 * a command that is not hidden from them reads its argument with care.
 */
interface Arguments {
  readonly placeBid: [pair?: PairArgument];
  /** As `placeBid`, from the title of a view: the row with the focus, if there is one. */
  readonly openTicket: [pair?: PairArgument];
  readonly placeAsk: [pair?: PairArgument];
  /** A row of the Wallet view. */
  readonly sellAsset: [row?: object];
  readonly setUpLive: [begin?: SetupStep];
  readonly checkOrder: [order: OrderArgument];
  readonly markPlaced: [order: OrderArgument];
  readonly markNotPlaced: [order: OrderArgument];
  readonly sameAccount: [row: unknown];
  readonly bidAgain: [order: OrderArgument];
  /** A row of the Orders view. */
  readonly copyOrder: [row: object];
  /** A row of the Orders view, or nothing: then the person chooses. */
  readonly cancelOrder: [row?: object];
  readonly cancelAllOfPair: [row?: object];
  readonly revealJournal: [row?: object];
  readonly enterCost: [row?: object];
  readonly addAlert: [at?: PairArgument | { readonly symbol: string; readonly price: string }];
  readonly editAlert: [alert?: Pick<Alert, "id">];
  readonly removeAlert: [alert?: Pick<Alert, "id">];
  readonly rearmAlert: [alert?: Pick<Alert, "id">];
  readonly openChart: [pair?: PairArgument];
  readonly star: [pair?: PairArgument];
  readonly unstar: [pair?: PairArgument];
  readonly moveFavouriteUp: [pair?: PairArgument];
  readonly moveFavouriteDown: [pair?: PairArgument];
  readonly pin: [pair?: PairArgument];
  readonly unpin: [pair?: PairArgument];
}

const rowUsed = new vscode.EventEmitter<void>();

/** A command of a row was called, on a row or without one: it may take the focus out of the rows. */
export const onDidUseRow = rowUsed.event;

const commandRun = new vscode.EventEmitter<CommandName>();

/** A command was called, by its name. */
export const onDidRunCommand = commandRun.event;

type ArgumentsOf<Name extends CommandName> = Name extends keyof Arguments ? Arguments[Name] : [];

type Handlers = { readonly [Name in CommandName]: (...args: ArgumentsOf<Name>) => unknown };

/**
 * Registers the commands of one part of the interface.
 *
 * While the editor draws all rows of a view again, it knows none of them, and calls a row's command with `undefined` in
 * place of the row. Such a call does nothing but say so: another row, or a question, would not be what the person clicked.
 * The palette and keybindings call without arguments.
 */
export function registerCommands<Name extends CommandName>(
  handlers: Pick<Handlers, Name>,
): vscode.Disposable {
  const names = Object.keys(handlers) as Name[];
  return vscode.Disposable.from(
    ...names.map((name) => {
      const handler = handlers[name] as (...args: unknown[]) => unknown;
      return vscode.commands.registerCommand(
        commandIds[name],
        withRunEvent(name, rowCommands.has(name) ? withRow(handler) : handler),
      );
    }),
  );
}

function withRunEvent(name: CommandName, handler: (...args: unknown[]) => unknown) {
  return (...args: unknown[]): unknown => {
    commandRun.fire(name);
    return handler(...args);
  };
}

function withRow(handler: (...args: unknown[]) => unknown) {
  return (...args: unknown[]): unknown => {
    if (args.length > 0 && args[0] === undefined)
      return void vscode.window.showInformationMessage(
        vscode.l10n.t("Nothing was done, because the list was just being updated. Try again."),
      );
    rowUsed.fire();
    return handler(...args);
  };
}

/** Runs one of our commands. */
export function executeCommand<Name extends CommandName>(
  name: Name,
  ...args: ArgumentsOf<Name>
): Thenable<unknown> {
  return vscode.commands.executeCommand(commandIds[name], ...args);
}

/** One of our commands with its arguments, for a row, an item of the status bar or a message. */
export function commandLink<Name extends CommandName>(
  name: Name,
  title: string,
  ...args: ArgumentsOf<Name>
): vscode.Command {
  return { command: commandIds[name], title, arguments: args };
}

/** Runs a command with its arguments. */
export function run({ command, arguments: args = [] }: vscode.Command): Thenable<unknown> {
  return vscode.commands.executeCommand(command, ...(args as unknown[]));
}

/** The command that shows the log. */
export const showLogLink = (): vscode.Command => commandLink("showLog", vscode.l10n.t("Show Log"));

/** Shows a message with one button, which runs a command. */
export async function offer(
  show: "showInformationMessage" | "showWarningMessage" | "showErrorMessage",
  text: string,
  link: vscode.Command,
): Promise<void> {
  if ((await vscode.window[show](text, link.title)) === link.title) await run(link);
}

/** The symbol of a row or another argument of a command. */
export function symbolOf(argument: unknown): string | undefined {
  if (typeof argument === "string") return argument;
  if (typeof argument !== "object" || argument === null || !("symbol" in argument)) return undefined;
  return typeof argument.symbol === "string" ? argument.symbol : undefined;
}
