// Looks up crawls and pages, and throws if they do not exist.

import { AppError } from '../../lib/errors.ts'
import type { Crawl, Crawls } from '../../ports/crawls.ts'
import type { Pages, PageVersion } from '../../ports/pages.ts'

/** Requires the full id; prefixes are for the command line. */
export async function findCrawl(crawls: Pick<Crawls, 'progress'>, crawlId: string): Promise<Crawl> {
  return (await crawls.progress(crawlId)).crawl
}

export async function findPage(pages: Pick<Pages, 'find'>, pageId: number): Promise<PageVersion> {
  const version = await pages.find(pageId)
  if (version === null) throw new AppError('PAGE_NOT_FOUND', `There is no page ${pageId}, or it has expired.`)
  return version
}
