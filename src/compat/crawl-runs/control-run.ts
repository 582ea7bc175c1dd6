// Maintains runs when they are read, and cancels them.

import type { CrawlProgress } from '../../ports/crawls.ts'
import type { Store } from '../../ports/store.ts'
import { runStatus } from './run-states.ts'

/** A lease request for no URLs requeues expired leases and completes a run whose queue is empty. */
export async function maintainRun({ crawl }: CrawlProgress, { frontier }: Pick<Store, 'frontier'>): Promise<void> {
  if (crawl.status !== 'running') return
  const noUrls = { maxUrls: 0, maxHosts: 0, slotsPerHost: 0, topUp: [], patternsVersion: 0 }
  await frontier.lease({ crawlId: crawl.id, threadId: 'housekeeping', ...noUrls })
}

/** Counts URLs in flight as cancelled, although they may still complete. */
export async function cancelRun({ crawl, ledger }: CrawlProgress, { crawls }: Pick<Store, 'crawls'>) {
  const changed = runStatus(crawl) === 'RUNNING'
  if (changed) await crawls.close(crawl.id, 'cancelled')
  return {
    crawl_run_id: crawl.id,
    status: changed ? 'CANCELLED' : runStatus(crawl),
    changed,
    cancelled_url_count: changed ? ledger.queued + ledger.in_progress : 0,
  }
}
