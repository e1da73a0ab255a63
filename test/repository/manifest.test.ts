import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import * as z from "zod/mini";
import { accessLevels, allows, type ToolName, toolNames } from "../../src/assistant/access.ts";
import { inputs } from "../../src/assistant/inputs.ts";
import * as contributions from "../../src/contributions.ts";
import { featuresSchema, pathsSchema } from "../../src/exchange/features.ts";
import { profileFileSchema } from "../../src/exchange/profileFile.ts";
import { defaultLimits } from "../../src/market/order.ts";
import { bundlePath, makeBundle } from "../../tools/l10nBundle.ts";

const root = new URL("../../", import.meta.url);
const text = (name: string): string => readFileSync(new URL(name, root), "utf8");

interface Property {
  readonly scope?: string;
  readonly default?: unknown;
  readonly markdownDescription?: string;
  readonly order?: number;
  readonly enum?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
}

interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly engines: { readonly vscode: string };
  readonly icon: string;
  readonly keywords: readonly string[];
  readonly activationEvents: readonly string[];
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly viewsContainers: { readonly activitybar: readonly { id: string; icon: string }[] };
    readonly views: Readonly<
      Record<string, readonly { id: string; icon: string; contextualTitle: string }[]>
    >;
    readonly viewsWelcome: readonly { view: string; when?: string }[];
    readonly commands: readonly { command: string; category: string; enablement?: string }[];
    readonly menus: Readonly<Record<string, readonly { command: string; when: string; group: string }[]>>;
    readonly keybindings: readonly {
      command: string;
      key: string;
      mac?: string;
      linux?: string;
      win?: string;
      when?: string;
    }[];
    readonly colors: readonly { id: string; defaults: Readonly<Record<string, string>> }[];
    readonly configuration: readonly { properties: Readonly<Record<string, Property>> }[];
    readonly jsonValidation: readonly { readonly fileMatch: string; readonly url: string }[];
    readonly languageModelTools: readonly {
      readonly name: string;
      readonly inputSchema: SchemaPart;
      readonly when: string;
    }[];
    readonly mcpServerDefinitionProviders: readonly { readonly id: string }[];
    readonly walkthroughs: readonly {
      steps: readonly {
        media: { image: Readonly<Record<string, string>>; altText: string };
        completionEvents: readonly string[];
      }[];
    }[];
  };
}

const manifest = JSON.parse(text("package.json")) as Manifest;
const strings = JSON.parse(text("package.nls.json")) as Record<string, string>;
const { contributes } = manifest;
const properties = Object.assign(
  {},
  ...contributes.configuration.map((section) => section.properties),
) as Record<string, Property>;

interface SchemaPart {
  readonly description?: unknown;
  readonly markdownDescription?: unknown;
  readonly properties?: Readonly<Record<string, SchemaPart>>;
}

const ONLY_SHOWN: ReadonlySet<string> = new Set([
  "description",
  "markdownDescription",
  "patternErrorMessage",
  "defaultSnippets",
]);

/** A JSON schema without what only an editor shows. */
function withoutTexts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutTexts);
  if (typeof schema !== "object" || schema === null) return schema;
  const rules = Object.entries(schema).filter(([key]) => !ONLY_SHOWN.has(key));
  return Object.fromEntries(rules.map(([key, part]) => [key, withoutTexts(part)]));
}

const commandIds: readonly string[] = Object.values(contributions.commandIds);
const contextKeys: readonly string[] = Object.values(contributions.contextKeys);
const viewIds: readonly string[] = Object.values(contributions.viewIds);

/** The menu entries of a row for its `contextValue`, or only its inline actions. */
function rowActions(row: string, view: string = contributions.viewIds.markets, inline = false): string[] {
  const entries = contributes.menus["view/item/context"] ?? [];
  return entries
    .filter(({ when, group }) => when.startsWith(`view == ${view} && `) && (!inline || group === "inline"))
    .filter(({ when }) => {
      const exactly = /viewItem == (\S+)/.exec(when)?.[1];
      const pattern = /viewItem =~ \/(\S+)\/(?: |$)/.exec(when)?.[1];
      return exactly === undefined ? new RegExp(pattern ?? "^$").test(row) : exactly === row;
    })
    .map(({ command }) => command)
    .sort();
}

/** Contrast of two `#rrggbb` colours as WCAG 2 measures it, 1 to 21. */
function contrast(a: string, b: string): number {
  const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe("the manifest", () => {
  it("contributes exactly the ids that the code knows", () => {
    assert.equal(`${manifest.publisher}.${manifest.name}`, contributions.extensionId);
    assert.deepEqual(
      contributes.viewsContainers.activitybar.map(({ id }) => id),
      [contributions.containerId],
    );
    assert.deepEqual(
      contributes.views[contributions.containerId]?.map(({ id }) => id),
      Object.values(contributions.viewIds),
    );
    assert.deepEqual(contributes.commands.map(({ command }) => command).sort(), [...commandIds].sort());
    assert.deepEqual(Object.keys(properties).sort(), Object.values(contributions.settingKeys).sort());
    for (const type of [...Object.values(contributions.panelTypes), contributions.portfolioPanelType]) {
      assert.ok(manifest.activationEvents.includes(`onWebviewPanel:${type}`));
    }
  });

  it("calls each command of a row with its row: no title of a view has one", () => {
    const idsOf = (menu: string): Set<string> =>
      new Set((contributes.menus[menu] ?? []).map(({ command }) => command));
    const inTitles = idsOf("view/title");
    // These two ask, or open the journal's folder, if they get no row.
    const { addAlert, revealJournal, previewChart } = contributions.commandIds;
    const ofRows = [...idsOf("view/item/context")].filter((id) => id !== addAlert && id !== revealJournal);
    assert.deepEqual(
      [...ofRows, previewChart].sort(),
      commandIds.filter((id) => contributions.rowCommands.has(id.slice("bidside.".length))).sort(),
    );
    for (const id of ofRows) assert.ok(!inTitles.has(id), id);
  });

  it("describes and orders every setting and every choice of a setting", () => {
    for (const [key, property] of Object.entries(properties)) {
      assert.ok(property.markdownDescription, key);
      assert.equal(typeof property.order, "number", key);
      assert.equal(property.markdownEnumDescriptions?.length, property.enum?.length, key);
    }
  });

  it("has a schema of an account's document that describes all its parts, and is exactly that of the code", () => {
    const { $schema: _, ...schema } = JSON.parse(text("schemas/profile.json")) as SchemaPart & {
      $schema: string;
    };
    const whole = z.extend(profileFileSchema, {
      paths: z.optional(pathsSchema),
      features: z.optional(featuresSchema),
    });
    const { $schema: __, ...read } = z.toJSONSchema(whole, { io: "input", target: "draft-7" });
    assert.deepEqual(withoutTexts(schema), read);
    const parts = Object.values(schema.properties ?? {});
    const { paths, features } = schema.properties ?? {};
    for (const part of [
      ...parts,
      ...[paths, features].flatMap((each) => Object.values(each?.properties ?? {})),
    ])
      assert.ok(part.description ?? part.markdownDescription, JSON.stringify(part));
    assert.deepEqual(
      contributes.jsonValidation.map(({ fileMatch, url }) => [fileMatch, url]),
      [[`${contributions.accountScheme}://accounts/*.json`, "./schemas/profile.json"]],
    );
  });

  it("has the limits of the code as defaults", () => {
    const { settingKeys } = contributions;
    const defaultOf = (key: string): unknown => properties[key]?.default;
    assert.equal(defaultOf(settingKeys.confirmAbovePercent), defaultLimits.confirmBeyondPercent.toNumber());
    assert.equal(defaultOf(settingKeys.refuseAbovePercent), defaultLimits.refuseBeyondPercent.toNumber());
    assert.equal(defaultOf(settingKeys.maximumPriceAgeSeconds), defaultLimits.maximumPriceAgeMs / 1000);
    assert.equal(defaultOf(settingKeys.maximumAmount), "");
    assert.equal(defaultLimits.maximumAmount, undefined);
  });

  it("refers to rows, context keys, views and commands that exist", () => {
    const rows = new Set<string>([
      ...Object.values(contributions.rowContexts),
      ...Object.values(contributions.orderContexts),
      ...Object.values(contributions.alertContexts),
      ...Object.values(contributions.walletContexts),
    ]);
    const marks: readonly string[] = Object.values(contributions.rowMarks);
    for (const [menu, entries] of Object.entries(contributes.menus)) {
      for (const { command, when } of entries) {
        assert.ok(commandIds.includes(command), command);
        if (menu === "commandPalette") continue;
        if (menu === "editor/title") {
          assert.equal(when, `activeWebviewPanelId == ${contributions.panelTypes.chart}`);
          continue;
        }
        assert.ok(viewIds.includes(/view == ([\w.]+)/.exec(when)?.[1] ?? ""), when);
        const row = /viewItem == (\w+)/.exec(when)?.[1];
        if (row !== undefined) assert.ok(rows.has(row), row);
        // Each alternative of a pattern is a part of a row.
        const [, pattern = ""] = /viewItem =~ \/(\S+)\/(?: |$)/.exec(when) ?? [];
        for (const [part] of pattern.matchAll(/[A-Za-z]+/g))
          assert.ok(
            [...rows, ...marks].some((each) => each.includes(part)),
            `${part} of ${when}`,
          );
      }
    }
    for (const { view, when } of contributes.viewsWelcome) {
      assert.ok(viewIds.includes(view), view);
      const key = /^([\w.]+) == \w+$/.exec(when ?? "")?.[1];
      if (when !== undefined) assert.ok(contextKeys.includes(key ?? ""), when);
    }
  });

  it("offers the chart and the watch lists for every row that has a pair", () => {
    const { viewIds: views, rowContexts, walletContexts, orderContexts, alertContexts } = contributions;
    const { sellable, frozen, pricedElsewhere } = walletContexts;
    const { openGroup: _, group: __, skippedLines: ___, ...orders } = orderContexts;
    const rows: readonly (readonly [string, readonly string[]])[] = [
      [views.markets, [rowContexts.pair, rowContexts.frozenPair]],
      [views.orders, Object.values(orders)],
      [views.alerts, Object.values(alertContexts)],
      [views.wallet, [sellable, frozen, pricedElsewhere]],
    ];
    for (const [view, contexts] of rows)
      for (const row of contexts) {
        const actions = rowActions(row, view);
        for (const name of ["openChart", "addToList"] as const)
          assert.ok(actions.includes(contributions.commandIds[name]), `${name} for ${row}`);
      }
  });

  it("offers the same for each row of a pair, favourite or pinned or neither", () => {
    const { star, unstar, moveUp, moveDown, pin, unpin } = contributions.commandIds;
    const marked: string[] = [star, unstar, moveUp, moveDown, pin, unpin];
    const { favourite, pinned } = contributions.rowMarks;
    for (const row of Object.values(contributions.rowContexts)) {
      const offered = ["", favourite, pinned, favourite + pinned].map((marks) =>
        rowActions(row + marks).filter((command) => !marked.includes(command)),
      );
      for (const each of offered) assert.deepEqual(each, offered[0], row);
    }
    assert.ok(rowActions("pair.favourite").includes(contributions.commandIds.placeBid));
    assert.ok(!rowActions("frozenPair").includes(contributions.commandIds.placeBid));
    assert.deepEqual(
      marked.filter((command) => rowActions("pair").includes(command)),
      [star, pin],
    );
    assert.deepEqual(
      marked.filter((command) => rowActions("frozenPair.favourite.pinned").includes(command)),
      [unstar, moveUp, moveDown, unpin],
    );
  });

  it("has at most one inline action in a row, so that its figures stay in view while it is selected", () => {
    const { markets, orders, alerts, wallet } = contributions.viewIds;
    const marks = ["", ...Object.values(contributions.rowMarks)];
    const rows = [
      ...Object.values(contributions.rowContexts).flatMap((row) =>
        marks.map((mark) => [markets, row + mark]),
      ),
      ...Object.values(contributions.orderContexts).map((row) => [orders, row]),
      ...Object.values(contributions.alertContexts).map((row) => [alerts, row]),
      ...Object.values(contributions.walletContexts).map((row) => [wallet, row]),
    ];
    const inline = rows.map(([view = "", row = ""]) => [row, rowActions(row, view, true)] as const);
    for (const [row, actions] of inline) assert.ok(actions.length <= 1, `${row}: ${actions.join(", ")}`);
    const { placeBid, cancelOrder, checkOrder, editAlert, sellAsset } = contributions.commandIds;
    const shown = new Set(inline.flatMap(([, actions]) => actions));
    for (const each of [placeBid, cancelOrder, checkOrder, editAlert, sellAsset])
      assert.ok(shown.has(each), each);
  });

  it("binds keys only inside the view that they are for, or to chords that the editor leaves free", () => {
    for (const { command, key, mac, when } of contributes.keybindings) {
      assert.ok(commandIds.includes(command), command);
      // The second part of a chord needs Ctrl, or a page's field with the focus would get its letter. The editor keeps
      // C, V and X with Ctrl for the page itself, and does not notice them.
      const letter = /^ctrl\+k ctrl\+shift\+([abd-uwyz])$/.exec(key)?.[1];
      if (letter !== undefined) {
        // In a terminal, Ctrl+K and Cmd+K are the shell's and the terminal's own.
        assert.deepEqual([mac, when], [`cmd+k cmd+shift+${letter}`, "!terminalFocus"]);
        continue;
      }
      const view = /^focusedView == ([\w.]+) && listFocus && !inputFocus$/.exec(when ?? "")?.[1] ?? "";
      assert.ok(viewIds.includes(view), when);
    }
  });

  it("binds each key once in a view on every platform, and only under a condition", () => {
    for (const platform of ["key", "linux", "mac", "win"] as const) {
      const bound = contributes.keybindings.map(
        (binding) =>
          `${binding[platform] ?? binding.key} ${/focusedView == \S+/.exec(binding.when ?? "")?.[0] ?? ""}`,
      );
      assert.deepEqual([...new Set(bound)], bound, platform);
    }
    for (const { command, when } of contributes.keybindings) assert.ok((when ?? "").trim() !== "", command);
  });

  it("binds keys to placing a bid, opening a chart, adding an alert, finding a pair, switching lists and hiding", () => {
    const bound = contributes.keybindings
      .filter(({ key }) => key.startsWith("ctrl+k "))
      .map(({ command }) => command);
    const { placeBid, openChart, addAlert, findPair, switchList, toggleHidden } = contributions.commandIds;
    assert.deepEqual(bound, [placeBid, openChart, addAlert, findPair, switchList, toggleHidden]);
  });

  it("offers to set and remove an API key on live only", () => {
    const { setCredentials, removeCredentials } = contributions.commandIds;
    for (const id of [setCredentials, removeCredentials]) {
      const { enablement } = contributes.commands.find(({ command }) => command === id) ?? {};
      assert.equal(enablement, contributions.contextKeys.isLive);
    }
  });

  it("gives up and down colours that are readable on every kind of theme", () => {
    const backgrounds = {
      dark: "#181818",
      light: "#f8f8f8",
      highContrast: "#000000",
      highContrastLight: "#ffffff",
    };
    assert.deepEqual(
      contributes.colors.map(({ id }) => id),
      Object.values(contributions.colorIds),
    );
    for (const { id, defaults } of contributes.colors) {
      assert.deepEqual(Object.keys(defaults), Object.keys(backgrounds));
      for (const [theme, background] of Object.entries(backgrounds)) {
        const least = theme.startsWith("high") ? 7 : 4.5;
        const found = contrast(defaults[theme] ?? "", background);
        assert.ok(found >= least, `${id} on ${theme}: ${found.toFixed(2)}`);
      }
    }
  });

  it("has a string for every reference, and a reference for every string", () => {
    const used = new Set([...text("package.json").matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]));
    assert.deepEqual([...used].sort(), Object.keys(strings).sort());
  });

  it("names files that exist", () => {
    const icons = Object.values(contributes.views)
      .flat()
      .map(({ icon }) => icon);
    const steps = contributes.walkthroughs.flatMap((walkthrough) =>
      walkthrough.steps.flatMap(({ media }) => Object.values(media.image)),
    );
    for (const name of [
      manifest.icon,
      ...contributes.viewsContainers.activitybar.map(({ icon }) => icon),
      ...icons,
      ...steps,
    ]) {
      assert.ok(existsSync(new URL(name, root)), name);
    }
  });

  it("shows a picture for each step of the walkthrough, in dark and in light", () => {
    for (const { media } of contributes.walkthroughs.flatMap(({ steps }) => steps)) {
      const { dark = "", light = "", hc, hcLight } = media.image;
      assert.match(dark, /-dark\.png$/);
      assert.equal(light, dark.replace("-dark", "-light"));
      assert.deepEqual([hc, hcLight], [dark, light]);
      for (const picture of [dark, light])
        assert.ok(statSync(new URL(picture, root)).size <= 400_000, `${picture} is too large`);
    }
  });

  it("is found by the words that people search for", () => {
    const searched = ["crypto", "bitcoin", "price", "watchlist", "alert"];
    assert.deepEqual(
      searched.filter((word) => !manifest.keywords.includes(word)),
      [],
    );
    assert.ok(manifest.keywords.length <= 30, "The packager takes 30.");
  });

  it("is typed against the oldest editor that Bidside supports", () => {
    assert.equal(manifest.engines.vscode, `^${manifest.devDependencies["@types/vscode"]}`);
  });
});

describe("the translation bundle", () => {
  it("has every sentence of the interface; `npm run l10n` writes the bundle", async () => {
    assert.equal(text("l10n/bundle.l10n.json"), await makeBundle());
    assert.ok(existsSync(bundlePath));
  });
});

describe("the tools for assistants in the manifest", () => {
  const tools = contributes.languageModelTools;

  it("are exactly those of the code", () => {
    assert.deepEqual(tools.map(({ name }) => name).sort(), [...toolNames].sort());
    assert.deepEqual(properties[contributions.settingKeys.assistantAccess]?.enum, accessLevels);
    assert.deepEqual(
      contributes.mcpServerDefinitionProviders.map(({ id }) => id),
      [contributions.mcpProviderId],
    );
  });

  for (const { name, inputSchema } of tools)
    it(`have the schema that the code reads the input by: ${name}`, () => {
      const { $schema: _, ...read } = z.toJSONSchema(inputs[name as ToolName], { io: "input" });
      assert.deepEqual(withoutTexts(inputSchema), withoutTexts(read));
    });

  it("describe every field of every input", () => {
    for (const { name, inputSchema } of tools)
      for (const field of fieldsIn(inputSchema))
        assert.ok(field.description, `${name}: ${JSON.stringify(field)}`);
  });

  it("are offered only within their level", () => {
    for (const { name, when } of tools)
      for (const level of accessLevels) {
        const isOffered = when
          .split(" || ")
          .some((part) => (part.includes("!=") ? !part.endsWith(`'${level}'`) : part.endsWith(`'${level}'`)));
        assert.equal(isOffered, allows(level, name as ToolName), `${name} ${level}`);
      }
  });
});

/** All fields of a schema, also those of objects within it. */
function fieldsIn(schema: SchemaPart): SchemaPart[] {
  return Object.values(schema.properties ?? {}).flatMap((field) => [field, ...fieldsIn(field)]);
}
