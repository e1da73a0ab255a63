import * as vscode from "vscode";
import { accountScheme } from "../../contributions.ts";
import type { AccountList, LiveAccount } from "../../desk/accounts/accountList.ts";
import { Disposable } from "../../desk/disposable.ts";
import { linesOf } from "../../exchange/jsonFile.ts";
import { draftOf } from "../../exchange/profile.ts";
import { fieldOf, readProfileFile, writeProfileFile } from "../../exchange/profileFile.ts";
import type { Account } from "../../market/account.ts";
import { fileProblemText } from "./profileProblemText.ts";

const pathOf = (label: string): string => `/${label}.json`;

/** The document of a live account. */
export function accountDocument({ label }: Account): vscode.Uri {
  return vscode.Uri.from({ scheme: accountScheme, authority: "accounts", path: pathOf(label) });
}

/**
 * Makes each live account a document of the editor: a profile file whose name is the label. Saving one that is not valid
 * fails with the reason and the line, and changes nothing.
 */
export function registerAccountDocuments(accounts: AccountList): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  /** The editor reads a document again if its time is another one. */
  let mtime = 1;
  /** The documents that were read, with the ids of their accounts, which a document may rename. */
  const shown = new Map<string, { readonly uri: vscode.Uri; readonly id: string }>();
  const accountAt = (uri: vscode.Uri): LiveAccount => {
    const { live } = accounts;
    const account =
      live.find(({ label }) => pathOf(label) === uri.path) ??
      live.find(({ id }) => id === shown.get(uri.path)?.id);
    if (!account) throw vscode.FileSystemError.FileNotFound(vscode.l10n.t("This account was removed."));
    shown.set(uri.path, { uri, id: account.id });
    return account;
  };
  const bytesAt = (uri: vscode.Uri): Uint8Array => {
    const { label, profile } = accountAt(uri);
    return Buffer.from(writeProfileFile(draftOf(profile), label));
  };
  return new Disposable(
    vscode.workspace.registerFileSystemProvider(accountScheme, {
      onDidChangeFile: changed.event,
      watch: () => new Disposable(),
      stat: (uri) => ({ type: vscode.FileType.File, ctime: 0, mtime, size: bytesAt(uri).length }),
      readFile: bytesAt,
      writeFile: (uri, bytes) => {
        const { id, label } = accountAt(uri);
        const file = readProfileFile(bytes);
        if (Array.isArray(file)) throw new Error(problemText(file, bytes));
        accounts.edit(id, { label: file.name ?? label, profile: { ...file.draft } });
      },
      readDirectory: () => [],
      createDirectory: refuse,
      delete: refuse,
      rename: refuse,
    }),
    accounts.onDidChange(() => {
      mtime += 1;
      changed.fire(Array.from(shown.values(), ({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })));
    }),
    changed,
  );
}

function refuse(): never {
  throw vscode.FileSystemError.NoPermissions(vscode.l10n.t("Use Add Account… or Remove Account… instead."));
}

function problemText(
  problems: Exclude<ReturnType<typeof readProfileFile>, { draft: unknown }>,
  bytes: Uint8Array,
): string {
  const lines = linesOf(Buffer.from(bytes).toString());
  return problems
    .map((problem) => {
      const line = lineOf(fieldOf(problem), lines);
      const text = fileProblemText(problem);
      return line === undefined ? text : vscode.l10n.t("Line {0}: {1}", line, text);
    })
    .join(" ");
}

/** The line of a field, else of the nearest one that contains it. */
function lineOf(field: string, lines: ReadonlyMap<string, number>): number | undefined {
  const parts = field.split(".");
  for (let length = parts.length; length > 0; length -= 1) {
    const line = lines.get(parts.slice(0, length).join("."));
    if (line !== undefined) return line;
  }
  return undefined;
}
