import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { capabilityNames, endpointNames, endpoints, factsOf } from "../../../src/exchange/endpoints.ts";
import { sharedPathOf } from "../../../src/exchange/paths.ts";
import { routesOf } from "../../../src/practice/http/routes.ts";

describe("the table of endpoints", () => {
  it("has no read that changes the account, and no change that is not a signed POST", () => {
    for (const name of endpointNames) {
      const { effect, read, access, routes } = factsOf(name);
      if (effect === undefined) continue;
      assert.deepEqual([read, access], [undefined, "signed"], name);
      assert.ok(routes.every((route) => route.startsWith("POST ")));
    }
  });

  it("has a path of its own for each endpoint", () => {
    const paths = endpointNames.flatMap((endpoint) =>
      endpoints[endpoint].routes.map((route) => ({ endpoint, path: route.replace(/^\w+ /, "") })),
    );
    assert.equal(sharedPathOf(paths), undefined);
  });

  it("has every route of the practice exchange, which serves every endpoint", () => {
    const served = Object.values(routesOf).flatMap((routes) =>
      [...routes].flatMap(([path, { endpoint, methods }]) =>
        methods.map((method) => ({ endpoint, route: `${method} ${path}` })),
      ),
    );
    const ofFamily = served.flatMap(({ endpoint, route }) =>
      endpoint === "reset" ? [] : [{ endpoint, route }],
    );
    for (const { endpoint, route } of ofFamily)
      assert.ok(
        factsOf(endpoint).routes.some((each) => each === route),
        `${endpoint}: ${route}`,
      );
    assert.deepEqual(
      endpointNames.filter((name) => !ofFamily.some(({ endpoint }) => endpoint === name)),
      ["privateStream"],
    );
  });

  it("has the capabilities that the documentation explains, signed or public", () => {
    const page = readFileSync(new URL("../../../docs/adding-an-exchange.md", import.meta.url), "utf8");
    const documented = new Map(
      page.split("\n").flatMap((line) => {
        const [, names = "", , request = ""] = line.split("|");
        const access = request.match(/signed|public/g) ?? [];
        return [...names.matchAll(/`(\w+)`/g)].map(
          ([, name], at) => [name, access[at] ?? access[0]] as const,
        );
      }),
    );
    for (const name of capabilityNames) assert.equal(documented.get(name), factsOf(name).access, name);
  });
});
