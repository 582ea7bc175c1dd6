// Runs: looked after when somebody looks at them, and cancelled.

import type { CrawlProgress } from '../../ports/crawls.ts'
import type { Store } from '../../ports/store.ts'
import { RUN_STATUS } from './run-states.ts'

/** Asking for no urls takes back leases that ran out, and ends a run that is done. */
export async function maintainRun({ crawl }: CrawlProgress, { frontier }: Pick<Store, 'frontier'>): Promise<void> {
  if (crawl.status !== 'running') return
  const nothing = { maxUrls: 0, maxHosts: 0, slotsPerHost: 0, topUp: [], patternsVersion: 0 }
  await frontier.lease({ crawlId: crawl.id, workerId: 'looker', ...nothing })
}

/** Urls in flight are counted as cancelled; they may still end otherwise. */
export async function cancelRun({ crawl, ledger }: CrawlProgress, { crawls }: Pick<Store, 'crawls'>) {
  const changed = RUN_STATUS[crawl.status] === 'RUNNING'
  if (changed) await crawls.close(crawl.id, 'cancelled')
  return {
    crawl_run_id: crawl.id,
    status: changed ? 'CANCELLED' : RUN_STATUS[crawl.status],
    changed,
    cancelled_url_count: changed ? ledger.queued + ledger.in_progress : 0,
  }
}
