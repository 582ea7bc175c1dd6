import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, type TestContext, test } from 'node:test'
import { startApp } from './app.ts'
import { findFaults } from './axe.ts'
import { openBrowser, openPage } from './browser.ts'

const app = await startApp({ after })
const browser = await openBrowser({ after })

async function setUp(t: TestContext, width = 1400) {
  const { page, complaints } = await openPage(browser, { width })
  t.after(() => page.context().close())
  return { page, complaints }
}

/** Where nobody listens. */
async function silentOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return `http://127.0.0.1:${port}`
}

test('the sample site is offered on the form of a new crawl, until an address is given', async (t) => {
  const { page, complaints } = await setUp(t)
  await page.goto(`${app.address}/new`)
  const offer = page.getByRole('button', { name: 'or crawl the sample site' })
  await offer.waitFor()
  await page.getByLabel('Start url', { exact: true }).fill('https://example.com')
  await offer.waitFor({ state: 'detached' })
  assert.deepEqual(complaints, [])
})

test('sizes in the form are round, and times have their unit', async (t) => {
  const { page } = await setUp(t)
  await page.goto(`${app.address}/new`)
  await page.locator('summary', { hasText: 'Limits' }).getByText('max body 10 MB').waitFor()
  await page.locator('summary', { hasText: 'Limits' }).getByText('timeout 60000 ms').waitFor()
})

test('a crawl that reached nothing says so and why, in the list and beside its figures', async (t) => {
  const settings = { allow_private: true, retries: 0, cooldown: 0, host_patience: 0 }
  const { crawl_id } = await app.client.createCrawl({ body: { url: await silentOrigin(), settings } })
  const { page, complaints } = await setUp(t)
  await page.goto(`${app.address}/crawls/${crawl_id}`)
  await page.locator('header').getByText('Completed, nothing reached', { exact: true }).waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: /^Completed, nothing reached: .*connect refused.*Check the start url/ })
    .waitFor()
  assert.deepEqual(await findFaults(page), [])
  await page.goto(app.address)
  const row = page.getByRole('row', { name: 'Completed, nothing reached' })
  await row.getByText(/^Reason: .*connect refused/).waitFor()
  assert.deepEqual(complaints, [])
})

test('a list that a filter left empty offers the sample site', async (t) => {
  const { page } = await setUp(t)
  await page.goto(`${app.address}/?text=nowhere`)
  await page.getByRole('button', { name: 'Crawl the sample site' }).waitFor()
})

test('on a phone a token can be revoked without scrolling its table', async (t) => {
  await app.client.createToken({ body: { name: 'the laptop in the kitchen upstairs', scope: 'crawl' } })
  const { page } = await setUp(t, 390)
  await page.goto(`${app.address}/settings`)
  const box = await page.getByRole('button', { name: 'Revoke the laptop' }).boundingBox()
  assert.ok(box !== null && box.x + box.width <= 390, JSON.stringify(box))
})

test('the hint of the theme button is inside the window', async (t) => {
  const { page } = await setUp(t)
  await page.goto(app.address)
  await page.getByRole('button', { name: /^Theme:/ }).hover()
  const box = await page.getByText(/^Theme:/).boundingBox()
  assert.ok(box !== null && box.x >= 0, JSON.stringify(box))
})
