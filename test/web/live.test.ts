import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type App, startApp } from './app.ts'
import { openBrowser, openPage } from './browser.ts'
import { type GatedSite, serveGatedSite } from './gated-site.ts'

const PAGES = 30
const OPEN = 12

// One server and one browser for all cases, which take their turns.
const app = await startApp({ after }, { flags: ['--grace', '500'] })
const browser = await openBrowser({ after })

/** Each case has a site and a page of its own. */

async function setUp(t: TestContext) {
  const site = await serveGatedSite(t, { pages: PAGES, open: OPEN })
  const { page, complaints } = await openPage(browser)
  t.after(() => page.context().close())
  return { site, app, page, complaints }
}

const status = (page: Page, text: string) => page.locator('header').getByText(text, { exact: true })
const total = (page: Page) =>
  page
    .locator('header')
    .getByText(`${PAGES + 1} urls`)
    .first()

/** Started behind the back of the page; its pages wait at the gate. */
async function crawlToGate({ app, site, page }: { app: App; site: GatedSite; page: Page }): Promise<void> {
  const { crawl_id } = await app.client.createCrawl({
    body: { url: site.origin, settings: { allow_private: true, delay: 0, per_host: 4, retries: 0 } },
  })
  await page.goto(`${app.address}/crawls/${crawl_id}`)
  await status(page, 'Running').waitFor()
  await total(page).waitFor()
}

test('a crawl is made in the form and watched to its end without loading the page anew', async (t) => {
  const { site, app, page, complaints } = await setUp(t)
  await page.goto(app.address)
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
  await status(page, 'Running').waitFor()
  await total(page).waitFor()
  site.release()
  await status(page, 'Completed').waitFor()
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
  assert.deepEqual(complaints, [])
})

test('a crawl pauses and goes on', async (t) => {
  const parts = await setUp(t)
  const { site, page, complaints } = parts
  await crawlToGate(parts)
  await page.getByRole('button', { name: 'Pause' }).click()
  await status(page, 'Paused').waitFor()
  site.release()
  await page.getByRole('button', { name: 'Resume' }).click()
  await status(page, 'Completed').waitFor()
  await page.getByRole('link', { name: `Visited ${PAGES}` }).waitFor()
  assert.deepEqual(complaints, [])
})

test('limits change while a crawl runs', async (t) => {
  const parts = await setUp(t)
  const { app, page, complaints } = parts
  await crawlToGate(parts)
  await page.getByRole('button', { name: 'Change', exact: true }).click()
  await page.getByLabel('Max pages').fill('many')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Change', exact: true }).click()
  await dialog.getByText('It must be a whole number').waitFor()
  // The refusal itself is told in the console by the browser.
  complaints.length = 0
  await page.getByLabel('Max pages').fill('500')
  await dialog.getByRole('button', { name: 'Change', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const crawlId = new URL(page.url()).pathname.split('/')[2] ?? ''
  const crawl = await app.client.getCrawl({ params: { crawl_id: crawlId } })
  assert.equal(crawl.settings['max_pages'], 500)
  assert.deepEqual(complaints, [])
})

test('a crawl is cancelled, run again and deleted', async (t) => {
  const parts = await setUp(t)
  const { site, page, complaints } = parts
  await crawlToGate(parts)
  const first = page.url()
  const more = page.getByRole('button', { name: 'More actions' })
  await more.click()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel the crawl' }).click()
  // It ends once the requests under way have.
  await page.getByText('It ends once').waitFor()
  site.release()
  await status(page, 'Cancelled').waitFor()
  await page.getByRole('button', { name: 'Run again', exact: true }).click()
  await page.waitForURL((url) => url.href !== first)
  await status(page, 'Completed').waitFor()
  await more.click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete the crawl' }).click()
  await page.getByRole('heading', { name: 'Crawls' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('urls that were not found are retried', async (t) => {
  const parts = await setUp(t)
  const { site, page } = parts
  await crawlToGate(parts)
  site.release()
  await status(page, 'Completed').waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Retry urls' }).click()
  await page.getByRole('radio', { name: 'Not found' }).check()
  await page.getByRole('button', { name: 'Queue them once more' }).click()
  await page.getByText('1 url queued').waitFor()
  await page.getByRole('button', { name: 'Resume' }).click()
  await status(page, 'Completed').waitFor()
})

test('a page that is loaded anew in mid-crawl shows it live again', async (t) => {
  const parts = await setUp(t)
  const { site, page, complaints } = parts
  await crawlToGate(parts)
  await page.reload()
  await status(page, 'Running').waitFor()
  site.release()
  await status(page, 'Completed').waitFor()
  assert.deepEqual(complaints, [])
})

test('a page stays open while the server goes and comes back', async (t) => {
  const parts = await setUp(t)
  const { site, app, page } = parts
  await crawlToGate(parts)
  await app.stop()
  const away = page.getByText('The server does not answer.')
  await away.waitFor()
  site.release()
  await app.startAgain()
  await away.waitFor({ state: 'detached' })
  await status(page, 'Completed').waitFor()
  await total(page).waitFor()
})

test('the list of crawls is live', async (t) => {
  const parts = await setUp(t)
  const { site, app, page, complaints } = parts
  await crawlToGate(parts)
  await page.goto(app.address)
  const row = page.getByRole('row', { name: new URL(site.origin).host })
  await row.getByText('Running').waitFor()
  site.release()
  await row.getByText('Completed').waitFor()
  await row.getByText(`${PAGES + 1} of ${PAGES + 1}`).waitFor()
  assert.deepEqual(complaints, [])
})
