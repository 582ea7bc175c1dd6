import type { Config } from '../config/schema.ts'
import { AppError } from '../lib/errors.ts'
import type { Crawls } from '../ports/crawls.ts'
import { openers } from '../setup/openers.ts'

/** For crawls of other processes: the workers of a database, or a server with the data directory. */
export async function withWorkers<T>(
  config: Config,
  instead: 'crawl' | 'resumeCrawl',
  use: (crawls: Crawls) => Promise<T>,
): Promise<T> {
  const { owner, crawls, close } = await openers.openControlSession(config, false)
  try {
    if (config.store === null && owner?.roles.includes('worker') !== true)
      throw new AppError('USAGE', `No server with this data directory runs crawls. Call ${instead} instead.`)
    return await use(crawls)
  } finally {
    await close()
  }
}
