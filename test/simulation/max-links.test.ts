import assert from 'node:assert/strict'
import { it } from 'node:test'
import { simulateCrawl } from './testing/simulated-crawl.ts'

it('links beyond the limit per page are not followed, but counted', async (t) => {
  const links = Array.from({ length: 10 }, (_, i) => `/${i + 1}`)
  const respond = (url: string) => ({ links: url.endsWith('/0') ? links : [] })
  const { rows, progress, store, crawlId } = await simulateCrawl(t, respond, { maxLinks: 4 })
  assert.deepEqual(rows.map(({ url }) => new URL(url).pathname).sort(), ['/0', '/1', '/2', '/3', '/4'])
  assert.equal(progress.rejected['too_many_links'], 6)
  const [example] = await store.diagnostics.rejectedExamples(crawlId)
  assert.deepEqual([example?.reason, example?.text, example?.pageUrl], ['too_many_links', '/5', 'http://a.test/0'])
})
