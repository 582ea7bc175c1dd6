import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { checkViews, findFaults } from './axe.ts'
import { go } from './browser.ts'
import { serveGatedSite } from './gated-site.ts'
import { begin, openStage } from './stage.ts'

// The crawl waits at the gate of its site, so that it is looked at while it runs.
const site = await serveGatedSite({ after }, { pages: 30, open: 12 })
const { app, page } = await openStage({ after }, { flags: ['--grace', '500'] })
let crawl = ''

/** A scene in light and dark, wide and narrow. `path` is told when the case runs. */
function look(name: string, path: () => string, ready: () => Promise<void>): void {
  test(name, async () => {
    await go(page, path())
    await checkViews(page, ready)
  })
}

const dialog = page.getByRole('dialog')
const firstRun = () => page.getByText('Crawl the sample site').waitFor()
const listed = () => page.getByRole('img', { name: /^\d+ urls: / }).waitFor()

test('the check finds what is wrong', async () => {
  await firstRun()
  await page.evaluate("document.querySelector('h1').style.color = '#eee'")
  assert.match((await findFaults(page)).join(), /color-contrast/)
  await page.evaluate("document.querySelector('h1').style.color = ''")
})

look('first run', () => '/', firstRun)

test('a crawl is there to be looked at', async () => {
  crawl = `/crawls/${await begin(app, { url: site.origin, settings: { per_host: 4 } })}`
})

look('crawls', () => '/', listed)

test('new crawl', async () => {
  await go(page, '/new')
  await page.locator('summary', { hasText: 'Pace' }).waitFor()
  for (const group of await page.locator('summary').all()) await group.click()
  await checkViews(page, async () => undefined)
})

look(
  'overview',
  () => crawl,
  async () => {
    await page.getByRole('region', { name: 'Busiest hosts' }).getByRole('link').nth(1).waitFor()
    await page.locator('canvas').first().waitFor()
  },
)

look(
  'change',
  () => `${crawl}?edit=per_host`,
  () => dialog.getByLabel('Per host').waitFor(),
)

look(
  'urls',
  () => `${crawl}/urls`,
  () => page.getByRole('link', { name: '/page/1' }).first().waitFor(),
)

look(
  'flight recorder',
  () => `${crawl}/urls?url=1`,
  () => dialog.getByText('Linked from').waitFor(),
)

test('keys', async () => {
  await go(page, '/')
  await listed()
  await page.keyboard.press('?')
  await checkViews(page, () => dialog.getByText('These keys').waitFor())
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
})

test('palette', async () => {
  await page.keyboard.press('Control+k')
  await checkViews(page, () => dialog.getByRole('option', { name: 'Workers' }).waitFor())
  await page.keyboard.press('Escape')
})

look(
  'nothing there',
  () => '/nowhere',
  () => page.getByText('There is nothing at this address').waitFor(),
)
