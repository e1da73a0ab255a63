import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BalanceFeed } from "../../../src/desk/feeds/balanceFeed.ts";
import type { TickerFeed } from "../../../src/desk/feeds/tickerFeed.ts";
import type { Orders } from "../../../src/desk/orders/orders.ts";
import { systemTimers } from "../../../src/time/timers.ts";
import type { Presence } from "../../../src/desk/windows/presence.ts";
import type { VenueOpening, Watching } from "../../../src/desk/venue.ts";
import type { ExchangeClient } from "../../../src/exchange/client.ts";
import type { ServiceProfile } from "../../../src/exchange/profile.ts";
import type { ToTicket } from "../../../src/protocol/ticket.ts";
import { root } from "../../../tools/paths.ts";
import { testClient, testCredentials } from "../builders/client.ts";
import { formDraft, type TypedDraft } from "../builders/formDraft.ts";
import { editorConfirmations } from "../desks/editorConfirmations.ts";
import { close, liveAt, openTestDesk, unattended } from "../desks/testDesk.ts";
import { ticketWindow } from "../fakes/ticketWindow.ts";
import { loadUi, panels, person } from "../fakes/vscode.ts";
import { unsyncedSystem } from "../fakes/operatingSystem.ts";

type Outcome = Extract<ToTicket, { type: "outcome" }>;

/** The order ticket with a desk and a client, as the extension connects them. Only the editor is a fake. */
export interface OpenForm {
  readonly venue: Watching;
  readonly client: ExchangeClient;
  readonly tickers: TickerFeed;
  readonly balances: BalanceFeed;
  readonly orders: Orders;
  /** Whether the user is at the window. */
  readonly presence: Presence;
  /** Every message to the page. */
  readonly posted: ToTicket[];
  /** Every line of the log, at any level. */
  readonly logged: string[];
  /** The page reports user input. */
  input(): void;
  /** Shows a pair, as if chosen in the page. */
  select(symbol: string): void;
  /** Presses the form's button and waits for its last notice. */
  submit(draft: TypedDraft): Promise<Outcome>;
  /** Journal folder: the names and contents of all files. */
  journal(): string;
  close(): Promise<void>;
}

interface FormOptions {
  readonly profile?: Partial<ServiceProfile>;
  readonly credentials?: VenueOpening["credentials"];
  /** Local clock, ms since the epoch. Default: it stands still, or prices would be too old when a busy computer stalls. */
  readonly now?: () => number;
  readonly client?: Parameters<typeof testClient>[2];
}

/**
 * Opens the form on the live venue at `baseUrl`, for a user who confirms everything. Nothing is polled before the first
 * submit, except by the test itself.
 */
export async function openForm(baseUrl: string, options: FormOptions = {}): Promise<OpenForm> {
  const openedAt = Date.now();
  const { now = () => openedAt, credentials = () => Promise.resolve(testCredentials), profile } = options;
  const directory = mkdtempSync(join(tmpdir(), "bid-form-"));
  const logged: string[] = [];
  const record = (...values: readonly unknown[]): void => void logged.push(values.map(String).join(" "));
  const log = { debug: record, info: record, warn: record, error: record };
  const client = testClient(baseUrl, profile, { now, log, credentials, ...options.client });
  const { TicketPanel } = await loadUi(() => import("../../../src/ui/ticket/ticketPanel.ts"));
  const desk = await openTestDesk({
    ...liveAt(baseUrl, credentials, profile),
    client,
    storage: directory,
    timers: { ...systemTimers, now },
    window: unattended,
    ask: await editorConfirmations(),
    log,
    os: unsyncedSystem,
  });
  const { venue } = desk.venue;
  if (!venue) throw new Error("The venue did not open.");

  person.choose = (offered) => offered.at(-1);
  const { tickers, balances, orders } = desk;
  const extensionUri = { fsPath: root } as never;
  const form = new TicketPanel(desk, extensionUri, ticketWindow(desk));
  form.open({});
  const panel = panels.pop();
  if (!panel) throw new Error("The form did not open.");
  const posted: ToTicket[] = [];
  let answered: (outcome: Outcome) => void = () => undefined;
  panel.onDidPost((message) => {
    const sent = message as ToTicket;
    posted.push(sent);
    if (sent.type === "outcome" && !sent.busy) answered(sent);
  });
  await panel.page;
  panel.receive({ type: "ready", symbol: "" });

  return {
    venue,
    client,
    tickers,
    balances,
    orders,
    presence: desk.presence,
    posted,
    logged,
    input: () => panel.receive({ type: "input" }),
    select: (symbol) => panel.receive({ type: "select", symbol }),
    submit: (draft) =>
      new Promise((resolve) => {
        answered = resolve;
        panel.receive({ type: "submit", draft: formDraft(draft, venue.account.id) });
      }),
    journal: () => textOf(directory),
    async close() {
      form.dispose();
      // A request that followed a bid may still be running.
      await balances.refresh();
      await close(desk);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Names of a folder's files and folders, with their contents. */
function textOf(directory: string): string {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return entry.isFile() ? `${path}\n${readFileSync(path, "latin1")}` : path;
    })
    .join("\n");
}
