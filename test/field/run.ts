// `npm run field -- FOLDER|URL... [--server nginx] [--limit 50000]`: crawls each site with the default settings and
// compares the visited URLs with those that an independent crawler finds.

import { parseArgs } from 'node:util'
import { printTable } from '../testing/table.ts'
import { crawlSite, type SiteCrawl } from './crawl-site.ts'
import { crawlWithOracle } from './oracle-crawler.ts'
import { isInstalled, SERVERS, type ServerName, serveFolder } from './web-servers.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { server: { type: 'string', default: 'nginx' }, limit: { type: 'string', default: '60000' } },
})

interface Row {
  site: string
  urls: number
  missing: string[]
  crawl: SiteCrawl
  wasted: string[]
}

if (positionals.length === 0) {
  console.error('Give folders to serve, or URLs, for example: npm run field -- /usr/share/doc/some-package/html')
  process.exit(2)
}
const server = SERVERS.find((name) => name === values.server)
if (server === undefined) {
  console.error(`Unknown server "${values.server}". Choose one of ${SERVERS.join(', ')}.`)
  process.exit(2)
}
const rows: Row[] = []
for (const site of positionals) rows.push(await checkSite(site, server))
print(rows)
process.exitCode = rows.some(({ missing }) => missing.length > 0) ? 1 : 0

async function checkSite(site: string, by: ServerName): Promise<Row> {
  if (/^https?:/.test(site)) return compare(site, site)
  if (!isInstalled(by)) throw new Error(`${by} is not installed; choose another with --server.`)
  const servedFolder = await serveFolder(site, by)
  try {
    return await compare(site, `${servedFolder.origin}/`)
  } finally {
    await servedFolder.stop()
  }
}

async function compare(site: string, url: string): Promise<Row> {
  const oracleCrawl = await crawlWithOracle(url, Number(values.limit))
  const crawl = await crawlSite(url)
  const missing = [...oracleCrawl.pages].filter((page) => !crawl.visited.has(page))
  const wasted = [...crawl.requested].filter((page) => !oracleCrawl.requested.has(page))
  return { site, urls: oracleCrawl.pages.size, missing, crawl, wasted }
}

function print(all: Row[]): void {
  const lines = all.map(({ site, urls, missing, crawl, wasted }) => [
    site,
    String(urls),
    String(missing.length),
    String(crawl.excluded.size),
    `${wasted.length} of ${crawl.requested.size}`,
    `${(crawl.tookMs / 1000).toFixed(1)} s`,
  ])
  printTable('Real sites, crawled with the defaults', ['site', 'URLs', 'missing', 'excluded', 'wasted', 'took'], lines)
  for (const { site, missing, crawl, wasted } of all) {
    for (const page of missing.slice(0, 5)) console.log(`missing in ${site}: ${page}`)
    for (const page of wasted.slice(0, 5)) console.log(`wasted in ${site}: ${page}`)
    for (const [pattern, count] of crawl.excluded) console.log(`excluded in ${site}: ${count} URLs of ${pattern}`)
  }
}
