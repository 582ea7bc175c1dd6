// A data directory with an indexed public crawl and an indexed private one.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { servePlainSite } from '../sites/plain-site.ts'
import { type CleanupContext, makeTemporaryFolder, parseSummary, runProgram } from './program.ts'
import { outputInProcess } from './run-in-process.ts'

const ORCHARD = [
  '<html lang="en"><title>The orchard</title><p>Apples and pears. <a href="/1">a</a><a href="/2">b</a><a href="/3">c</a>',
  '<html lang="en"><title>Apple trees</title><p>Apple trees need a winter. The orchard has many of them.',
  '<html lang="en"><title>Pear trees</title><p>Pear trees grow slowly in the orchard, but grow old.',
  '<html lang="en"><title>&lt;script&gt;alert(1)&lt;/script&gt; toadstool</title><p>&lt;img src=x onerror=alert(2)&gt; A toadstool.',
]
const CELLAR = [
  '<html lang="en"><title>Apple cellar secret</title><p>The treasury of apples is in the cellar: zanzibar.',
]
/** A second public site, so that there is something to choose. */
const MARKET = ['<html lang="de"><title>Apfelmarkt</title><p>Der Markt verkauft apple juice und Birnen aus dem Garten.']

export interface PublicSearchData {
  data: string
  /** The public crawl. */
  publicId: string
  privateId: string
  privateOrigin: string
}

export async function makePublicSearchData(t: CleanupContext): Promise<PublicSearchData> {
  const data = join(makeTemporaryFolder(t), 'data')
  const serve = (pages: string[]) =>
    servePlainSite(t, (path) => pages[path === '/' ? 0 : Number(path.slice(1))] ?? null)
  const [orchard, market, cellar] = await Promise.all([ORCHARD, MARKET, CELLAR].map(serve))
  const crawl = async (origins: (string | undefined)[]) => {
    const urls = origins.map((origin) => `${origin}/`)
    const crawled = await runProgram(['crawl', ...urls, '--allow-private', '--delay', '0', '--json', '--data', data])
    assert.equal(crawled.code, 0, crawled.stderr)
    return parseSummary(crawled).crawl_id
  }
  const publicId = await crawl([orchard?.origin, market?.origin])
  const privateId = await crawl([cellar?.origin])
  await outputInProcess(['index', 'run', '--data', data])
  return { data, publicId, privateId, privateOrigin: cellar?.origin ?? '' }
}
