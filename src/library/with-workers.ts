import { withControlSession } from '../cli/with-control-session.ts'
import type { Config } from '../config/schema.ts'
import { AppError } from '../lib/errors.ts'
import type { Crawls } from '../ports/crawls.ts'
import { openers } from '../setup/openers.ts'

/**
 * Calls `use` if other processes can run crawls: the workers of a database, or a server with the data directory.
 */
export async function withWorkers<T>(
  config: Config,
  instead: 'crawl' | 'resumeCrawl',
  use: (crawls: Crawls) => Promise<T>,
): Promise<T> {
  return withControlSession(openers.openControlSession(config, false), async ({ owner, crawls }) => {
    if (config.store === null && owner?.roles.includes('worker') !== true)
      throw new AppError('USAGE', `No server with this data directory runs crawls. Call ${instead} instead.`)
    return use(crawls)
  })
}
