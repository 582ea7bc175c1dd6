// `npm run bench:render`: Orbweaver and Crawlee's PlaywrightCrawler in turn on the same site of a real framework, with the
// same browser and the same number of pages at a time. Then a plain site with and without --render auto. Only ratios
// within one run are comparable. Flags: --pages N, --rounds N, --only orbweaver|crawlee|plain, --plain-pages N (0: none),
// --file-age SECONDS, --quick.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { packagedBrowser } from '../src/render/testing/test-pool.ts'
import { servePlainSite } from '../test/sites/plain-site.ts'
import { buildApps } from '../test/sites/rendered/build-apps.ts'
import { reactSite } from '../test/sites/rendered/rendered-sites.ts'
import { launcherPath } from '../test/testing/launcher.ts'
import { listProcessTree, readProc } from '../test/testing/process-tree.ts'
import { median } from '../test/testing/statistics.ts'
import { formatFixed, formatMegabytes, printTable } from '../test/testing/table.ts'
import { exitOnSignals, makeWorkspace } from '../test/testing/workspace.ts'
import { crawlArguments } from './harness/orbweaver.ts'

const { values: flags } = parseArgs({
  options: {
    pages: { type: 'string', default: '120' },
    rounds: { type: 'string', default: '3' },
    'plain-pages': { type: 'string', default: '4000' },
    /** Cache lifetime of the site's files in seconds; 0: their headers say nothing, as with many servers. */
    'file-age': { type: 'string', default: '0' },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
})
/** The pool has two browsers with six pages each. */
const PAGES_AT_A_TIME = 12
const PEERS = ['@crawlee/playwright@3.18.1', 'playwright-core@1.65.0']
const SAMPLE_MS = 200
/** Reading the memory of a process holds it up, so it is read less often. */
const SAMPLES_PER_MEMORY = 5
/** After this many pages, both browsers run and their caches are warm. */
const WARM_PAGES = 20
const TICK_MS = 10

interface Round {
  pages: number
  wallMs: number
  cpuMs: number
  peakBytes: number
  browserBytes: number
  requests: number
  warmRate: number
}

type Measured = Omit<Round, 'pages' | 'requests' | 'warmRate'>

/** CPU of all processes that were seen, and the largest proportional share of memory they had together. */
async function measure(file: string, args: string[], cwd?: string): Promise<Measured> {
  const startedAt = performance.now()
  const child = spawn(file, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  const cpu = new Map<number, number>()
  let peakBytes = 0
  let browserBytes = 0
  let samples = 0
  const sampler = setInterval(() => {
    const tree = listProcessTree(child.pid)
    for (const pid of tree) {
      const fields = readProc(`${pid}/stat`)?.split(') ')[1]?.split(' ') ?? []
      cpu.set(pid, (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS)
    }
    samples += 1
    if (samples % SAMPLES_PER_MEMORY !== 1) return
    const bytesOf = (pid: number) =>
      Number(/^Pss:\s+(\d+)/m.exec(readProc(`${pid}/smaps_rollup`) ?? '')?.[1] ?? 0) * 1024
    const sum = (pids: number[]) => pids.reduce((total, pid) => total + bytesOf(pid), 0)
    const browsers = tree.filter((pid) => /chrom/.test(readProc(`${pid}/cmdline`)?.split('\0')[0] ?? ''))
    peakBytes = Math.max(peakBytes, sum(tree))
    browserBytes = Math.max(browserBytes, sum(browsers))
  }, SAMPLE_MS)
  const [code] = (await once(child, 'close')) as [number | null]
  clearInterval(sampler)
  if (code !== 0) throw new Error(`${file} exited with code ${code}.`)
  const cpuMs = [...cpu.values()].reduce((total, ms) => total + ms, 0)
  return { wallMs: performance.now() - startedAt, cpuMs, peakBytes, browserBytes }
}

const workspace = makeWorkspace()
exitOnSignals()
const cleanUps: (() => unknown)[] = []
const t = { after: (cleanUp: () => unknown) => void cleanUps.push(cleanUp) }
const browser = (await packagedBrowser()).path
const rounds = flags.quick ? 1 : Number(flags.rounds)

function installCrawlee(): string {
  const folder = workspace.folder('peers')
  mkdirSync(folder)
  const script = fileURLToPath(new URL('./peers/playwright.mjs', import.meta.url))
  copyFileSync(script, join(folder, 'playwright.mjs'))
  console.error('Installing Crawlee into a temporary folder.')
  const { status } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PEERS], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('npm install failed.')
  return folder
}

async function benchRendering(): Promise<void> {
  const items = flags.quick ? 30 : Number(flags.pages)
  const app = reactSite(items)
  const files = await buildApps()
  const lifetime: Record<string, string> =
    flags['file-age'] === '0' ? {} : { 'cache-control': `max-age=${flags['file-age']}` }
  const site = await servePlainSite(t, (path) => {
    const code = files.get(path)
    if (code === undefined) return app.respond(path)
    return { headers: { 'content-type': 'text/javascript', ...lifetime }, body: code }
  })
  const crawlers = new Map<string, () => Promise<Measured>>()
  if (flags.only !== 'crawlee') {
    crawlers.set('Orbweaver', () => {
      const rendering = ['--archive', 'none', '--render', 'all', '--browser', browser]
      return measure(launcherPath, crawlArguments([`${site.origin}/`], workspace, rendering))
    })
  }
  if (flags.only !== 'orbweaver') {
    const folder = installCrawlee()
    crawlers.set('Crawlee PlaywrightCrawler', () =>
      measure(process.execPath, ['playwright.mjs', `${site.origin}/`, browser, String(PAGES_AT_A_TIME)], folder),
    )
  }
  const results = new Map<string, Round[]>([...crawlers.keys()].map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, crawl] of crawlers) {
      site.requests.length = 0
      const measured = await crawl()
      const paths = new Set(site.paths().filter((path) => path in app.expected))
      // Every item requests its data when it is rendered.
      const times = site.requests.filter(({ path }) => path.startsWith('/api/items/')).map(({ startedAt }) => startedAt)
      const warmMs = (times.at(-1) ?? 0) - (times[WARM_PAGES] ?? 0)
      const warmRate = (times.length - WARM_PAGES - 1) / (warmMs / 1000)
      results.get(name)?.push({ ...measured, pages: paths.size, requests: site.requests.length, warmRate })
    }
  }
  const expected = Object.keys(app.expected).length
  printTable(
    `A React application of ${expected} pages, ${PAGES_AT_A_TIME} at a time, medians of ${rounds}`,
    ['crawler', 'pages', 'pages/s', 'warm', 'CPU ms/page', 'requests', 'requests/page', 'memory', 'browsers'],
    [...results].map(([name, all]) => {
      const of = (pick: (round: Round) => number) => median(all.map(pick))
      return [
        name,
        String(of(({ pages }) => pages)),
        formatFixed(
          of(({ pages, wallMs }) => pages / (wallMs / 1000)),
          1,
        ),
        formatFixed(
          of(({ warmRate }) => warmRate),
          1,
        ),
        formatFixed(
          of(({ pages, cpuMs }) => cpuMs / pages),
          0,
        ),
        String(of(({ requests }) => requests)),
        formatFixed(
          of(({ pages, requests }) => requests / pages),
          1,
        ),
        formatMegabytes(of(({ peakBytes }) => peakBytes)),
        formatMegabytes(of(({ browserBytes }) => browserBytes)),
      ]
    }),
  )
}

/** Pages with text and links. Pages with a place that a script may fill are sampled, which starts a browser. */
const PLAIN_SITES: Record<string, PlainTemplate> = {
  'no script': { script: null, place: '' },
  'a script': { script: '/menu.js', place: '' },
  'a script and an empty list': { script: '/menu.js', place: '<ul id="menu"></ul>' },
}

interface PlainTemplate {
  script: string | null
  place: string
}

function plainPage(path: string, pages: number, { script, place }: PlainTemplate) {
  if (path === script) return { headers: { 'content-type': 'text/javascript' }, body: 'document.title += ""' }
  const number = path === '/' ? 0 : Number(/^\/(\d+)$/.exec(path)?.[1] ?? Number.NaN)
  if (Number.isNaN(number)) return null
  const links = [1, 2, 3, 4].map((i) => (number * 4 + i) % pages).map((to) => `<a href="/${to}">Page ${to}</a>`)
  const text = Array.from({ length: 400 }, (_, i) => `word${(number * 7 + i * 13) % 997}`).join(' ')
  const head = script === null ? '' : `<script src="${script}" defer></script>`
  return `<!doctype html><title>Page ${number}</title>${head}${place}<p>${text}</p>${links.join(' ')}`
}

async function benchPlainSite(name: string, template: PlainTemplate): Promise<void> {
  const pages = flags.quick ? 500 : Number(flags['plain-pages'])
  const site = await servePlainSite(t, (path) => plainPage(path, pages, template))
  const ratios: number[] = []
  const costs: Record<string, number[]> = { off: [], auto: [] }
  for (let round = 0; round < rounds * 3; round += 1) {
    const cpu: Record<string, number> = {}
    for (const render of round % 2 === 0 ? ['off', 'auto'] : ['auto', 'off']) {
      const rendering = ['--render', render, '--browser', browser]
      const { cpuMs } = await measure(launcherPath, crawlArguments([`${site.origin}/`], workspace, rendering))
      cpu[render] = cpuMs / pages
      costs[render]?.push(cpuMs / pages)
    }
    ratios.push((cpu['auto'] ?? 0) / (cpu['off'] ?? 1))
  }
  printTable(
    `A plain site of ${pages} pages with ${name}, medians of ${ratios.length} pairs`,
    ['--render', 'CPU ms/page', 'ratio'],
    [
      ['off', formatFixed(median(costs['off'] ?? []), 3), '1'],
      ['auto', formatFixed(median(costs['auto'] ?? []), 3), formatFixed(median(ratios), 3)],
    ],
  )
}

if (flags.only !== 'plain') await benchRendering()
if ((flags.only === undefined || flags.only === 'plain') && flags['plain-pages'] !== '0')
  for (const [name, template] of Object.entries(PLAIN_SITES)) await benchPlainSite(name, template)
for (const cleanUp of cleanUps) await cleanUp()
workspace.remove()
process.exit(0)
