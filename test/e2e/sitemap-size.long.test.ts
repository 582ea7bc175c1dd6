// Sitemaps above the size limit of the protocol: 150 MiB in all.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { servePlainSite } from '../sites/plain-site.ts'
import { crawlPlainSite } from './testing/plain-crawl.ts'

const FAST = ['--delay', '0', '--cooldown', '0']

describe('sitemaps', () => {
  it('of more than 50 MiB are read up to that size: plain, as gzip and with a content encoding', async (t) => {
    // Compresses to a sixtieth; a higher ratio would count as a compression bomb.
    const filler = Array.from({ length: 52_000 }, (_, i) => `<!--${'.'.repeat(1000)}${i * 7919}-->`).join('\n')
    const large = (name: string) =>
      Buffer.from(`<urlset><url><loc>/${name}</loc></url>${filler}<url><loc>/no</loc></url>`)
    const site = await servePlainSite(t, (path) => {
      if (path === '/robots.txt') return 'Sitemap: /plain.xml\nSitemap: /file.xml.gz\nSitemap: /coded.xml\n'
      if (path === '/plain.xml') return { body: large('in-plain') }
      if (path === '/file.xml.gz') return { body: gzipSync(large('in-file'), { level: 1 }) }
      if (path !== '/coded.xml') return 'page'
      return { headers: { 'content-encoding': 'gzip' }, body: gzipSync(large('in-coded'), { level: 1 }) }
    })
    const { outcomes } = await crawlPlainSite(t, site, FAST)
    assert.deepEqual(outcomes, [
      '/ visited',
      '/coded.xml visited truncated',
      '/file.xml.gz visited truncated',
      '/in-coded visited',
      '/in-file visited',
      '/in-plain visited',
      '/plain.xml visited truncated',
    ])
  })
})
