// `npm run bench:web`: how smooth the web app is in a real Chromium. Measures frames/s while the graph of a crawl with
// 100,000 URLs is dragged and while the table of a million URLs is scrolled, and the time until a scene is usable. This
// browser renders WebGL in software on the same cores as the server, so a GPU is faster. --quick makes a small run.

import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { runToExitCode } from '../test/testing/run-to-exit-code.ts'
import { median } from '../test/testing/statistics.ts'
import { formatCount, formatFixed, printTable } from '../test/testing/table.ts'
import { exitOnSignals } from '../test/testing/workspace.ts'
import { openBrowser, openPage, waitUntil } from '../test/web/testing/browser.ts'
import { startTestApp } from '../test/web/testing/test-app.ts'
import { type FrameTimes, measureFrames } from './measurements/web-frames.ts'
import { withStore, writeListCrawl, writeSiteCrawl } from './measurements/web-store.ts'

const FULL = { siteUrls: 100_000, listUrls: 1_000_000, loads: 5 }
const QUICK = { siteUrls: 10_000, listUrls: 50_000, loads: 2 }
const MIN_FRAMES_PER_SECOND = 30
const MAX_INTERACTIVE_MS = 1000
const MOVE_MS = 4000
/** Distance per frame: about one and a half rows. */
const SCROLL_PX = 50

/** Crawl ids, or the addresses of their scenes. */
interface BenchCrawls {
  site: string
  list: string
}

interface BenchScene {
  name: string
  address: string
  /** An element of the scene that appears last. */
  selector: string
}

async function fillStore(data: string, { siteUrls, listUrls }: typeof FULL): Promise<BenchCrawls> {
  return withStore(data, async (store) => ({
    site: await writeSiteCrawl(store, siteUrls),
    list: await writeListCrawl(store, listUrls),
  }))
}

/** Drags the settled graph back and forth. */
async function moveGraph(browser: Browser, address: string): Promise<{ frames: FrameTimes; drawn: string }> {
  const { page } = await openPage(browser)
  await page.goto(address)
  await page.locator('[data-settled=true]').waitFor()
  const box = await page.getByRole('application').boundingBox()
  if (box === null) throw new Error('The graph is missing.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  // The graph of URLs listens to the mouse, the map of groups to pointers; the mouse is pointer 1.
  const drag = `(ms) => {
    const at = { bubbles: true, pointerId: 1, clientX: ${x} + 250 * Math.sin(ms / 300), clientY: ${y} + 120 * Math.cos(ms / 300) }
    const target = document.elementFromPoint(${x}, ${y})
    target.dispatchEvent(new MouseEvent('mousemove', at))
    target.dispatchEvent(new PointerEvent('pointermove', at))
  }`
  const frameTimes = await measureFrames(page, drag, MOVE_MS)
  await page.mouse.up()
  const drawn = (await page.getByRole('status').filter({ hasText: 'URLs' }).first().textContent()) ?? ''
  await page.context().close()
  return { frames: frameTimes, drawn }
}

async function scrollTable(browser: Browser, address: string): Promise<{ frames: FrameTimes; drawn: string }> {
  const { page } = await openPage(browser)
  await page.goto(address)
  await page.locator('[data-row="0"] a').waitFor()
  const scroll = `() => document.querySelector('section[aria-label=URLs]').scrollBy(0, ${SCROLL_PX})`
  const frameTimes = await measureFrames(page, scroll, MOVE_MS)
  const row = await page.locator('[data-row]').last().getAttribute('data-row')
  await page.context().close()
  return { frames: frameTimes, drawn: `to row ${formatCount(Number(row))}` }
}

/** Runs inside the page, because querying it from outside takes longer than the measured time. */
function usableScript(selector: string): string {
  return `const watch = new MutationObserver(() => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return
    watch.disconnect()
    requestIdleCallback(() => { globalThis.usableAt = performance.now() })
  })
  watch.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['data-settled'] })`
}

/** Times from the first request, with an empty cache, until the scene is visible and its event loop is idle. */
async function timeLoads(browser: Browser, { address, selector }: BenchScene, loads: number): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < loads; i++) {
    const { page } = await openPage(browser)
    await page.addInitScript(usableScript(selector))
    await page.goto(address)
    await waitUntil(page, async () => (await page.evaluate('typeof usableAt')) === 'number')
    times.push(Number(await page.evaluate('usableAt')))
    await page.context().close()
  }
  return times
}

async function benchMoves(browser: Browser, at: BenchCrawls): Promise<boolean> {
  const moved = [
    ['graph: groups', await moveGraph(browser, `${at.site}/graph`)],
    ['graph: groups, all links', await moveGraph(browser, `${at.site}/graph?edges=links`)],
    ['graph: 3,000 urls', await moveGraph(browser, `${at.site}/graph?group=url&limit=3000`)],
    ['graph: 10,000 urls', await moveGraph(browser, `${at.site}/graph?group=url&limit=10000`)],
    ['table', await scrollTable(browser, `${at.list}/urls`)],
  ] as const
  printTable(
    `Frame rate on ${availableParallelism()} cores, rendered in software (SwiftShader)`,
    ['', 'frames/s', 'median ms', '95% ms', 'worst ms', 'visible'],
    moved.map(([name, { frames, drawn }]) => [
      name,
      formatFixed(frames.perSecond, 1),
      ...[frames.medianMs, frames.p95Ms, frames.worstMs].map((ms) => formatFixed(ms, 1)),
      drawn,
    ]),
  )
  const isSmooth = moved.every(([, { frames }]) => frames.perSecond > MIN_FRAMES_PER_SECOND)
  console.log(`Goal ${isSmooth ? 'met' : 'missed'}: over ${MIN_FRAMES_PER_SECOND} frames/s.`)
  return isSmooth
}

async function benchLoads(browser: Browser, scenes: BenchScene[], loads: number): Promise<boolean> {
  const rows: { name: string; times: number[] }[] = []
  for (const benchScene of scenes)
    rows.push({ name: benchScene.name, times: await timeLoads(browser, benchScene, loads) })
  printTable(
    'Time until a scene is usable, empty cache',
    ['', 'median ms', 'worst ms'],
    rows.map(({ name, times }) => [name, formatFixed(median(times), 0), formatFixed(Math.max(...times), 0)]),
  )
  const isSoon = rows.every(({ times }) => median(times) < MAX_INTERACTIVE_MS)
  console.log(`Goal ${isSoon ? 'met' : 'missed'}: under ${MAX_INTERACTIVE_MS} ms.`)
  return isSoon
}

function scenesOf(address: string, at: BenchCrawls): BenchScene[] {
  return [
    { name: 'crawls', address, selector: '[role=img][aria-label*=" URLs: "]' },
    { name: 'overview', address: at.site, selector: '[aria-label="Status codes"] li' },
    { name: 'urls', address: `${at.list}/urls`, selector: '[data-row="0"] a' },
    { name: 'graph', address: `${at.site}/graph`, selector: '[data-settled=true]' },
    { name: 'treemap', address: `${at.site}/graph?view=treemap`, selector: '[data-cell]' },
  ]
}

async function benchWeb(): Promise<boolean> {
  const { values } = parseArgs({ options: { quick: { type: 'boolean' } } })
  const sizes = values.quick === true ? QUICK : FULL
  const cleanUps: (() => unknown)[] = []
  const t = { after: (cleanUp: () => unknown) => void cleanUps.unshift(cleanUp) }
  try {
    let benchCrawls: BenchCrawls = { site: '', list: '' }
    const testApp = await startTestApp(t, {
      flags: ['--roles', 'api'],
      async prepare(data) {
        benchCrawls = await fillStore(data, sizes)
      },
    })
    const browser = await openBrowser(t)
    const at = {
      site: `${testApp.address}/crawls/${benchCrawls.site}`,
      list: `${testApp.address}/crawls/${benchCrawls.list}`,
    }
    const isSmooth = await benchMoves(browser, at)
    return (await benchLoads(browser, scenesOf(testApp.address, at), sizes.loads)) && isSmooth
  } finally {
    for (const cleanUp of cleanUps) await cleanUp()
  }
}

exitOnSignals()
await runToExitCode(benchWeb)
