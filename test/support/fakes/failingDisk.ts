import { type OperatingSystem, thisSystem } from "../../../src/files/operatingSystem.ts";
import { systemWith } from "./operatingSystem.ts";

type Call = "mkdirSync" | "openSync" | "writeSync" | "fsyncSync";

/** A disk error to inject. */
export interface DiskFault {
  readonly call: Call;
  /** The error code of the call. */
  readonly code: string;
  /** Bytes that a write accepts before the next one fails; negative: counted from the end; default: none. */
  readonly takes?: number;
  /** Truncating the written bytes fails too. */
  readonly keeps?: true;
}

/** A disk that fails as configured when a file is written. */
export class FailingDisk {
  fault: DiskFault | undefined;
  /** Each write accepts at most this many bytes and returns their number, which is not a fault. */
  shortWrites: number | undefined;
  /** The number of failed calls. */
  failures = 0;
  /** How often truncating written bytes failed. */
  uncut = 0;
  readonly os: OperatingSystem;
  readonly #written = new Set<number>();

  constructor() {
    const { files } = thisSystem;
    this.os = systemWith({
      mkdirSync: (path, options) => {
        this.#try("mkdirSync");
        return files.mkdirSync(path, options);
      },
      openSync: (path, flags, mode) => {
        if (flags !== "r") this.#try("openSync");
        const fd = files.openSync(path, flags, mode);
        if (flags === "r") this.#written.delete(fd);
        else this.#written.add(fd);
        return fd;
      },
      writeSync: (fd, bytes, offset) => {
        const { fault, shortWrites = bytes.length } = this;
        const most = fault?.call === "writeSync" ? (fault.takes ?? 0) : shortWrites;
        const takes = most < 0 ? bytes.length + most : most;
        if (offset >= takes) this.#try("writeSync");
        return files.writeSync(fd, bytes.subarray(0, offset + takes), offset);
      },
      fsyncSync: (fd) => {
        if (this.#written.has(fd)) this.#try("fsyncSync");
        files.fsyncSync(fd);
      },
      ftruncateSync: (fd, size) => {
        if (this.fault?.keeps) {
          this.uncut += 1;
          this.#fail("EIO");
        }
        files.ftruncateSync(fd, size);
      },
    });
  }

  #try(call: Call): void {
    if (this.fault?.call === call) this.#fail(this.fault.code);
  }

  #fail(code: string): never {
    this.failures += 1;
    throw Object.assign(new Error(`${code}: refused by the disk`), { code });
  }
}
