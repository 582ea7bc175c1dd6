// Reindexes documents that leave their language open when the main language of their host becomes another. Calls are
// part of a transaction of the feed.

import type { DatabaseSync } from 'node:sqlite'
import type { IndexDocument } from '../../../ports/search.ts'
import { type DocumentLanguage, hasOtherLanguage } from '../../host-languages.ts'
import { hostKey } from '../host-key.ts'
import type { StoredHostCounts } from './host-counts.ts'
import type { ReindexQueue } from './reindex-queue.ts'

type OpenDocument = Pick<IndexDocument, 'pageId' | 'host'> & DocumentLanguage

export class LanguageUpdates {
  readonly #hosts: Pick<StoredHostCounts, 'mainLanguage' | 'hostsWithNewLanguage'>
  readonly #reindexQueue: Pick<ReindexQueue, 'add'>
  readonly #openDocuments
  /** Written in the current transaction, when the main language was not final. */
  #written: OpenDocument[] = []

  constructor(
    db: DatabaseSync,
    hosts: Pick<StoredHostCounts, 'mainLanguage' | 'hostsWithNewLanguage'>,
    reindexQueue: Pick<ReindexQueue, 'add'>,
  ) {
    this.#hosts = hosts
    this.#reindexQueue = reindexQueue
    this.#openDocuments = db.prepare(
      'select page_id, lang, possible_langs from documents where host_key = ? and possible_langs is not null',
    )
  }

  add({ pageId, host, lang, possibleLangs }: IndexDocument): void {
    if (possibleLangs !== null) this.#written.push({ pageId, host, lang, possibleLangs })
  }

  /** Call before each commit. */
  requeue(): void {
    const changed = this.#hosts.hostsWithNewLanguage()
    for (const document of [...this.#written, ...changed.flatMap((host) => this.#readOpenDocuments(host))]) {
      const main = this.#hosts.mainLanguage(document.host)
      if (hasOtherLanguage(document, main)) this.#reindexQueue.add(document.pageId)
    }
    this.#written = []
  }

  /** Call after a rollback. */
  rollback(): void {
    this.#written = []
  }

  #readOpenDocuments(host: string): OpenDocument[] {
    return this.#openDocuments.all(hostKey(host)).map((row) => ({
      pageId: Number(row['page_id']),
      host,
      lang: row['lang'] as string | null,
      possibleLangs: unpackPossibleLangs(row['possible_langs'] as string | null),
    }))
  }
}

export function packPossibleLangs(langs: readonly string[] | null): string | null {
  return langs === null ? null : langs.join(' ')
}

export function unpackPossibleLangs(packed: string | null): string[] | null {
  return packed === null ? null : packed.split(' ').filter(Boolean)
}
