import assert from "node:assert/strict";
import { Disposable } from "../../../src/desk/disposable.ts";

class Owner extends Disposable {
  readonly released: string[] = [];

  own(name: string): void {
    this.register({ dispose: () => this.released.push(name) }, () => this.released.push(`end of ${name}`));
  }
}

describe("an object that owns others", () => {
  it("releases each of them once, in the order of registration", () => {
    const owner: Owner = new Owner(() => owner.released.push("given"));
    owner.own("first");
    owner.own("second");
    assert.deepEqual(owner.released, []);
    owner.dispose();
    owner.dispose();
    assert.deepEqual(owner.released, ["given", "first", "end of first", "second", "end of second"]);
  });

  it("releases at once an object that is registered after the end", () => {
    const owner = new Owner();
    owner.dispose();
    owner.own("late");
    assert.deepEqual(owner.released, ["late", "end of late"]);
  });
});
