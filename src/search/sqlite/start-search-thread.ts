// Starts the search thread.

import { startServiceThread } from '../../lib/service-thread.ts'
import type { Pages } from '../../ports/pages.ts'
import type { SearchIndex } from '../../ports/search.ts'
import { withLag } from './read/status.ts'
import type { IndexPosition, SearchThreadSettings } from './search-thread.ts'
import { readLag } from './write/waiting-pages.ts'

export interface OpenIndex {
  index: SearchIndex
  close(): Promise<void>
}

export async function startSearchThread(
  settings: SearchThreadSettings,
  pages: Pick<Pages, 'listAfter' | 'newestId'>,
  now: () => number,
): Promise<OpenIndex> {
  const thread = await startServiceThread('search', new URL('./search-thread.ts', import.meta.url), settings)
  const progress = thread.client.service<IndexPosition>('progress')
  const lag = async () => readLag(await progress.position(), pages, now())
  return { index: withLag(thread.client.service<SearchIndex>('index'), lag), close: () => thread.close() }
}
