import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startApp } from './app.ts'
import { findFaults, VIEWS } from './axe.ts'
import { openBrowser, openPage } from './browser.ts'
import { serveGatedSite } from './gated-site.ts'

// The crawl waits at the gate of its site, so that it is looked at while it runs.
const site = await serveGatedSite({ after }, { pages: 30, open: 12 })
const app = await startApp({ after }, { flags: ['--grace', '500'] })
const browser = await openBrowser({ after })
let crawl = ''

/** A scene in light and dark, wide and narrow. `path` is told when the case runs. */
function look(name: string, path: () => string, ready: (page: Page) => Promise<void>): void {
  for (const view of VIEWS) {
    test(`${name}, ${view.theme}, ${view.width} pixels`, async (t) => {
      const { page } = await openPage(browser, view)
      t.after(() => page.context().close())
      await page.goto(app.address + path())
      await ready(page)
      assert.deepEqual(await findFaults(page), [])
    })
  }
}

const dialog = (page: Page) => page.getByRole('dialog')
const firstRun = (page: Page) => page.getByText('Crawl the sample site').waitFor()
const listed = (page: Page) => page.getByRole('img', { name: /^\d+ urls: / }).waitFor()

test('the check finds what is wrong', async (t) => {
  const { page } = await openPage(browser)
  t.after(() => page.context().close())
  await page.goto(app.address)
  await firstRun(page)
  await page.evaluate("document.querySelector('h1').style.color = '#eee'")
  assert.match((await findFaults(page)).join(), /color-contrast/)
})

look('first run', () => '/', firstRun)

test('a crawl is there to be looked at', async () => {
  const settings = { allow_private: true, delay: 0, per_host: 4 }
  const { crawl_id } = await app.client.createCrawl({ body: { url: site.origin, settings } })
  crawl = `/crawls/${crawl_id}`
})

look('crawls', () => '/', listed)

look(
  'new crawl',
  () => '/new',
  async (page) => {
    await page.locator('summary', { hasText: 'Pace' }).waitFor()
    for (const group of await page.locator('summary').all()) await group.click()
  },
)

look(
  'overview',
  () => crawl,
  async (page) => {
    await page.getByRole('region', { name: 'Busiest hosts' }).getByRole('link').nth(1).waitFor()
    await page.locator('canvas').first().waitFor()
  },
)

look(
  'change',
  () => `${crawl}?edit=per_host`,
  (page) => dialog(page).getByLabel('Per host').waitFor(),
)

look(
  'urls',
  () => `${crawl}/urls`,
  (page) => page.getByRole('link', { name: '/page/1' }).first().waitFor(),
)

look(
  'flight recorder',
  () => `${crawl}/urls?url=1`,
  (page) => dialog(page).getByText('Linked from').waitFor(),
)

look(
  'keys',
  () => '/',
  async (page) => {
    await listed(page)
    await page.keyboard.press('?')
    await dialog(page).getByText('These keys').waitFor()
  },
)

look(
  'palette',
  () => '/',
  async (page) => {
    await listed(page)
    await page.keyboard.press('Control+k')
    await dialog(page).getByRole('option', { name: 'Workers' }).waitFor()
  },
)

look(
  'nothing there',
  () => '/nowhere',
  (page) => page.getByText('There is nothing at this address').waitFor(),
)
