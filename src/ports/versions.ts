// Follows committed page versions of all crawls, including the first of each URL. The indexer calls consumers with
// what it has read anyway.

import type { PageVersion } from './pages.ts'

/** Content that is read and decoded at most once per version. */
export interface VersionContent {
  /** Null if the page is not HTML. */
  html: string | null
  /** The visible text, one line per block. */
  text(): string
}

export interface VersionConsumer {
  /** False: the version is not read for this consumer. Must be cheap. */
  wants(version: PageVersion): boolean
  /**
   * Called at least once per version, before the version counts as processed: after a crash, or when the index is
   * rebuilt, it is called again. Versions without content (not archived, gone, errors) are left out. If it fails, the
   * batch is repeated later.
   */
  examine(version: PageVersion, content: VersionContent): Promise<void>
}
