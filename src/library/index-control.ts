// The search index of a store, as programs build and check it.

import type { IndexSession } from '../cli/io.ts'
import { openIndexer, openRebuilder, waitForServerIndex } from '../cli/open-indexer.ts'
import type { StoreReadClient } from '../cli/read-client/store-read-client.ts'
import type { Config } from '../config/schema.ts'
import { AppError } from '../lib/errors.ts'
import type { IndexCheck } from '../search/indexer/verify-index.ts'
import { openers } from '../setup/openers.ts'

export interface IndexStatus {
  documents: number
  /** Pages that are not indexed yet. */
  waiting: number
  /** How long ago the oldest waiting page was visited. */
  lagMs: number
  bytes: number
  /** Documents by language, the most first. */
  languages: { lang: string; documents: number }[]
}

export interface IndexRun {
  indexed: number
  /** Indexed again, because other pages link to them with new text. */
  again: number
  /** Pages that are not indexed, by reason. */
  skipped: Record<string, number>
}

export interface IndexControl {
  status(): Promise<IndexStatus>
  /**
   * Indexes every page that is waiting. If a server has the data directory, waits until it has done that and returns
   * null. Throws DATA_IN_USE while another process crawls into the directory.
   */
  run(): Promise<IndexRun | null>
  /** Indexes everything again. Throws DATA_IN_USE while another process has the data directory. */
  rebuild(): Promise<IndexRun>
  /** Checks that the index is undamaged and complete. */
  verify(): Promise<IndexCheck>
}

export function makeIndexControl(config: Config, client: StoreReadClient): IndexControl {
  return {
    async status() {
      const { documents, waiting, lag_ms: lagMs, bytes, by_lang: byLang } = await client.getIndex({})
      const languages = byLang.map(({ key, count }) => ({ lang: key, documents: count }))
      return { documents, waiting, lagMs, bytes, languages }
    },
    async run() {
      const session = await openIndexer(config, openers)
      if (session !== null) return index(session, false)
      await waitForServerIndex(config, openers, { isStopped: () => false, show: () => undefined })
      return null
    },
    rebuild: async () => index(await openRebuilder(config, openers), true),
    async verify() {
      const opened = await client.openIndex()
      if (opened === null) throw new AppError('INDEX_OFF', 'No page is indexed yet. Call store.index.run() first.')
      const { verifyIndex } = await import('../search/indexer/verify-index.ts')
      return verifyIndex({ pages: client.session.pages, index: opened, reading: client.session })
    },
  }
}

async function index(session: IndexSession, isRebuild: boolean): Promise<IndexRun> {
  try {
    if (isRebuild) await session.startRebuild()
    await session.catchUp()
  } finally {
    await session.close()
  }
  const { indexed, again, leftOut } = session.counts()
  return { indexed, again, skipped: leftOut }
}
