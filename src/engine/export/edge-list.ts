// The links of a crawl as a list of edges: two URLs per line, separated by a tab. A canonical URL contains neither.

import type { Edge, Urls } from '../../ports/urls.ts'

const AT_ONCE = 1000
/** Links repeat their ends. */
const MAX_KNOWN = 100_000

export async function* toEdgeList(
  edges: AsyncIterable<Edge>,
  crawlId: string,
  urls: Pick<Urls, 'urlsOf'>,
): AsyncGenerator<string, void, undefined> {
  const known = new Map<number, string>()
  let batch: Edge[] = []
  for await (const edge of edges) {
    batch.push(edge)
    if (batch.length < AT_ONCE) continue
    yield await encode(batch)
    batch = []
  }
  if (batch.length > 0) yield await encode(batch)

  async function encode(batch: Edge[]): Promise<string> {
    if (known.size > MAX_KNOWN) known.clear()
    const missing = new Set(batch.flatMap(({ from, to }) => [from, to]).filter((id) => !known.has(id)))
    if (missing.size > 0) for (const [id, url] of await urls.urlsOf(crawlId, [...missing])) known.set(id, url)
    return batch
      .flatMap(({ from, to }) => {
        const [source, target] = [known.get(from), known.get(to)]
        return source === undefined || target === undefined ? [] : `${source}\t${target}\n`
      })
      .join('')
  }
}
