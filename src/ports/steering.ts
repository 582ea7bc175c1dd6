// Changing a crawl after it was made.

import type { Crawl, CrawlSettings } from './crawls.ts'

/** The others decide which urls there are and what was kept of them: they stay what they were. */
export const CHANGEABLE = [
  ...(['maxPages', 'maxDepth', 'include', 'exclude', 'concurrency', 'perHost', 'delayMs', 'timeoutMs'] as const),
  ...(['retries', 'retryDelayMs', 'perIp', 'maxRate', 'cooldownMs', 'hostPatienceMs', 'keepDays'] as const),
] as const satisfies (keyof CrawlSettings)[]

export type SettingChanges = Partial<Pick<CrawlSettings, (typeof CHANGEABLE)[number]>>

export interface Steering {
  /**
   * Workers hear of it with their next orders. Urls that the new limits leave out end as `excluded` when their turn comes;
   * those that a higher limit of depth lets in are queued. Of a crawl that is finished or closing only the settings change.
   */
  change(crawlId: string, changes: SettingChanges): Promise<Crawl>
  /**
   * Everything about a crawl that is not running and of which nothing is in flight; CRAWL_RUNNING otherwise. Its pages go
   * with it. Cut off, it leaves a cancelled crawl with the reason `removing`, and doing it again ends it.
   */
  remove(crawlId: string): Promise<void>
  /** Its queued urls become `excluded` with the reason `blocked_host`, and so does what is found later. Answers how many. */
  blockHost(crawlId: string, host: string): Promise<number>
  /** Queues them again; a finished crawl then waits to be resumed. CRAWL_CLOSED when it was ended by a limit or its owner. */
  releaseHost(crawlId: string, host: string): Promise<number>
}
