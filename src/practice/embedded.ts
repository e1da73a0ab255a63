import { get } from "node:http";
import { join } from "node:path";
import { Exchange, type EventLog } from "./account/exchange.ts";
import type { Timers } from "../time/timers.ts";
import { claimDirectory, type Probe } from "./directoryLock.ts";
import { practiceProfile, type PracticeProfile } from "./http/profile.ts";
import { resetAccount } from "./http/resetAccount.ts";
import { PROCESS_HEADER, startPractice, type PracticeExchange } from "./http/server.ts";
import { HEADER_PREFIX, type PracticeCredentials } from "./http/signatureCheck.ts";
import type { Api } from "./http/routes.ts";
import { createMarket, DEFAULT_SEED, type Market } from "./market/market.ts";
import { loadOrCreateKeyPair, readKeyPair } from "./keyPair.ts";

/** A log that this module opens and closes. */
interface OwnedLog extends EventLog {
  /** Damaged lines found when the log was opened. */
  readonly skippedLines: readonly unknown[];
  close(): void;
}

export interface EmbeddedOptions {
  /** The folder of the account, shared by all windows. */
  readonly directory: string;
  /** The exchange's clock, ms. */
  readonly now: () => number;
  /** For waiting until a process has started or ended. */
  readonly timers: Timers;
  readonly openLog: (path: string) => OwnedLog;
  /** Default: the market of the default seed. */
  readonly market?: Market;
  readonly port?: number;
  readonly api?: Api;
}

/** The directory's exchange, whichever process serves it. If that process exits, open it again. */
export interface EmbeddedPractice extends Pick<PracticeExchange, "baseUrl" | "headerPrefix" | "close"> {
  readonly profile: PracticeProfile;
  /** The directory's key pair, shared by all processes that serve or join it. */
  readonly credentials: PracticeCredentials;
  /** The serving process, if it is not this one; `close` then does nothing. */
  readonly servedBy: number | undefined;
  /** Number of damaged ledger lines that were skipped. */
  readonly skippedLines: number;
  /** Resets the account, whichever process serves it. Rejects if that process cannot be reached or refuses. */
  reset(): Promise<void>;
}

const PROBE_TIMEOUT_MS = 2000;

/**
 * Serves the practice exchange of a directory, or joins the process that does. Rejects if the ledger cannot be opened, the
 * port is in use, or the serving process does not respond.
 */
export async function openPractice(options: EmbeddedOptions): Promise<EmbeddedPractice> {
  const { now, port, api = "spec", market } = options;
  const claim = await claimDirectory(options.directory, probe, options.timers);
  if (claim.kind === "joined") {
    const credentials = readKeyPair(options.directory);
    if (!credentials) throw new Error(`The key pair in ${options.directory} cannot be read.`);
    const baseUrl = `http://127.0.0.1:${claim.port}`;
    return {
      credentials,
      baseUrl,
      headerPrefix: HEADER_PREFIX,
      profile: practiceProfile(baseUrl, api),
      servedBy: claim.pid,
      skippedLines: 0,
      reset: () => resetAccount({ baseUrl, credentials, now }),
      close: () => Promise.resolve(),
    };
  }
  let log: OwnedLog | undefined;
  let exchange: PracticeExchange | undefined;
  const close = once(async () => {
    await exchange?.close();
    log?.close();
    claim.release();
  });
  try {
    log = options.openLog(join(options.directory, "ledger.log"));
    const credentials = loadOrCreateKeyPair(options.directory);
    const account = new Exchange(market ?? createMarket(DEFAULT_SEED), log);
    exchange = await startPractice({ now, credentials, account, api, ...(port !== undefined && { port }) });
    const { baseUrl } = exchange;
    claim.publish(Number(new URL(baseUrl).port));
    return {
      baseUrl,
      headerPrefix: exchange.headerPrefix,
      profile: practiceProfile(baseUrl, api),
      credentials,
      servedBy: undefined,
      skippedLines: log.skippedLines.length,
      reset: () => resetAccount({ baseUrl, credentials, now }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A second close must not release a lock that another process has acquired since. */
function once(action: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined;
  return () => (result ??= action());
}

const probe: Probe = (port, pid) =>
  new Promise((resolve) => {
    const request = get(`http://127.0.0.1:${port}/api/servertime`, { timeout: PROBE_TIMEOUT_MS });
    request.on("response", (response) => {
      response.resume();
      resolve(response.headers[PROCESS_HEADER.toLowerCase()] === String(pid) ? "serving" : "gone");
    });
    request.on("timeout", () => {
      resolve("silent");
      request.destroy();
    });
    request.on("error", (error) => {
      const code = "code" in error ? String(error.code) : "";
      // Nothing listens on the port, or what does is not an HTTP server.
      resolve(code === "ECONNREFUSED" || code.startsWith("HPE_") ? "gone" : "silent");
    });
  });
