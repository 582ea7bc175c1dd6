// A server, a browser and one page that all tests of a file share, since loading a page takes a second and navigating
// within it does not.

import type { Browser, Page } from 'playwright-core'
import type { CleanupContext } from '../../testing/program.ts'
import { openBrowser, openPage, TIMEOUT_MS } from './browser.ts'
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.ts'

export interface AppSession {
  app: TestApp
  browser: Browser
  page: Page
  pageErrors: string[]
}

/** Opens the page on the list of crawls. */
export async function openAppSession(t: CleanupContext, settings: TestAppOptions = {}): Promise<AppSession> {
  const [app, browser] = await Promise.all([startTestApp(t, settings), openBrowser(t)])
  const { page, pageErrors } = await openPage(browser)
  await page.goto(app.address)
  return { app, browser, page, pageErrors }
}

export type CrawlRequest = ({ url: string } | { urls: string[] }) & { settings?: Record<string, unknown> }

const FAST_SETTINGS = { allow_private: true, delay: 0, per_host: 8, cooldown: 0 }

/** Starts a crawl and returns its id. */
export async function startCrawl(
  { client }: Pick<TestApp, 'client'>,
  { settings = {}, ...start }: CrawlRequest,
): Promise<string> {
  return (await client.createCrawl({ body: { ...start, settings: { ...FAST_SETTINGS, ...settings } } })).crawl_id
}

/** Runs a crawl to its end and returns its id. */
export async function runCrawlToEnd(testApp: Pick<TestApp, 'client'>, request: CrawlRequest): Promise<string> {
  const crawl_id = await startCrawl(testApp, request)
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const crawl = await testApp.client.getCrawl({ params: { crawl_id } })
    if (crawl.status !== 'running') return crawl_id
    if (Date.now() > deadline) throw new Error(`the crawl did not end: ${JSON.stringify(crawl)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export function locateStatus(page: Page, text: string) {
  return page.locator('header').getByText(text, { exact: true })
}
