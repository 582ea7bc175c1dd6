// `npm run screenshots`: every scene in light and dark, of a real server that crawls the sample site, into docs/images.
// `--width 390 --into FOLDER` shows them as a phone does, to be looked at.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import type { CleanupContext } from '../test/testing/program.ts'
import { openBrowser, openPage, waitUntil } from '../test/web/testing/browser.ts'
import { startTestApp, type TestApp } from '../test/web/testing/test-app.ts'

const IMAGES = fileURLToPath(new URL('../docs/images/', import.meta.url))
const WIDTH = 1280
const THEMES = ['light', 'dark'] as const

interface Scene {
  name: string
  path: string
  /** Waits until everything that belongs in the picture is there. */
  ready(page: Page): Promise<void>
}

interface PreparedCrawls {
  before: string
  after: string
  /** The largest group of urls of the first. */
  group: string
}

/** Two crawls of the sample site, so that they can be compared; the pages are in the index when it is done. */
async function prepareCrawls({ client, address }: TestApp, page: Page): Promise<PreparedCrawls> {
  const first = await client.startDemo()
  await page.goto(`${address}/crawls/${first.crawl_id}`)
  await page.locator('header').getByText('Completed', { exact: true }).waitFor()
  await page.goto(`${address}/search`)
  await page.getByText(/^\d+ pages in the index$/).waitFor()
  // Not so deep, so that some of the pages are missing.
  const settings = { ...{ allow: ['127.0.0.1'], delay: 0, per_host: 2 }, depth: 4 }
  const second = await client.createCrawl({ body: { url: first.root_url, settings } })
  const query = { group: 'path', limit: 3000 } as const
  const { nodes } = await client.getGraph({ params: { crawl_id: first.crawl_id }, query })
  const largest = nodes.toSorted((a, b) => b.urls - a.urls)[0]
  return { before: first.crawl_id, after: second.crawl_id, group: largest?.id ?? '' }
}

function scenesOf({ before, after, group }: PreparedCrawls): Scene[] {
  const crawl = `/crawls/${before}`
  const see = (text: string) => (page: Page) => page.getByText(text, { exact: true }).first().waitFor()
  const rests = (page: Page) => page.locator('[data-settled=true]').waitFor()
  return [
    { name: 'overview', path: `/crawls/${after}`, ready: waitForCharts },
    { name: 'crawls', path: '/', ready: see('Completed') },
    { name: 'new-crawl', path: '/new', ready: (page) => page.getByLabel('Start url', { exact: true }).waitFor() },
    { name: 'urls', path: `${crawl}/urls`, ready: see('Visited') },
    { name: 'url', path: `${crawl}/urls?url=9`, ready: (page) => page.getByText('What was decided').waitFor() },
    { name: 'graph', path: `${crawl}/graph?colour=depth`, ready: rests },
    { name: 'node', path: `${crawl}/graph?node=2`, ready: rests },
    { name: 'groups', path: `${crawl}/graph?group=path&edges=links&node=${encodeURIComponent(group)}`, ready: rests },
    { name: 'tree', path: `${crawl}/graph?view=tree`, ready: openBranch },
    { name: 'hosts', path: `${crawl}/hosts`, ready: see('No trap was seen') },
    { name: 'search', path: '/search?q=apple+trees', ready: waitForWarmSearch },
    { name: 'compare', path: `/compare?a=${before}&b=${after}`, ready: see('Differences') },
    { name: 'workers', path: '/workers', ready: see('working') },
    { name: 'settings', path: '/settings', ready: see('About') },
  ]
}

/** The second crawl is not done yet when its picture is taken, unless the machine is very fast. */
async function waitForCharts(page: Page): Promise<void> {
  const pace = page.getByText(/^[1-9][\d.]* pages\/s$/)
  await pace
    .or(page.locator('header').getByText('Completed', { exact: true }))
    .first()
    .waitFor()
  await page.locator('canvas').first().waitFor()
  // Curves need some seconds to be curves.
  await page.waitForTimeout(6000)
}

/** The rows of the branch are there when one of them is. */
async function openBranch(page: Page): Promise<void> {
  const branch = page.getByRole('button', { name: /^garden / })
  await branch.click()
  await page.getByRole('listitem').filter({ has: branch }).last().getByRole('link').first().waitFor()
}

/** The first answers are slower than usual: words and pages are read from the disk. */
async function waitForWarmSearch(page: Page): Promise<void> {
  const hit = page.locator('mark').first()
  for (let round = 0; round < 4; round++) {
    await hit.waitFor()
    await page.reload()
  }
  await hit.waitFor()
}

interface ScreenshotOptions {
  folder: string
  width: number
}

async function takeScreenshots(
  testApp: TestApp,
  browser: Browser,
  scene: Scene,
  { folder, width }: ScreenshotOptions,
): Promise<void> {
  for (const theme of THEMES) {
    const { page } = await openPage(browser, { theme, width })
    await page.goto(testApp.address + scene.path)
    await scene.ready(page)
    await waitUntil(page, async () => (await page.locator('[data-loading]').count()) === 0)
    await page.screenshot({ path: join(folder, `${scene.name}-${theme}.png`) })
    console.log(`${scene.name}-${theme}.png`)
    await page.context().close()
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { width: { type: 'string' }, into: { type: 'string' } } })
  const album = { folder: values.into ?? IMAGES, width: Number(values.width ?? WIDTH) }
  const ends: (() => unknown)[] = []
  const life: CleanupContext = { after: (putAway) => void ends.push(putAway) }
  try {
    await mkdir(album.folder, { recursive: true })
    const testApp = await startTestApp(life)
    const browser = await openBrowser(life)
    const { page } = await openPage(browser)
    const crawls = await prepareCrawls(testApp, page)
    for (const scene of scenesOf(crawls)) await takeScreenshots(testApp, browser, scene, album)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

await main()
