import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { locateStatus, openAppSession, startCrawl } from './testing/app-session.ts'
import { navigateTo, openPage, waitUntil } from './testing/browser.ts'
import { type GatedSite, serveGatedSite } from './testing/gated-site.ts'

const PAGES = 30
const OPEN = 12

// One server and one page for all cases, which take their turns; each has a site of its own.
const { app, browser, page, complaints } = await openAppSession({ after }, { flags: ['--grace', '500'] })

// A sample is taken every five seconds, so this crawl waits at its gate while other cases go on.
const watched = await serveGatedSite({ after }, { pages: PAGES, open: OPEN })
let watchedId = ''

const serveSite = (t: TestContext) => serveGatedSite(t, { pages: PAGES, open: OPEN })
const status = (text: string) => locateStatus(page, text)
const total = page
  .locator('header')
  .getByText(`${PAGES + 1} urls`)
  .first()

/** Started behind the back of the page; its pages wait at the gate. */
async function crawlToGate(t: TestContext): Promise<{ site: GatedSite; crawlId: string }> {
  const site = await serveSite(t)
  const crawlId = await startCrawl(app, { url: site.origin, settings: { per_host: 4, retries: 0 } })
  await navigateTo(page, `/crawls/${crawlId}`)
  await page.getByRole('heading', { name: new URL(site.origin).host }).waitFor()
  await status('Running').waitFor()
  await total.waitFor()
  return { site, crawlId }
}

/** What the page complained of in a case. */
function takeComplaints(): string[] {
  return complaints.splice(0)
}

test('a crawl is made in the form and watched to its end without loading the page anew', async (t) => {
  const site = await serveSite(t)
  await page.getByRole('heading', { name: 'No crawls yet' }).waitFor()
  await page.getByLabel('Start url').fill(site.origin)
  await page.getByRole('button', { name: 'Continue' }).click()

  // Loopback is refused at first, and the form says so before anything is started.
  await page
    .getByText('field to mend')
    .or(page.getByText('Ready', { exact: true }))
    .waitFor()
  await page.locator('summary', { hasText: 'Network' }).click()
  await page.getByRole('switch', { name: 'Allow private' }).click()
  await page.locator('summary', { hasText: 'Pace' }).click()
  await page.getByLabel('Per host').fill('none')
  await page.getByText('It must be a whole number').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Start crawl' }).isDisabled())
  await page.getByLabel('Per host').fill('4')
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
  // The cards beside the ledger are those of the end too.
  const codes = page.getByRole('list', { name: 'Status codes' })
  await codes
    .getByRole('listitem')
    .filter({ hasText: `200${PAGES}` })
    .waitFor()
  await page.getByRole('row', { name: `${new URL(site.origin).host} ${PAGES + 1} ${PAGES} 1 ` }).waitFor()
  await page
    .getByRole('img', { name: `${PAGES + 1} urls: ${PAGES} visited, 1 not found` })
    .first()
    .waitFor()
  assert.deepEqual(takeComplaints(), [])
})

test('a crawl runs that nobody looks at', async () => {
  watchedId = await startCrawl(app, { url: watched.origin, settings: { per_host: 4 } })
})

test('a crawl pauses and goes on', async (t) => {
  const { site } = await crawlToGate(t)
  await page.getByRole('button', { name: 'Pause' }).click()
  await status('Paused').waitFor()
  site.release()
  await page.getByRole('button', { name: 'Resume' }).click()
  await status('Completed').waitFor()
  await page.getByRole('link', { name: `Visited ${PAGES}` }).waitFor()
  assert.deepEqual(takeComplaints(), [])
})

test('limits change while a crawl runs', async (t) => {
  const { crawlId } = await crawlToGate(t)
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByLabel('Max pages').fill('many')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Change', exact: true }).click()
  await dialog.getByText('It must be a whole number').waitFor()
  // The refusal itself is told in the console by the browser.
  takeComplaints()
  await page.getByLabel('Max pages').fill('500')
  await dialog.getByRole('button', { name: 'Change', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const crawl = await app.client.getCrawl({ params: { crawl_id: crawlId } })
  assert.equal(crawl.settings['max_pages'], 500)
  assert.deepEqual(takeComplaints(), [])
})

test('a crawl is cancelled, run again and deleted', async (t) => {
  const { site } = await crawlToGate(t)
  const first = page.url()
  const more = page.getByRole('button', { name: 'More actions' })
  await more.click()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel the crawl' }).click()
  // It ends once the requests under way have.
  await page.getByText('It ends once').waitFor()
  site.release()
  await status('Cancelled').waitFor()
  await page.getByRole('button', { name: 'Run again', exact: true }).click()
  await page.waitForURL((url) => url.href !== first)
  await status('Completed').waitFor()
  await more.click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete the crawl' }).click()
  await page.getByRole('heading', { name: 'Crawls' }).waitFor()
  assert.deepEqual(takeComplaints(), [])
})

test('urls that were not found are retried', async (t) => {
  const { site } = await crawlToGate(t)
  site.release()
  await status('Completed').waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Retry urls' }).click()
  await page.getByRole('radio', { name: 'Not found' }).check()
  await page.getByRole('button', { name: 'Queue them once more' }).click()
  await page.getByText('1 url queued').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await status('Completed').waitFor()
})

test('a page that is loaded anew in mid-crawl shows it live again', async (t) => {
  const { site } = await crawlToGate(t)
  await page.reload()
  await status('Running').waitFor()
  site.release()
  await status('Completed').waitFor()
  assert.deepEqual(takeComplaints(), [])
})

test('charts begin with what the server saw before the page was opened', async (t) => {
  const params = { crawl_id: watchedId }
  await waitUntil(page, async () => (await app.client.getHistory({ params })).samples.length > 1)
  watched.release()
  await waitUntil(page, async () => (await app.client.getCrawl({ params })).status === 'completed')
  // This page never saw it at work.
  const other = await openPage(browser)
  t.after(() => other.page.context().close())
  await other.page.goto(`${app.address}/crawls/${watchedId}`)
  await other.page.getByRole('figure', { name: /^Urls by state\. Visited: \d+/ }).waitFor()
  assert.deepEqual(other.complaints, [])
})

test('charts are drawn whatever the browser calls its language', async (t) => {
  const other = await openPage(browser)
  t.after(() => other.page.context().close())
  // As headless browsers do under LANG=C.
  await other.page.addInitScript(
    "Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix', configurable: true })",
  )
  await other.page.goto(`${app.address}/crawls/${watchedId}`)
  await other.page
    .getByRole('figure', { name: /^Urls by state/ })
    .locator('canvas')
    .waitFor()
  assert.deepEqual(other.complaints, [])
})

test('a page stays open while the server goes and comes back', async (t) => {
  const { site } = await crawlToGate(t)
  await app.stop()
  const away = page.getByText('The server does not answer.')
  await away.waitFor()
  site.release()
  await app.restart()
  await away.waitFor({ state: 'detached' })
  await status('Completed').waitFor()
  await total.waitFor()
  // The browser itself told of requests that nobody answered.
  takeComplaints()
})

test('a scene that is opened while the server is away appears once it is back', async (t) => {
  const other = await openPage(browser)
  t.after(() => other.page.context().close())
  await other.page.goto(app.address)
  await other.page.getByRole('heading', { name: 'Crawls' }).waitFor()
  await app.stop()
  // Nothing of these two has been loaded: neither their code nor what they show.
  await navigateTo(other.page, '/workers')
  await navigateTo(other.page, `/crawls/${watchedId}`)
  await other.page.getByText('the page goes on by itself').waitFor()
  await app.restart()
  await other.page.getByRole('link', { name: `Visited ${PAGES}` }).waitFor()
  await navigateTo(other.page, '/workers')
  await other.page.getByRole('heading', { name: 'Workers' }).waitFor()
  await other.page.getByRole('columnheader', { name: 'Health' }).waitFor()
  await page.getByText('the page goes on by itself').waitFor({ state: 'detached' })
  takeComplaints()
})

test('charts of a crawl that has ended are there after a restart', async (t) => {
  const other = await openPage(browser)
  t.after(() => other.page.context().close())
  await other.page.goto(`${app.address}/crawls/${watchedId}`)
  await other.page.getByRole('figure', { name: /^Urls by state\. Visited: \d+/ }).waitFor()
  assert.deepEqual(other.complaints, [])
})

test('the list of crawls is live', async (t) => {
  const { site } = await crawlToGate(t)
  await navigateTo(page, '/')
  const row = page.getByRole('row', { name: new URL(site.origin).host })
  await row.getByText('Running').waitFor()
  site.release()
  await row.getByText('Completed').waitFor()
  await row.getByText(`${PAGES + 1} of ${PAGES + 1}`).waitFor()
  assert.deepEqual(takeComplaints(), [])
})
