// Changes a crawl after it was created.

import type { SettingChanges } from '../config/crawl-settings.ts'
import type { Crawl } from './crawls.ts'

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
  /** Requeues those URLs. A finished crawl then waits to be resumed. CRAWL_CLOSED if a limit or the owner ended it. */
  unblockHost(crawlId: string, host: string): Promise<number>
}
