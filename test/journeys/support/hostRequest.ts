import type { StoredAccount } from "../../../src/storage/accountFiles.ts";

/** Folders in the extension's own storage, where the app of the journeys is installed. */
export const hostFolders = {
  /** A file for each extension host, whose name is the port at which it takes requests. */
  hosts: "hosts",
  /** The storage of the app since its last reset, with the number of resets. */
  state: "state-",
  /** In the folder before: the user's folder for application data. */
  dataHome: "data-home",
} as const;

/** What the extension host of a journey is asked to do. */
export type HostRequest =
  | {
      readonly type: "reset";
      /** The user's own settings of Bidside and of the editor; all others of Bidside are removed. */
      readonly settings: Readonly<Record<string, unknown>>;
      /** The live accounts; the window opens with the last one. */
      readonly accounts: readonly StoredAccount[];
      /** For the editor's SecretStorage, by key. */
      readonly secrets: Readonly<Record<string, string>>;
      /** Certificates of authorities that the extension host trusts beside its own, in PEM. */
      readonly authorities: readonly string[];
      /** Whether the user has never seen Markets, so that a chart and the ticket open beside it. */
      readonly isFirstLook: boolean;
    }
  | { readonly type: "run"; readonly command: string; readonly args: readonly unknown[] };
