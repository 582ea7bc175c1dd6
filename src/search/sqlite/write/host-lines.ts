// Stores the line counts of hosts next to the documents: see line-counts.ts.

import type { DatabaseSync } from 'node:sqlite'
import { LineCounter, type LineCounts, packLineCounts, unpackLineCounts } from '../../line-counts.ts'

export class HostLineCounts {
  readonly #read
  readonly #write
  /** Hosts changed in the current transaction. */
  readonly #changing = new Map<string, LineCounter>()

  constructor(db: DatabaseSync) {
    this.#read = db.prepare('select content from host_lines where host = ?')
    this.#write = db.prepare(
      'insert into host_lines (host, content) values (?, ?) on conflict (host) do update set content = excluded.content',
    )
  }

  read(hosts: Iterable<string>): Map<string, LineCounts> {
    const known = new Map<string, LineCounts>()
    for (const host of hosts) {
      const counts = this.#countsOf(host)
      if (counts.size > 0) known.set(host, counts)
    }
    return known
  }

  add(host: string, lines: readonly number[]): void {
    if (lines.length > 0) this.#counterOf(host).add(lines)
  }

  remove(host: string, lines: readonly number[]): void {
    if (lines.length > 0) this.#counterOf(host).remove(lines)
  }

  /** Call before each commit. */
  flush(): void {
    for (const [host, { counts }] of this.#changing) this.#write.run(host, packLineCounts(counts))
    this.#changing.clear()
  }

  /** Call after a rollback. */
  rollback(): void {
    this.#changing.clear()
  }

  #counterOf(host: string): LineCounter {
    const counter = this.#changing.get(host) ?? new LineCounter(this.#countsOf(host))
    this.#changing.set(host, counter)
    return counter
  }

  #countsOf(host: string): LineCounts {
    const content = this.#read.get(host)?.['content']
    return content === undefined ? new Map() : unpackLineCounts(content as Uint8Array)
  }
}

/** The lines of one document. */
export function packDocumentLines(lines: readonly number[]): Uint8Array {
  return new Uint8Array(Int32Array.from(lines).buffer)
}

export function unpackDocumentLines(packed: Uint8Array): number[] {
  return [...new Int32Array(packed.slice().buffer)]
}
