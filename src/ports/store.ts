// A store: everything the crawls know, in parts that are swapped together.

import type { Access } from './access.ts'
import type { Browse } from './browse.ts'
import type { Crawls } from './crawls.ts'
import type { Frontier } from './frontier.ts'
import type { Histories } from './history.ts'
import type { Manners } from './manners.ts'
import type { Contents, Pages } from './pages.ts'
import type { Retention } from './retention.ts'
import type { RobotsCopies } from './robots.ts'
import type { Steering } from './steering.ts'
import type { Urls } from './urls.ts'
import type { Workers } from './workers.ts'

export interface Store {
  frontier: Frontier
  crawls: Crawls
  urls: Urls
  robots: RobotsCopies
  contents: Contents
  pages: Pages
  retention: Retention
  manners: Manners
  workers: Workers
  browse: Browse
  steering: Steering
  access: Access
  history: Histories
  close(): Promise<void>
}

export type CrawlReader = Pick<Crawls, 'find' | 'list' | 'progress' | 'reasons'>

/** A store open for looking, while others may work in it. */
export interface StoreReader {
  crawls: CrawlReader
  urls: Urls
  manners: Manners
  pages: Pages
  workers: Pick<Workers, 'list' | 'keepers'>
  browse: Browse
  /** How the store was found to be damaged, if it was. A database server looks after its own files. */
  damage(): Promise<string | null>
  close(): Promise<void>
}
