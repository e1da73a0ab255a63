import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { VenueOpening } from "../../src/desk/venue.ts";
import type { Account } from "../../src/market/account.ts";
import { pairOf, testProfile } from "../support/builders/client.ts";
import { close as closeDesk, openTestDesk, readAll, submit } from "../support/desks/testDesk.ts";
import { serveHttp, type Answer, type LoopbackServer } from "../support/servers/loopback.ts";
import { safetyLine } from "./safetyLine.ts";
import { unsyncedSystem } from "../support/fakes/operatingSystem.ts";
import { byKind, accountOfKind } from "../support/fakes/venue.ts";

const VENUES = ["practice", "live"] as const;
const NAMES: Record<Account["kind"], string> = { practice: "Practice", live: "the live exchange" };
/** Sequences for one pair of servers: a test server stops by itself after a minute. */
const A_PAIR = 100;

const venueId = fc.constantFrom(...VENUES);
/** An act of a person, or a change of the settings file. `during`: venues selected while the question is open. */
const step = fc.oneof(
  fc.record({ kind: fc.constant("select" as const), id: venueId, waits: fc.boolean() }),
  fc.record({ kind: fc.constant("refresh" as const), waits: fc.boolean() }),
  fc.record({
    kind: fc.constant("bid" as const),
    during: fc.array(venueId, { maxLength: 2 }),
    waits: fc.boolean(),
  }),
);

const answer: Answer = ({ method, path }, response) => {
  const result = path.endsWith("/servertime")
    ? String(Math.floor(Date.now() / 1000))
    : path.endsWith("/ticker")
      ? '{"THB_BTC":{"id":1,"last":100}}'
      : '{"THB":1000000}';
  const body = method === "POST" ? '{"error":0}' : `{"error":0,"result":${result}}`;
  response.writeHead(200, { "Content-Type": "application/json", Connection: "close" }).end(body);
};

describe("practice and live", () => {
  let servers: Record<Account["kind"], LoopbackServer>;
  let folder: string;

  async function open(): Promise<void> {
    servers = { practice: await serveHttp(answer), live: await serveHttp(answer) };
  }
  async function close(): Promise<void> {
    await Promise.all(VENUES.map((id) => servers[id].close()));
  }
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "venues-"));
    await open();
  });
  afterEach(async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  });

  safetyLine(
    9,
    "No key and no bid for one venue reaches the other, in any sequence of switches",
    async (proof) => {
      const counts = { sequences: 0, requests: 0, signed: 0, practice: 0, live: 0, stopped: 0 };
      await proof.property(
        1000,
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
          if ((counts.sequences += 1) % A_PAIR === 0) {
            await close();
            await open();
          }
          for (const id of VENUES) servers[id].seen.length = 0;
          /** Amounts of the bids confirmed for a venue: each bid has its own. */
          const confirmed: Record<Account["kind"], string[]> = { practice: [], live: [] };
          let amount = 1000;
          let during: readonly Account["kind"][] = [];
          const opening = async (id: Account["kind"]): Promise<VenueOpening> => ({
            name: NAMES[id],
            profile: testProfile(servers[id].url, { walletMethod: "GET" }),
            credentials: () => Promise.resolve(pairOf(`${id}-key`, `${id}-secret`)),
            addressMayChange: id === "practice",
          });
          const desk = await openTestDesk({
            storage: join(folder, String(counts.sequences)),
            os: unsyncedSystem,
            openVenue: byKind({ practice: () => opening("practice"), live: () => opening("live") }),
            ask: {
              confirmBeyond: () => Promise.resolve(true),
              confirm: async ({ order: bid, venue: asked }) => {
                assert.equal(asked.name, NAMES[asked.account.kind], "the question names the venue");
                confirmed[asked.account.kind].push(bid.amount.toFixed());
                for (const id of during) await venue.select(accountOfKind[id]);
                return true;
              },
            },
          });
          const { venue } = desk;
          const act = async (each: (typeof steps)[number]): Promise<void> => {
            if (each.kind === "select") return await venue.select(accountOfKind[each.id]);
            if (each.kind === "refresh") {
              return await desk.refresh();
            }
            ({ during } = each);
            // A person sees the prices of the venue that the draft is for.
            await desk.tickers.refresh();
            const draft = { symbol: "THB_BTC", amount: String((amount += 1)), rate: "100" };
            const { kind } = await submit(desk, draft);
            if (kind !== "accepted") counts.stopped += 1;
          };
          const all: Promise<void>[] = [];
          for (const each of steps) {
            const done = act(each);
            all.push(done);
            if (each.waits) await done;
          }
          await Promise.all(all);
          await readAll(desk);
          await closeDesk(desk);

          for (const id of VENUES) {
            for (const { method, headers, body } of servers[id].seen) {
              counts.requests += 1;
              const key = headers["x-svc-apikey"];
              if (key !== undefined) counts.signed += 1;
              assert.ok(key === undefined || key === `${id}-key`, `${id} was sent ${String(key)}`);
              if (method !== "POST") continue;
              counts[id] += 1;
              const sent = String((JSON.parse(body.toString()) as { amt: number }).amt);
              assert.ok(confirmed[id].includes(sent), `${id} was sent a bid confirmed for the other`);
            }
          }
        }),
      );
      const { sequences, requests, signed, practice, live, stopped } = counts;
      // A run with few requests would prove little.
      if (sequences >= 100) assert.ok(Math.min(practice, live, stopped) > 5, JSON.stringify(counts));
      return (
        `${sequences} switching sequences, ${requests} requests, ${signed} of them signed: 0 keys sent to the other; ` +
        `${practice} bids to practice and ${live} to live, each to the exchange it was confirmed for; ${stopped} stopped`
      );
    },
  );
});
