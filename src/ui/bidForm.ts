import * as vscode from "vscode";
import { panelTypes } from "../contributions.ts";
import type { FormDraft } from "../panels/bidForm.ts";
import type { BidPanel } from "./bidPanel.ts";
import type { BidParts } from "./bidParts.ts";

/** The way to the bid form; the form, and all that a bid needs, is loaded when it is first wanted. */
export class BidForm implements vscode.Disposable, vscode.WebviewPanelSerializer {
  readonly #parts: BidParts;
  readonly #serializer: vscode.Disposable;
  #panel: Promise<BidPanel> | undefined;

  constructor(parts: BidParts) {
    this.#parts = parts;
    this.#serializer = vscode.window.registerWebviewPanelSerializer(panelTypes.bidForm, this);
  }

  /** Shows the form, filled in with what is given; anything typed before stays. */
  async open(given: Partial<FormDraft>): Promise<void> {
    (await this.#load()).open(given);
  }

  /** The editor was reloaded with the form open. */
  async deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    await (await this.#load()).deserializeWebviewPanel(panel);
  }

  dispose(): void {
    this.#serializer.dispose();
    void this.#panel?.then((panel) => panel.dispose());
  }

  #load(): Promise<BidPanel> {
    return (this.#panel ??= import("./bidParts.ts").then(({ createBidPanel }) =>
      createBidPanel(this.#parts),
    ));
  }
}
