// What most files need: the program, a browser, and one page that stays open for all their cases. Loading a page takes
// a second; to go from scene to scene in it does not.

import type { Browser, Page } from 'playwright-core'
import type { Ending } from '../e2e/program.ts'
import { type App, type AppSettings, startApp } from './app.ts'
import { openBrowser, openPage, PATIENCE_MS } from './browser.ts'

export interface Stage {
  app: App
  browser: Browser
  page: Page
  complaints: string[]
}

/** The page is on the list of crawls. */
export async function openStage(t: Ending, settings: AppSettings = {}): Promise<Stage> {
  const [app, browser] = await Promise.all([startApp(t, settings), openBrowser(t)])
  const { page, complaints } = await openPage(browser)
  await page.goto(app.address)
  return { app, browser, page, complaints }
}

export interface CrawlWish {
  url: string
  settings?: Record<string, unknown>
}

const FAST = { allow_private: true, delay: 0, per_host: 8, cooldown: 0 }

/** Answers its id at once. */
export async function begin({ client }: App, { url, settings = {} }: CrawlWish): Promise<string> {
  return (await client.createCrawl({ body: { url, settings: { ...FAST, ...settings } } })).crawl_id
}

/** Answers its id when it has ended. */
export async function crawlToEnd(app: App, wish: CrawlWish): Promise<string> {
  const crawl_id = await begin(app, wish)
  const giveUpAt = Date.now() + PATIENCE_MS
  for (;;) {
    const crawl = await app.client.getCrawl({ params: { crawl_id } })
    if (crawl.status !== 'running') return crawl_id
    if (Date.now() > giveUpAt) throw new Error(`the crawl does not end: ${JSON.stringify(crawl)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export function statusIn(page: Page, text: string) {
  return page.locator('header').getByText(text, { exact: true })
}
