// Changing a crawl after it was made.

import type { SettingChanges } from '../config/crawl-settings.ts'
import type { Crawl } from './crawls.ts'

export interface CrawlControl {
  /**
   * Workers hear of it with their next orders. Urls that the new limits leave out end as `excluded` when their turn comes;
   * those that a higher limit of depth lets in are queued. Of a crawl that is finished or closing only the settings change.
   */
  changeSettings(crawlId: string, changes: SettingChanges): Promise<Crawl>
  /**
   * Takes a crawl away of which nothing is in flight and that is not running; CRAWL_RUNNING otherwise. From now on it is
   * neither found nor listed; its urls and pages go by `removeSome`.
   */
  remove(crawlId: string): Promise<void>
  /** One small piece of what removed crawls have left, whoever removed them; false when there is nothing left. */
  removeNextBatch(): Promise<boolean>
  /** Its queued urls become `excluded` with the reason `blocked_host`, and so does what is found later. Answers how many. */
  blockHost(crawlId: string, host: string): Promise<number>
  /** Queues them again; a finished crawl then waits to be resumed. CRAWL_CLOSED when it was ended by a limit or its owner. */
  unblockHost(crawlId: string, host: string): Promise<number>
}
