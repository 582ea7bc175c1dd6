// Shared lines and languages of the documents of a host, counted page by page.

import { LanguageCounter, type LanguageCounts } from './host-languages.ts'
import { LineCounter, type LineCounts } from './line-counts.ts'
import { hostOf } from './url-parts.ts'

export interface HostCounts {
  lines: LineCounts
  languages: LanguageCounts
}

export interface CountedDocument {
  version: number
  lines: readonly number[]
  /** The language that its page says; null if it says none. */
  ownLang: string | null
}

/** The counts of one host. */
export class HostCounter {
  readonly lines: LineCounter
  readonly languages: LanguageCounter

  constructor({ lines, languages }: Partial<HostCounts> = {}) {
    this.lines = new LineCounter(lines)
    this.languages = new LanguageCounter(languages)
  }

  add({ lines, ownLang }: Omit<CountedDocument, 'version'>): void {
    this.lines.add(lines)
    this.languages.add(ownLang)
  }

  /** Removes a document that was added before. */
  remove({ lines, ownLang }: Omit<CountedDocument, 'version'>): void {
    this.lines.remove(lines)
    this.languages.remove(ownLang)
  }
}

/** The counts of all hosts in a batch, updated page by page. */
export class BatchHostCounts {
  readonly #hosts = new Map<string, HostCounter>()
  /** Documents of this batch by URL; null if the URL no longer has one. */
  readonly #documents = new Map<string, CountedDocument | null>()

  constructor(hosts: ReadonlyMap<string, HostCounts> = new Map()) {
    for (const [host, counts] of hosts) this.#hosts.set(host, new HostCounter(counts))
  }

  counterOf(host: string): HostCounter {
    const counter = this.#hosts.get(host) ?? new HostCounter()
    this.#hosts.set(host, counter)
    return counter
  }

  add(url: string, document: CountedDocument): void {
    this.counterOf(hostOf(url)).add(document)
    this.#documents.set(url, document)
  }

  /**
   * Removes the document that `version` replaces. `before` is the document the URL had when the batch began. Returns
   * false if the URL already has a later version, which stays.
   */
  removeUpToVersion(url: string, version: number, before: CountedDocument | null): boolean {
    const document = this.#documents.get(url)
    const known = document === undefined ? before : document
    if (known !== null && known.version > version) return false
    if (known !== null) this.counterOf(hostOf(url)).remove(known)
    this.#documents.set(url, null)
    return true
  }
}
