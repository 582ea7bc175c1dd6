// Finds the crawl with which the statuses of a crawl are compared: the last one before it that started from the same URLs.

import type { Crawl, Crawls } from '../ports/crawls.ts'

export async function findEarlierCrawl(crawl: Crawl, crawls: Pick<Crawls, 'list'>): Promise<Crawl | null> {
  const key = seedKey(crawl)
  const others = (await crawls.list())
    .map((progress) => progress.crawl)
    .filter((other) => other.id !== crawl.id && other.createdAt < crawl.createdAt && seedKey(other) === key)
  return others.sort((a, b) => b.createdAt - a.createdAt)[0] ?? null
}

function seedKey({ seeds }: Crawl): string {
  return seeds.toSorted().join('\n')
}
