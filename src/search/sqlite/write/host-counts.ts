// Stores the counts of hosts next to the documents: see host-counts.ts in search.

import type { DatabaseSync } from 'node:sqlite'
import { type CountedDocument, HostCounter, type HostCounts } from '../../host-counts.ts'
import { mainLanguage, packLanguageCounts, unpackLanguageCounts } from '../../host-languages.ts'
import { packLineCounts, unpackLineCounts } from '../../line-counts.ts'

const NONE: HostCounts = { lines: new Map(), languages: new Map() }

interface ChangingHost {
  counter: HostCounter
  /** The main language at the start of the transaction. */
  mainBefore: string | null
}

export class StoredHostCounts {
  readonly #read
  readonly #write
  /** Hosts changed in the current transaction. */
  readonly #changing = new Map<string, ChangingHost>()

  constructor(db: DatabaseSync) {
    this.#read = db.prepare('select content, languages from host_lines where host = ?')
    this.#write = db.prepare(
      `insert into host_lines (host, content, languages) values (?, ?, ?)
       on conflict (host) do update set content = excluded.content, languages = excluded.languages`,
    )
  }

  read(hosts: Iterable<string>): Map<string, HostCounts> {
    const known = new Map<string, HostCounts>()
    for (const host of hosts) {
      const counts = this.#countsOf(host)
      if (counts !== NONE) known.set(host, counts)
    }
    return known
  }

  add(host: string, document: Omit<CountedDocument, 'version'>): void {
    this.#change(host).add(document)
  }

  remove(host: string, document: Omit<CountedDocument, 'version'>): void {
    this.#change(host).remove(document)
  }

  mainLanguage(host: string): string | null {
    const changing = this.#changing.get(host)
    return changing === undefined ? mainLanguage(this.#countsOf(host).languages) : changing.counter.languages.main
  }

  /** Hosts that got another main language in the current transaction. */
  hostsWithNewLanguage(): string[] {
    return [...this.#changing].flatMap(([host, { counter, mainBefore }]) =>
      counter.languages.main === mainBefore ? [] : [host],
    )
  }

  /** Call before each commit. */
  flush(): void {
    for (const [host, { counter }] of this.#changing) {
      const { lines, languages } = counter
      this.#write.run(host, packLineCounts(lines.counts), packLanguageCounts(languages.counts))
    }
    this.#changing.clear()
  }

  /** Call after a rollback. */
  rollback(): void {
    this.#changing.clear()
  }

  #change(host: string): HostCounter {
    const known = this.#changing.get(host)
    if (known !== undefined) return known.counter
    const counter = new HostCounter(this.#countsOf(host))
    this.#changing.set(host, { counter, mainBefore: counter.languages.main })
    return counter
  }

  #countsOf(host: string): HostCounts {
    const row = this.#read.get(host)
    if (row === undefined) return NONE
    return {
      lines: unpackLineCounts(row['content'] as Uint8Array),
      languages: unpackLanguageCounts(String(row['languages'])),
    }
  }
}

/** The lines of one document. */
export function packDocumentLines(lines: readonly number[]): Uint8Array {
  return new Uint8Array(Int32Array.from(lines).buffer)
}

export function unpackDocumentLines(packed: Uint8Array): number[] {
  return [...new Int32Array(packed.slice().buffer)]
}
