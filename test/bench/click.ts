import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { specPaths } from "../../src/exchange/paths.ts";
import { encodeOrder } from "../../src/exchange/wire/account.ts";
import { testBid } from "../support/builders/client.ts";
import { bid, close, liveAt, openTestDesk, readAll, unattended } from "../support/desks/testDesk.ts";
import { waitFor } from "../support/waitFor.ts";
import { against, ratioFigure, type Figure } from "./measure.ts";
import { post } from "./post.ts";
import { startServer } from "./servers.ts";

/** No person reads a confirmation faster. Opening a connection takes three round trips. */
const READING_MS = 250;
const MAX_RATIO = 1.3;

/**
 * From the click on the confirmation to the outcome, including the claim of the draft and the record on the disk,
 * over TLS with a round trip of 40 ms. The floor is a POST of the same bytes on an open connection.
 */
export async function clickFigure(): Promise<Figure> {
  const server = await startServer("test/bench/distantServer.ts");
  const defaults = getCACertificates("default");
  const { baseUrl = "", authority = "" } = server.hello;
  setDefaultCACertificates([...defaults, authority]);
  const directory = mkdtempSync(join(tmpdir(), "bidside-bench-"));
  const agent = new Agent({ keepAlive: true });
  let question: ((yes: boolean) => void) | undefined;
  const desk = await openTestDesk({
    ...liveAt(baseUrl),
    storage: directory,
    window: unattended,
    ask: {
      confirmBeyond: () => Promise.resolve(true),
      confirm: () => new Promise((resolve) => (question = resolve)),
    },
  });
  try {
    await readAll(desk);
    const body = encodeOrder(testBid());
    const headers = { "Content-Type": "application/json", "Content-Length": body.length };
    const result = await against(
      {
        before: async () => {
          await readAll(desk);
          question = undefined;
          const outcome = bid(desk, "1000");
          const click = await waitFor("the question", () => question);
          await new Promise((resolve) => setTimeout(resolve, READING_MS));
          return { outcome, click };
        },
        run: async ({ outcome, click }) => {
          click(true);
          const { kind } = await outcome;
          if (kind !== "accepted") throw new Error(`The bid ended as ${kind}.`);
        },
      },
      () => post(baseUrl + specPaths.placeBid, body, { headers, agent }),
      { rounds: 40, times: 1, pauseMs: READING_MS },
    );
    return ratioFigure(
      "click to outcome, TLS, 40 ms of round trip, recorded on the disk (floor: POST on one kept connection)",
      result,
      MAX_RATIO,
    );
  } finally {
    agent.destroy();
    await close(desk);
    setDefaultCACertificates(defaults);
    rmSync(directory, { recursive: true, force: true });
    await server.stop();
  }
}
