// Which lines the documents of a host have, kept with the documents: see line-counts.ts.

import type { DatabaseSync } from 'node:sqlite'
import { addLines, LineChanges, type LineCounts, packLines, unpackLines } from '../line-counts.ts'

export class HostLines {
  readonly #read
  readonly #write
  /** Of the transaction that is under way. */
  readonly #changes = new LineChanges()

  constructor(db: DatabaseSync) {
    this.#read = db.prepare('select content from host_lines where host = ?')
    this.#write = db.prepare(
      'insert into host_lines (host, content) values (?, ?) on conflict (host) do update set content = excluded.content',
    )
  }

  of(hosts: Iterable<string>): Map<string, LineCounts> {
    const known = new Map<string, LineCounts>()
    for (const host of hosts) {
      const counts = this.#countsOf(host)
      if (counts.size > 0) known.set(host, counts)
    }
    return known
  }

  note(host: string, lines: readonly number[], change: 1 | -1): void {
    this.#changes.add(host, lines, change)
  }

  /** Before the end of every transaction. */
  flush(): void {
    for (const [host, changes] of this.#changes.take()) {
      this.#write.run(host, packLines(addLines(this.#countsOf(host), changes)))
    }
  }

  /** The transaction came to nothing. */
  forget(): void {
    this.#changes.take()
  }

  #countsOf(host: string): LineCounts {
    const content = this.#read.get(host)?.['content']
    return content === undefined ? new Map() : unpackLines(content as Uint8Array)
  }
}

/** The lines of one document. */
export function packOwnLines(lines: readonly number[]): Uint8Array {
  return new Uint8Array(Int32Array.from(lines).buffer)
}

export function unpackOwnLines(packed: Uint8Array): number[] {
  return [...new Int32Array(packed.slice().buffer)]
}
