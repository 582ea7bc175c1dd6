// Changes a crawl after it was created.

import type { SettingChanges } from '../config/crawl-settings.ts'
import type { Crawl } from './crawls.ts'
import type { FoundUrl } from './visits.ts'

/** 1 to 10, or critical: before all others. */
export type UrlPriority = number
export const CRITICAL_PRIORITY = 11

export interface AddedUrls {
  /** New to the crawl. */
  added: number
  /** Queued already, with a lower priority. */
  raised: number
}

export interface CrawlControl {
  /**
   * Workers learn of it with their next heartbeat. URLs beyond the new limits become `excluded` when they are claimed;
   * URLs within a raised depth limit are queued. In a finished or closing crawl only the settings change.
   */
  changeSettings(crawlId: string, changes: SettingChanges): Promise<Crawl>
  /**
   * Removes a crawl that is not running and has nothing in flight; CRAWL_RUNNING otherwise. It is no longer found or
   * listed from now on; `removeNextBatch` deletes its URLs and pages.
   */
  remove(crawlId: string): Promise<void>
  /** Deletes one small batch of the rows of removed crawls. False if nothing is left. */
  removeNextBatch(): Promise<boolean>
  /**
   * Queued URLs of the host become `excluded` with the reason `blocked_host`, and so do URLs found later. Returns how
   * many were queued.
   */
  blockHost(crawlId: string, host: string): Promise<number>
  /**
   * Adds URLs as if they were seeds. URLs that are already queued get the priority if it is higher than theirs.
   * CRAWL_CLOSED if the crawl has ended. A watching crawl runs again.
   */
  addUrls(crawlId: string, urls: FoundUrl[], priority: UrlPriority | null): Promise<AddedUrls>
  /**
   * Requeues the URLs excluded by the block, and URLs of the host excluded by a limit of its pages, which are
   * excluded again unless the limit is higher now. A finished crawl then waits to be resumed. CRAWL_CLOSED if a
   * limit or the owner ended it.
   */
  unblockHost(crawlId: string, host: string): Promise<number>
}
