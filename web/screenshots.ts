// `npm run screenshots`: takes a picture of every scene, light and dark, of a real server that crawls the sample site,
// and saves it in docs/images. In the pictures, sites have real-looking names instead of 127.0.0.1. `--width 390 --into
// FOLDER` takes pictures of the phone layout, `--only changes,monitors` those of some scenes.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { changeBakery, STORY, serveBakery } from '../test/sites/changing-bakery.ts'
import type { CleanupContext } from '../test/testing/program.ts'
import { openBrowser, openPage, waitUntil } from '../test/web/testing/browser.ts'
import { startTestApp, type TestApp } from '../test/web/testing/test-app.ts'

const IMAGES = fileURLToPath(new URL('../docs/images/', import.meta.url))
const WIDTH = 1280
const THEMES = ['light', 'dark'] as const

interface Scene {
  name: string
  path: string
  /** Waits until the scene is complete. */
  ready(page: Page): Promise<void>
}

/** The names of the sites in the pictures, by their host on loopback. */
type SiteNames = ReadonlyMap<string, string>

interface PreparedCrawls {
  before: string
  after: string
  /** A crawl that has found changes. */
  watching: string
  /** The largest path group of the first crawl. */
  group: string
  /** The id of a URL of the first crawl, one link from its start. */
  urlId: number
  names: SiteNames
}

/** Runs two crawls of the sample site to compare, and waits until the pages of the first are indexed. */
async function prepareCrawls({ client, address }: TestApp, page: Page, bakery: Bakery): Promise<PreparedCrawls> {
  const first = await client.startDemo()
  await page.goto(`${address}/crawls/${first.crawl_id}`)
  await page.locator('header').getByText('Completed', { exact: true }).waitFor()
  await page.goto(`${address}/find`)
  await page.getByText(/^\d+ pages indexed$/).waitFor()
  // A lower depth limit, so that some pages are missing.
  const settings = { allow: ['127.0.0.1'], delay: 0, per_host: 2, depth: 4 }
  const second = await client.createCrawl({ body: { url: first.root_url, settings } })
  const query = { group: 'path', limit: 3000 } as const
  const { nodes } = await client.getGraph({ params: { crawl_id: first.crawl_id }, query })
  const largest = nodes.toSorted((a, b) => b.urls - a.urls)[0]
  const { items } = await client.listUrls({ params: { crawl_id: first.crawl_id }, query: { depth: 1, limit: 1 } })
  const names = new Map([
    [new URL(first.root_url).host, 'www.hedgerow.example'],
    [bakery.host, 'corner-bakery.example'],
  ])
  return {
    before: first.crawl_id,
    after: second.crawl_id,
    watching: bakery.crawlId,
    group: renameSites(largest?.id ?? '', names),
    urlId: items[0]?.url_id ?? 0,
    names,
  }
}

interface Bakery {
  crawlId: string
  host: string
}

/** Watches a site until it has changed and its pages have hits, and returns the paused crawl. */
async function prepareChanges({ client }: TestApp, context: CleanupContext): Promise<Bakery> {
  const site = await serveBakery()
  context.after(() => site.close())
  const words = { kind: 'words' as const, words: ['rye bread', 'half a loaf'] }
  await client.createMonitor({ body: { name: 'Prices of bread', rule: words } })
  const copies = { kind: 'copies', min_words: 50 } as const
  const { monitor_id } = await client.createMonitor({ body: { name: 'Copies of our handbook', rule: copies } })
  const document = { title: 'handbook.txt', text: STORY.join(' ').replace('Tuesday', 'Monday') }
  await client.addMonitorDocument({ params: { monitor_id }, body: document })
  const settings = { allow: ['127.0.0.1'], ignore_robots: true, delay: 0, per_host: 2, recrawl: '1s', traps: false }
  const { crawl_id } = await client.createCrawl({ body: { url: `${site.origin}/`, settings } })
  const waitFor = async (isDone: () => Promise<boolean> | boolean): Promise<void> => {
    while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 200))
  }
  await waitFor(() => site.requestsOf('/prices').length > 2)
  changeBakery(site)
  await waitFor(async () => {
    const { changed, added, removed, redirected } = await client.countChanges({ query: { crawl_id } })
    return changed + added + removed + redirected >= 6
  })
  await client.pauseCrawl({ params: { crawl_id } })
  await waitFor(async () => (await client.listHits({ query: { monitor_id } })).items.length > 0)
  return { crawlId: crawl_id, host: new URL(site.origin).host }
}

function listScenes({ before, after, watching, group, urlId }: PreparedCrawls): Scene[] {
  const crawl = `/crawls/${before}`
  const waitForText = (text: string) => (page: Page) => page.getByText(text, { exact: true }).first().waitFor()
  const waitForLayout = (page: Page) => page.locator('[data-settled=true]').waitFor()
  const waitForNode = async (page: Page) => {
    await page.getByText('Incoming links').waitFor()
    await waitForLayout(page)
  }
  return [
    { name: 'overview', path: `/crawls/${after}`, ready: waitForCharts },
    { name: 'crawls', path: '/', ready: waitForText('Completed') },
    {
      name: 'new-crawl',
      path: '/new?url=www.hedgerow.example/garden/',
      ready: (page) => page.getByRole('region', { name: 'What will happen' }).waitFor(),
    },
    { name: 'urls', path: `${crawl}/urls`, ready: waitForText('Visited') },
    { name: 'url', path: `${crawl}/urls?url=${urlId}`, ready: (page) => page.getByText('Crawl decision').waitFor() },
    { name: 'graph', path: `${crawl}/graph?colour=depth`, ready: waitForLayout },
    { name: 'node', path: `${crawl}/graph?node=${urlId}`, ready: waitForNode },
    {
      name: 'groups',
      path: `${crawl}/graph?group=path&edges=links&node=${encodeURIComponent(group)}`,
      ready: waitForLayout,
    },
    { name: 'tree', path: `${crawl}/graph?view=tree`, ready: openBranch },
    {
      name: 'treemap',
      path: `${crawl}/graph?view=treemap`,
      ready: (page) => page.locator('[data-cell]').first().waitFor(),
    },
    { name: 'hosts', path: `${crawl}/hosts`, ready: waitForText('No traps found') },
    { name: 'search', path: '/find?q=apple+trees', ready: waitForWarmSearch },
    { name: 'compare', path: `/compare?a=${before}&b=${after}`, ready: waitForText('Differences') },
    {
      name: 'changes',
      path: `/crawls/${watching}/changes`,
      ready: (page) => page.getByRole('article').first().waitFor(),
    },
    { name: 'change', path: `/crawls/${watching}/changes`, ready: openPriceChange },
    { name: 'monitors', path: '/monitors', ready: waitForText('Open') },
    { name: 'hit', path: '/monitors', ready: openCopy },
    { name: 'workers', path: '/workers', ready: waitForText('Working') },
    { name: 'settings', path: '/settings', ready: waitForText('About') },
  ]
}

/** The second crawl is still running at this point, unless the machine is very fast. */
async function waitForCharts(page: Page): Promise<void> {
  const rate = page.getByText(/^[1-9][\d.]* pages\/s$/)
  await rate
    .or(page.locator('header').getByText('Completed', { exact: true }))
    .first()
    .waitFor()
  await page.locator('canvas').first().waitFor()
  // Charts need a few seconds of samples.
  await page.waitForTimeout(6000)
}

/** Opens a branch and waits for its first row. */
async function openBranch(page: Page): Promise<void> {
  const branch = page.getByRole('button', { name: /^garden / })
  await branch.click()
  await page.getByRole('listitem').filter({ has: branch }).last().getByRole('link').first().waitFor()
}

async function openPriceChange(page: Page): Promise<void> {
  await page.getByRole('link', { name: /\/prices$/ }).click()
  await page.getByRole('region', { name: 'Text changes' }).waitFor()
}

async function openCopy(page: Page): Promise<void> {
  await page.getByRole('link', { name: /\/story$/ }).click()
  await page.getByText('In the document').waitFor()
}

/** The first queries are slow because the index is read from disk, and the picture shows the time. */
async function waitForWarmSearch(page: Page): Promise<void> {
  const hit = page.locator('mark').first()
  for (let round = 0; round < 4; round++) {
    await hit.waitFor()
    await page.reload()
  }
  await hit.waitFor()
}

function renameSites(text: string, names: SiteNames): string {
  return [...names].reduce((renamed, [host, name]) => renamed.replaceAll(host, name), text)
}

/** A request for something whose label has a name, with its host again. */
function withHosts(url: string, names: SiteNames): string {
  return [...names].reduce((renamed, [host, name]) => renamed.replaceAll(name, encodeURIComponent(host)), url)
}

/** Replaces the hosts in everything that the server sends. Live lists are polled, since a stream never ends. */
async function nameSites(page: Page, names: SiteNames): Promise<void> {
  const rename = (text: string): string => renameSites(text, names)
  await page.route('**/api/v1/**', async (route) => {
    if (/\/events|\/replay|\/raw/.test(route.request().url())) return route.continue()
    const response = await route.fetch({ url: withHosts(route.request().url(), names) })
    const isText = /json|text/.test(response.headers()['content-type'] ?? '')
    return isText ? route.fulfill({ response, body: rename(await response.text()) }) : route.fulfill({ response })
  })
  await page.routeWebSocket('**/api/v1/**', (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => socket.send(typeof message === 'string' ? rename(message) : message))
  })
}

interface ScreenshotOptions {
  folder: string
  width: number
  names: SiteNames
}

async function takeScreenshots(
  testApp: TestApp,
  browser: Browser,
  scene: Scene,
  { folder, width, names }: ScreenshotOptions,
): Promise<void> {
  for (const theme of THEMES) {
    const { page } = await openPage(browser, { theme, width })
    await nameSites(page, names)
    await page.goto(testApp.address + scene.path)
    await scene.ready(page)
    await waitUntil(page, async () => (await page.locator('[data-loading]').count()) === 0)
    await page.screenshot({ path: join(folder, `${scene.name}-${theme}.png`) })
    console.log(`${scene.name}-${theme}.png`)
    // Requests that poll may be in flight.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.context().close()
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { width: { type: 'string' }, into: { type: 'string' }, only: { type: 'string' } },
  })
  const only = values.only?.split(',')
  const options = { folder: values.into ?? IMAGES, width: Number(values.width ?? WIDTH) }
  const cleanups: (() => unknown)[] = []
  const context: CleanupContext = { after: (cleanup) => void cleanups.push(cleanup) }
  try {
    await mkdir(options.folder, { recursive: true })
    const testApp = await startTestApp(context)
    const browser = await openBrowser(context)
    const { page } = await openPage(browser)
    const crawls = await prepareCrawls(testApp, page, await prepareChanges(testApp, context))
    const scenes = listScenes(crawls).filter(({ name }) => only === undefined || only.includes(name))
    for (const scene of scenes) await takeScreenshots(testApp, browser, scene, { ...options, names: crawls.names })
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup()
  }
}

await main()
