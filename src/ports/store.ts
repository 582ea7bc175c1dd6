// A store: everything the crawls know, behind ports that are swapped together.

import type { Access } from './access.ts'
import type { Audits } from './audits.ts'
import type { Browse } from './browse.ts'
import type { ChangeFeed, Changes } from './changes.ts'
import type { CrawlControl } from './control.ts'
import type { Cookies } from './cookies.ts'
import type { Crawls } from './crawls.ts'
import type { Diagnostics } from './diagnostics.ts'
import type { Frontier } from './frontier.ts'
import type { CrawlHistory } from './history.ts'
import type { MonitorHits, Monitors, ProtectedDocuments } from './monitors.ts'
import type { Contents, Pages } from './pages.ts'
import type { Policies, PolicyReader } from './policies.ts'
import type { Retention } from './retention.ts'
import type { Revisits } from './revisits.ts'
import type { RobotsCopies } from './robots.ts'
import type { Urls } from './urls.ts'
import type { Workers } from './workers.ts'

export interface Store {
  frontier: Frontier
  crawls: Crawls
  urls: Urls
  robots: RobotsCopies
  cookies: Cookies
  contents: Contents
  pages: Pages
  retention: Retention
  revisits: Revisits
  diagnostics: Diagnostics
  workers: Workers
  browse: Browse
  control: CrawlControl
  access: Access
  history: CrawlHistory
  policies: Policies
  changes: Changes
  changeFeed: ChangeFeed
  monitors: Monitors
  protectedDocuments: ProtectedDocuments
  monitorHits: MonitorHits
  audits: Audits
  close(): Promise<void>
}

export type CrawlReader = Pick<Crawls, 'find' | 'list' | 'progress' | 'reasons'>

/** A store opened read-only, while others may write to it. */
export interface StoreReader {
  crawls: CrawlReader
  urls: Urls
  diagnostics: Diagnostics
  pages: Pages
  workers: Pick<Workers, 'list' | 'listArchiveNodes'>
  browse: Browse
  policies: PolicyReader
  robots: Pick<RobotsCopies, 'find'>
  changes: Changes
  /** Describes the damage to the store, if it is damaged. A database server looks after its own files. */
  damage(): Promise<string | null>
  close(): Promise<void>
}
