import assert from "node:assert/strict";
import crypto from "node:crypto";
import { readFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import fc from "fast-check";
import type { Frame } from "playwright-core";
import type { Uri, Webview } from "vscode";
import { defaultRules } from "../../src/market/order.ts";
import { startProxiedPractice, type ProxiedPractice } from "../support/servers/proxiedPractice.ts";
import { root } from "../../tools/paths.ts";
import { Workbench } from "../journeys/support/workbench.ts";
import { chosenAccount } from "../support/builders/account.ts";
import { formDraft } from "../support/builders/formDraft.ts";
import { hostileMessage, markup } from "../support/builders/hostileMessages.ts";
import { loadUi } from "../support/fakes/vscode.ts";
import { serveExchange } from "../support/servers/exchange.ts";
import { answerOf } from "../support/servers/loopback.ts";
import { waitFor } from "../support/waitFor.ts";
import { safetyLine } from "./safetyLine.ts";

const pair = { apiKey: "hostile-key", apiSecret: "hostile-secret" };
const MESSAGES_AT_ONCE = 250;
/** Time for the host to read all messages and for the test to decline the questions, on a busy computer. */
const READ_ALL_MS = 120_000;

/** Globals that the test puts into the form's page. */
interface PageGlobals {
  stolenApi: { postMessage(message: unknown): void };
  violations: number;
}

/** Keeps the page's connection to the host, which an injected script would have too. */
function stealApi(): void {
  let given: (() => unknown) | undefined;
  Object.defineProperty(globalThis, "acquireVsCodeApi", {
    configurable: true,
    get: () =>
      given && ((): unknown => ((globalThis as unknown as { stolenApi: unknown }).stolenApi ??= given?.())),
    set: (acquire: () => unknown) => {
      given = acquire;
    },
  });
}

describe("a hostile page", () => {
  let workbench: Workbench;
  let exchange: ProxiedPractice;
  let name: string;
  let scriptsRun = 0;

  before(async () => {
    exchange = await startProxiedPractice({ credentials: pair, now: Date.now });
    name = new URL(exchange.baseUrl).host;
    workbench = await Workbench.open("dark", { initScript: stealApi });
    await workbench.page.exposeFunction("ran", () => (scriptsRun += 1));
    await workbench.goLive(exchange.baseUrl, pair);
    await workbench.balance.filter({ hasText: "Live 1,000,000 THB" }).waitFor();
    await openForm();
  });
  after(async () => {
    await workbench.close();
    await exchange.close();
  });

  async function openForm(): Promise<void> {
    await workbench.openTicket();
  }

  async function formFrame(): Promise<Frame> {
    const frame = await (await workbench.form.locator("#form").elementHandle())?.ownerFrame();
    return frame ?? assert.fail("The form is not open.");
  }

  /** Declines each question except the wanted one. */
  async function decline(questions: { asked: number }, wanted?: string): Promise<void> {
    while (await workbench.modal.isVisible()) {
      const text = await workbench.modal.innerText();
      if (wanted !== undefined && text.includes(wanted)) return;
      questions.asked += 1;
      await workbench.answerModal("Cancel");
      await waitFor("the next question, if there is one", async () => {
        const next = workbench.modal;
        return !(await next.isVisible()) || (await next.innerText()) !== text;
      });
    }
  }

  /** Posts messages as a script in the form's page would. */
  async function post(frame: Frame, messages: readonly unknown[]): Promise<void> {
    await frame.evaluate((json) => {
      const { postMessage: send } = (globalThis as unknown as PageGlobals).stolenApi;
      for (const message of JSON.parse(json) as unknown[]) send(message);
    }, JSON.stringify(messages));
  }

  safetyLine(23, "No message of a page becomes an order without the native question", async (proof) => {
    await workbench.draft({ symbol: "THB_BTC" });
    await workbench.form.locator("#use-best-ask").click();
    const rate = await workbench.figure("rate");
    const questions = { asked: 0 };
    const account = chosenAccount(dirname(workbench.journalFolder)) ?? assert.fail("no account");
    const frame = await formFrame();
    const rounds = await proof.each(10_000 / MESSAGES_AT_ONCE, async ({ seed }) => {
      await post(frame, fc.sample(hostileMessage(rate, account), { seed, numRuns: MESSAGES_AT_ONCE }));
      await decline(questions);
    });

    // One more message of the same kind, whose question shows that the host has read all other messages.
    const id = "0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d";
    const draft = formDraft({ id, symbol: "THB_BTC", amount: "777", rate }, account);
    const wanted = "for 777.00 THB on";
    const question = workbench.modal.filter({ hasText: wanted });
    const isAsked = (): Promise<boolean> =>
      question.waitFor({ timeout: 2000 }).then(
        () => true,
        () => false,
      );
    await waitFor(
      "the question of the last message",
      async () => {
        await decline(questions, wanted);
        await post(frame, [{ type: "submit", draft }]);
        return await isAsked();
      },
      READ_ALL_MS,
    );
    assert.equal(exchange.requests.placeBid, 0, "orders that nobody confirmed");
    assert.equal(await workbench.orders.count(), 0);
    assert.equal(scriptsRun, 0);
    assert.ok(questions.asked > 0, "the page got as far as the question");

    // After a person's yes the message becomes an order: only the question stopped it.
    await workbench.answerModal("Buy");
    await workbench.outcome(`${name} accepted your order: 777.00 THB`);
    assert.equal(exchange.requests.placeBid, 1);
    return `${rounds * MESSAGES_AT_ONCE} hostile messages in a real editor: ${questions.asked} questions, 0 orders without one, 0 scripts run`;
  });

  safetyLine(
    23,
    "Markup of a service is shown as text everywhere, and the policy would refuse its scripts",
    async () => {
      const named = <Value>(names: readonly string[], value: Value) =>
        JSON.stringify({ error: 0, result: Object.fromEntries(names.map((name) => [name, value])) });
      const symbols = ["BTC", ...markup].map((base) => `THB_${base}`);
      const service = await serveExchange({
        tickers: answerOf(200, named(symbols, { id: 1, last: 100, percentChange: 1, isFrozen: 0 })),
        wallet: answerOf(200, named(["THB", ...markup], 1_000_000)),
      });
      try {
        await workbench.goLive(service.url, pair);
        // The page of the set-up covered the form, whose page was loaded again.
        await openForm();
        const frame = await formFrame();
        const body = frame.locator("body");
        await body.evaluate(({ ownerDocument }) => {
          const page = globalThis as unknown as PageGlobals;
          page.violations = 0;
          ownerDocument.addEventListener("securitypolicyviolation", () => (page.violations += 1));
        });
        const violations = (): Promise<number> =>
          frame.evaluate(() => (globalThis as unknown as PageGlobals).violations);
        let [tried, shown] = [0, 0];
        await workbench.message.filter({ hasText: `could not be read: ${markup.length}` }).waitFor();
        await workbench.draft({ symbol: "THB_BTC", rate: "100" });
        for (const text of markup) {
          const message = `Trading is closed ${text}`;
          const answers = [
            { status: 200, body: { error: 18, message } },
            { status: 200, body: { error: text, message } },
            { status: 400, body: { code: text, message } },
            { status: 200, body: { error: 0, result: { id: text } } },
          ];
          const { status: code, body: answer } = answers[tried++ % answers.length] ?? assert.fail();
          service.answers.placeBid = answerOf(code, JSON.stringify(answer));
          const before = service.seenOf("placeBid").length;
          await workbench.draft({ amount: "100" });
          await workbench.submit();
          await workbench.answerModal("Buy");
          await waitFor("the bid to arrive", () => service.seenOf("placeBid").length > before);
          await workbench.form.locator("#submit:enabled").waitFor();
          const status = await workbench.form.locator("#status").innerText();
          assert.ok(status.length > 0);
          if (status.includes("Trading is closed")) shown += 1;
          await workbench.orders.first().hover();
        }
        assert.ok(shown > 0, "the service's own words are shown, as text");
        const strange = await Promise.all(
          workbench.page
            .frames()
            .map((each) => each.locator('img[src="x"], svg[onload], a[href^="javascript:"]').count()),
        );
        assert.equal(
          strange.reduce((sum, count) => sum + count, 0),
          0,
          "elements made of text",
        );
        assert.equal(await violations(), 0, "no script tried to run");
        // If the markup were inserted as HTML, the policy would refuse its scripts.
        await body.evaluate((element, texts) => {
          for (const text of texts) element.insertAdjacentHTML("beforeend", text);
          const script = element.ownerDocument.createElement("script");
          script.text = "ran()";
          element.append(script);
        }, markup);
        await waitFor("the policy to refuse the script", async () => (await violations()) > 0);
        const reached = await frame.evaluate((url) => fetch(url).then(String, () => "refused"), service.url);
        assert.equal(reached, "refused");
        assert.equal(scriptsRun, 0);
        return `${markup.length} pieces of markup in symbols, assets, codes, ids and messages: 0 scripts run, ${await violations()} inserted scripts refused by the policy`;
      } finally {
        await service.close();
      }
    },
  );

  it("is opened with a policy that allows only the page's own parts, and a new nonce each time", async () => {
    const policies: string[] = [];
    for (let opening = 0; opening < 2; opening++) {
      await openForm();
      const policy = workbench.form.locator("meta[http-equiv=Content-Security-Policy]");
      policies.push((await policy.getAttribute("content")) ?? "");
      await workbench.closeTicket();
      await workbench.page.locator("iframe.webview.ready").waitFor({ state: "detached" });
    }
    const nonces = policies.map((policy) => {
      const directives = policy.split(";").map((directive) => directive.trim());
      assert.deepEqual(
        directives.map((directive) => directive.split(" ", 1)[0]),
        ["default-src", "style-src", "img-src", "font-src", "script-src"],
      );
      assert.equal(directives[0], "default-src 'none'");
      assert.doesNotMatch(policy, /unsafe|\*(?!\.)/);
      return /script-src 'nonce-([A-Za-z0-9+/]{22}==)'$/.exec(policy)?.[1] ?? assert.fail(policy);
    });
    assert.notEqual(nonces[0], nonces[1]);
  });
});

describe("the page of the bid form", () => {
  it("has a nonce from crypto.randomBytes, and every script that runs has that nonce", async () => {
    const { ticketHtml } = await loadUi(() => import("../../src/ui/ticket/ticketHtml.ts"));
    const { randomBytes } = crypto;
    const given: string[] = [];
    Object.assign(crypto, {
      randomBytes: (size: number) => {
        const bytes = randomBytes(size);
        given.push(bytes.toString("base64"));
        return bytes;
      },
    });
    syncBuiltinESMExports();
    try {
      const webview = { cspSource: "https://page.invalid", asWebviewUri: String } as unknown as Webview;
      const page = await ticketHtml(webview, { fsPath: root } as Uri, defaultRules);
      const [nonce = assert.fail()] = given;
      assert.equal(given.length, 1);
      assert.equal(Buffer.from(nonce, "base64").length, 16);
      assert.ok(page.includes(`script-src &#39;nonce-${nonce}&#39;`));
      const scripts = [...page.matchAll(/<script ([^>]*)>/g)].map((match) => match[1] ?? "");
      assert.equal(scripts.length, 2);
      assert.match(scripts[0] ?? "", /^type="application\/json" id="setup"$/);
      assert.ok(scripts[1]?.startsWith(`nonce="${nonce}" src="`));
      assert.doesNotMatch(page, /\{\{|\son\w+=/);
      const template = readFileSync(join(root, "src/webview/ticket/page.html"), "utf8");
      assert.equal(
        [...template.matchAll(/nonce/g)].length,
        2,
        "the script tag has the only nonce of the template",
      );
    } finally {
      Object.assign(crypto, { randomBytes });
      syncBuiltinESMExports();
    }
  });
});
