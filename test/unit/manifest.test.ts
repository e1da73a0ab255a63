import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import * as contributions from "../../src/contributions.ts";
import { specPaths } from "../../src/exchange/profile.ts";
import { bundlePath, makeBundle } from "../support/l10nBundle.ts";

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
  readonly activationEvents: readonly string[];
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly viewsContainers: { readonly activitybar: readonly { id: string; icon: string }[] };
    readonly views: Readonly<
      Record<string, readonly { id: string; icon: string; contextualTitle: string }[]>
    >;
    readonly viewsWelcome: readonly { view: string; when?: string }[];
    readonly commands: readonly { command: string; category: string }[];
    readonly menus: Readonly<Record<string, readonly { command: string; when: string; group: string }[]>>;
    readonly configuration: readonly { properties: Readonly<Record<string, Property>> }[];
    readonly walkthroughs: readonly {
      steps: readonly { media: { markdown: string }; completionEvents: readonly string[] }[];
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

const commandIds = [
  ...Object.values(contributions.commandIds),
  ...Object.values(contributions.orderCommandIds),
  ...Object.values(contributions.alertCommandIds),
];
const viewIds: readonly string[] = Object.values(contributions.viewIds);

describe("the manifest", () => {
  it("contributes exactly the ids the code knows", () => {
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
    for (const type of Object.values(contributions.panelTypes)) {
      assert.ok(manifest.activationEvents.includes(`onWebviewPanel:${type}`));
    }
  });

  it("keeps every setting that steers signed traffic out of a workspace's reach", () => {
    const steering = Object.entries(properties).filter(([key]) => /^bidside\.(exchange|orders)\./.test(key));
    assert.equal(steering.length, 11);
    for (const [key, { scope }] of steering) assert.equal(scope, "application", key);
  });

  it("describes and orders every setting, and every choice of it", () => {
    for (const [key, property] of Object.entries(properties)) {
      assert.ok(property.markdownDescription, key);
      assert.equal(typeof property.order, "number", key);
      assert.equal(property.markdownEnumDescriptions?.length, property.enum?.length, key);
    }
  });

  it("starts from the paths of the specification", () => {
    assert.deepEqual(properties[contributions.settingKeys.paths]?.default, specPaths);
  });

  it("refers to rows, context keys, views and commands that exist", () => {
    const rows = new Set<string>([
      ...Object.values(contributions.rowContexts),
      ...Object.values(contributions.orderContexts),
      ...Object.values(contributions.alertContexts),
    ]);
    for (const [menu, entries] of Object.entries(contributes.menus)) {
      for (const { command, when } of entries) {
        assert.ok(
          commandIds.some((id) => id === command),
          command,
        );
        if (menu === "commandPalette") continue;
        assert.ok(viewIds.includes(/view == ([\w.]+)/.exec(when)?.[1] ?? ""), when);
        const row = /viewItem == (\w+)/.exec(when)?.[1];
        if (row !== undefined) assert.ok(rows.has(row), row);
      }
    }
    for (const { view, when } of contributes.viewsWelcome) {
      assert.ok(viewIds.includes(view), view);
      if (when !== undefined)
        assert.ok(when.startsWith(`${contributions.contextKeys.marketsState} == `), when);
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
      walkthrough.steps.map(({ media }) => media.markdown),
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

  it("is typed against the oldest editor it runs in", () => {
    assert.equal(manifest.engines.vscode, `^${manifest.devDependencies["@types/vscode"]}`);
  });
});

describe("the translation bundle", () => {
  it("holds every sentence of the interface; `npm run l10n` writes it", async () => {
    assert.equal(text("l10n/bundle.l10n.json"), await makeBundle());
    assert.ok(existsSync(bundlePath));
  });
});
