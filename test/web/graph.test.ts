import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { servePlain } from '../sites/plain.ts'
import { type App, startApp } from './app.ts'
import { findFaults, VIEWS } from './axe.ts'
import { openBrowser, openPage } from './browser.ts'
import { serveGatedSite } from './gated-site.ts'

const SETTINGS = { allow_private: true, delay: 0, per_host: 8, traps: false }

async function setUp(t: TestContext) {
  const app = await startApp(t)
  const { page, complaints } = await openPage(await openBrowser(t))
  return { app, page, complaints }
}

async function crawl(app: App, url: string): Promise<string> {
  const { crawl_id } = await app.client.createCrawl({ body: { url, settings: SETTINGS } })
  return `${app.address}/crawls/${crawl_id}`
}

const completed = (page: Page) => page.locator('header').getByText('Completed', { exact: true })
const drawn = (page: Page, nodes: number) => page.locator(`[data-nodes="${nodes}"]`)

/** WebGL in software is slow, and the browser says so. */
const withoutDriver = (complaints: string[]) => complaints.filter((text) => !text.includes('GL Driver Message'))

/** Three sections with so many pages each, all linked from the front page. */
function sections(t: TestContext, pages: number) {
  const links = ['docs', 'blog', 'shop'].flatMap((section) =>
    Array.from({ length: pages }, (_, i) => `<a href="/${section}/page-${i}">${section} ${i}</a>`),
  )
  return servePlain(t, (path) => {
    if (path === '/') return `<title>Front</title>${links.join(' ')}`
    return /^\/(docs|blog|shop)\/page-\d+$/.test(path)
      ? `<title>${path}</title>This is ${path}. <a href="/">up</a>`
      : null
  })
}

test('the graph of a running crawl grows in the open page', async (t) => {
  const { app, page, complaints } = await setUp(t)
  const site = await serveGatedSite(t, { pages: 20, open: 0 })
  const address = await crawl(app, site.origin)
  await page.goto(`${address}/graph?every=1`)
  await drawn(page, 1).waitFor()
  site.release()
  await drawn(page, 21).waitFor()
  await completed(page).waitFor()
  const legend = page.getByRole('list', { name: 'Legend' })
  await legend.getByText('visited').waitFor()
  await legend.getByText('not found').waitFor()
  assert.deepEqual(withoutDriver(complaints), [])
})

test('a node is found by name and told about, and its neighbourhood is a graph of its own', async (t) => {
  const { app, page, complaints } = await setUp(t)
  const site = await serveGatedSite(t, { pages: 12 })
  const address = await crawl(app, site.origin)
  await page.goto(address)
  await completed(page).waitFor()
  await page.goto(`${address}/graph`)
  await drawn(page, 13).waitFor()

  await page.getByRole('combobox', { name: 'Find a node' }).fill('page/7')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Chosen node' })
  await panel.getByText('Visited', { exact: true }).waitFor()
  await panel.getByText('0 retries').waitFor()
  await panel.getByText('status 200').waitFor()
  const recorder = await panel.getByRole('link', { name: 'Flight recorder' }).getAttribute('href')
  assert.match(recorder ?? '', /\/urls\?url=\d+$/)

  await panel.getByRole('button', { name: 'Neighbourhood' }).click()
  await drawn(page, 2).waitFor()
  assert.match(page.url(), /around=\d+/)
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await drawn(page, 13).waitFor()

  await page.getByRole('application').focus()
  await page.keyboard.press('f')
  await page.keyboard.press('+')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('l')
  await page.getByRole('button', { name: 'Go on with the layout (l)' }).waitFor()
  assert.deepEqual(withoutDriver(complaints), [])
})

test('a crawl with more urls than can be drawn is grouped by path, and a group can be gone into', async (t) => {
  const { app, page, complaints } = await setUp(t)
  const site = await sections(t, 400)
  const address = await crawl(app, site.origin)
  await page.goto(address)
  await completed(page).waitFor()

  await page.goto(`${address}/graph?limit=1000`)
  // The front page and three sections.
  await drawn(page, 4).waitFor()
  await page.getByText('with 1,201 urls').waitFor()
  await page.getByRole('combobox', { name: 'Find a node' }).fill('docs')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Go into it' }).click()
  await drawn(page, 400).waitFor()
  await page.getByRole('navigation', { name: 'Place in the graph' }).getByText('docs').waitFor()

  await page.goBack()
  await drawn(page, 4).waitFor()
  assert.deepEqual(withoutDriver(complaints), [])
})

test('the tree shows the site by path with counts, and leads to urls', async (t) => {
  const { app, page, complaints } = await setUp(t)
  const site = await sections(t, 5)
  const address = await crawl(app, site.origin)
  await page.goto(address)
  await completed(page).waitFor()
  await page.goto(`${address}/graph`)
  await page.getByRole('tab', { name: 'Tree' }).click()
  const tree = page.getByRole('navigation', { name: 'Site by path' })
  await tree.getByRole('button', { name: /^blog\s*5 urls$/ }).click()
  await tree.getByRole('link', { name: 'page-3' }).click()
  await page.waitForURL(/\/urls\?url=\d+$/)
  assert.deepEqual(withoutDriver(complaints), [])
})

test('graph and tree pass the checks of axe', async (t) => {
  const app = await startApp(t)
  const browser = await openBrowser(t)
  const site = await sections(t, 3)
  const address = await crawl(app, site.origin)
  const { page } = await openPage(browser)
  await page.goto(address)
  await completed(page).waitFor()
  for (const view of VIEWS) {
    const { page } = await openPage(browser, view)
    await page.goto(`${address}/graph?node=1`)
    await drawn(page, 10).waitFor()
    await page.getByRole('link', { name: 'Flight recorder' }).waitFor()
    assert.deepEqual(await findFaults(page), [], `graph ${view.theme} ${view.width}`)
    await page.goto(`${address}/graph?view=tree`)
    await page.getByRole('button', { name: /^blog/ }).click()
    await page.getByRole('link', { name: 'page-2' }).waitFor()
    assert.deepEqual(await findFaults(page), [], `tree ${view.theme} ${view.width}`)
    await page.context().close()
  }
})
