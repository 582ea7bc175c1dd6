import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { locateStatus, openAppSession, startCrawl } from './testing/app-session.ts'
import { navigateTo, openPage, waitUntil } from './testing/browser.ts'
import { type GatedSite, serveGatedSite } from './testing/gated-site.ts'

const PAGES = 30
const OPEN = 12

// All tests share one server and one page; each has its own site.
const { app, browser, page, pageErrors } = await openAppSession({ after }, { flags: ['--grace', '500'] })

// The server takes a sample every five seconds, so this crawl waits at its gate while other tests run.
const watched = await serveGatedSite({ after }, { pages: PAGES, open: OPEN })
let watchedId = ''

const serveSite = (t: TestContext) => serveGatedSite(t, { pages: PAGES, open: OPEN })
const status = (text: string) => locateStatus(page, text)
const total = page
  .locator('header')
  .getByText(`${PAGES + 1} URLs`)
  .first()

/** Starts a crawl through the API that stops at the gate, and opens it. */
async function crawlToGate(t: TestContext): Promise<{ site: GatedSite; crawlId: string }> {
  const site = await serveSite(t)
  const crawlId = await startCrawl(app, { url: site.origin, settings: { per_host: 4, retries: 0 } })
  await navigateTo(page, `/crawls/${crawlId}`)
  await page.getByRole('heading', { name: new URL(site.origin).host }).waitFor()
  await status('Running').waitFor()
  await total.waitFor()
  return { site, crawlId }
}

/** Returns and clears the errors of the page. */
function takePageErrors(): string[] {
  return pageErrors.splice(0)
}

test('a crawl is created in the form and followed to its end without a reload', async (t) => {
  const site = await serveSite(t)
  await page.getByRole('heading', { name: 'No crawls yet' }).waitFor()
  await page.getByLabel('Start URL', { exact: true }).fill(site.origin)
  // The form rejects a loopback address before the crawl starts, and offers to allow it.
  await page.getByRole('button', { name: 'Allow 127.0.0.1' }).click()
  await page.locator('summary', { hasText: 'More settings' }).click()
  await page.locator('summary', { hasText: 'Speed' }).click()
  await page.getByLabel('Requests per host', { exact: true }).fill('none')
  await page.getByText('It must be a whole number').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Start crawl' }).isDisabled())
  await page.getByLabel('Requests per host', { exact: true }).fill('4')
  await page.getByLabel('Delay', { exact: true }).fill('0')
  await page.getByText('Ready', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Start crawl' }).click()

  await page.waitForURL(/\/crawls\/[\w-]+$/)
  await status('Running').waitFor()
  await total.waitFor()
  site.release()
  await status('Completed').waitFor()
  await page.getByRole('link', { name: `Visited ${PAGES}` }).waitFor()
  await page.getByRole('link', { name: 'Not found 1' }).waitFor()
  // The other cards show the final stats too.
  const codes = page.getByRole('list', { name: 'Status codes' })
  await codes
    .getByRole('listitem')
    .filter({ hasText: `200${PAGES}` })
    .waitFor()
  await page.getByRole('row', { name: `${new URL(site.origin).host} ${PAGES + 1} ${PAGES} 1 ` }).waitFor()
  await page
    .getByRole('img', { name: `${PAGES + 1} URLs: ${PAGES} visited, 1 not found` })
    .first()
    .waitFor()
  assert.deepEqual(takePageErrors(), [])
})

test('a crawl starts in the background', async () => {
  watchedId = await startCrawl(app, { url: watched.origin, settings: { per_host: 4 } })
})

test('a crawl pauses and resumes', async (t) => {
  const { site } = await crawlToGate(t)
  await page.getByRole('button', { name: 'Pause' }).click()
  await status('Paused').waitFor()
  site.release()
  await page.getByRole('button', { name: 'Resume' }).click()
  await status('Completed').waitFor()
  await page.getByRole('link', { name: `Visited ${PAGES}` }).waitFor()
  assert.deepEqual(takePageErrors(), [])
})

test('limits can be edited while a crawl runs', async (t) => {
  const { crawlId } = await crawlToGate(t)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Max pages').fill('many')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText('It must be a whole number').waitFor()
  // The browser logs the rejected request.
  takePageErrors()
  await page.getByLabel('Max pages').fill('500')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const crawl = await app.client.getCrawl({ params: { crawl_id: crawlId } })
  assert.equal(crawl.settings['max_pages'], 500)
  assert.deepEqual(takePageErrors(), [])
})

test('a crawl is cancelled, run again and deleted', async (t) => {
  const { site } = await crawlToGate(t)
  const first = page.url()
  const more = page.getByRole('button', { name: 'More actions' })
  await more.click()
  await page.getByRole('button', { name: 'Cancel crawl', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel crawl' }).click()
  // The crawl ends when its requests in flight finish.
  await page.getByText('The crawl ends when').waitFor()
  site.release()
  await status('Cancelled').waitFor()
  await page.getByRole('button', { name: 'Run again', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Run again', exact: true }).click()
  await page.waitForURL((url) => url.href !== first)
  await status('Completed').waitFor()
  await more.click()
  await page.getByRole('button', { name: 'Delete crawl', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete crawl' }).click()
  await page.getByRole('heading', { name: 'Crawls' }).waitFor()
  assert.deepEqual(takePageErrors(), [])
})

test('URLs that were not found are retried', async (t) => {
  const { site } = await crawlToGate(t)
  site.release()
  await status('Completed').waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Retry URLs' }).click()
  await page.getByRole('radio', { name: 'Not found' }).check()
  await page.getByRole('button', { name: 'Queue URLs' }).click()
  await page.getByText('1 URL queued').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await status('Completed').waitFor()
})

test('a page reloaded during a crawl shows live progress again', async (t) => {
  const { site } = await crawlToGate(t)
  await page.reload()
  await status('Running').waitFor()
  site.release()
  await status('Completed').waitFor()
  assert.deepEqual(takePageErrors(), [])
})

test('charts include the history from before the page was opened', async (t) => {
  const params = { crawl_id: watchedId }
  await waitUntil(page, async () => (await app.client.getHistory({ params })).samples.length > 1)
  watched.release()
  await waitUntil(page, async () => (await app.client.getCrawl({ params })).status === 'completed')
  // This page was not open while the crawl ran.
  const other = await openPage(browser)
  t.after(() => other.page.context().close())
  await other.page.goto(`${app.address}/crawls/${watchedId}`)
  await other.page.getByRole('figure', { name: /^URLs by state\. Visited: \d+/ }).waitFor()
  assert.deepEqual(other.pageErrors, [])
})

test('charts are drawn if the browser reports an invalid language', async (t) => {
  const other = await openPage(browser)
  t.after(() => other.page.context().close())
  // Headless browsers report this under LANG=C.
  await other.page.addInitScript(
    "Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix', configurable: true })",
  )
  await other.page.goto(`${app.address}/crawls/${watchedId}`)
  await other.page
    .getByRole('figure', { name: /^URLs by state/ })
    .locator('canvas')
    .waitFor()
  assert.deepEqual(other.pageErrors, [])
})

test('an open page survives a restart of the server', async (t) => {
  const { site } = await crawlToGate(t)
  await app.stop()
  const away = page.getByText('The server is not responding.')
  await away.waitFor()
  site.release()
  await app.restart()
  await away.waitFor({ state: 'detached' })
  await status('Completed').waitFor()
  await total.waitFor()
  // The browser logs failed requests.
  takePageErrors()
})

test('a scene opened while the server is down appears once it is back', async (t) => {
  const other = await openPage(browser)
  t.after(() => other.page.context().close())
  await other.page.goto(app.address)
  await other.page.getByRole('heading', { name: 'Crawls' }).waitFor()
  await navigateTo(page, '/settings')
  await page.getByRole('heading', { name: 'About' }).waitFor()
  await app.stop()
  // Neither the code nor the data of these two scenes is loaded yet.
  await navigateTo(other.page, '/workers')
  await navigateTo(other.page, `/crawls/${watchedId}`)
  await other.page.getByText('Reconnecting automatically.').waitFor()
  // The list of settings loads nothing by itself.
  await page.getByText('Reconnecting automatically.').waitFor()
  await app.restart()
  await other.page.getByRole('link', { name: `Visited ${PAGES}` }).waitFor()
  await navigateTo(other.page, '/workers')
  await other.page.getByRole('heading', { name: 'Workers' }).waitFor()
  await other.page.getByRole('columnheader', { name: 'Health' }).waitFor()
  await page.getByText('Reconnecting automatically.').waitFor({ state: 'detached' })
  takePageErrors()
})

test('charts of an ended crawl are available after a restart', async (t) => {
  const other = await openPage(browser)
  t.after(() => other.page.context().close())
  await other.page.goto(`${app.address}/crawls/${watchedId}`)
  await other.page.getByRole('figure', { name: /^URLs by state\. Visited: \d+/ }).waitFor()
  assert.deepEqual(other.pageErrors, [])
})

test('the list of crawls updates live', async (t) => {
  const { site } = await crawlToGate(t)
  await navigateTo(page, '/')
  const row = page.getByRole('row', { name: new URL(site.origin).host })
  await row.getByText('Running').waitFor()
  site.release()
  await row.getByText('Completed').waitFor()
  await row.getByText(`${PAGES + 1} of ${PAGES + 1}`).waitFor()
  assert.deepEqual(takePageErrors(), [])
})
