import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { servePlain } from '../sites/plain.ts'
import { startApp } from './app.ts'
import { findFaults, VIEWS } from './axe.ts'
import { openBrowser, openPage } from './browser.ts'

const EVIL = '<img src=x onerror=alert(1)><script>alert(2)</script>'
const PAGES: Record<string, string> = {
  '/': `<title>Harbour town</title><h1>Harbour town</h1><p>A town by the sea with a harbour and boats.</p>
    <a href="/boats">boats</a> <a href="/evil">evil</a> <a href="/winter">winter</a>`,
  '/boats': '<title>Boats of the harbour</title><p>Wooden boats rest in the harbour until spring comes back.</p>',
  '/evil': `<title>&lt;img src=x onerror=alert(1)&gt; lighthouse</title><p>The lighthouse says ${EVIL.replaceAll('<', '&lt;')} to ships.</p>`,
  '/winter': '<title>Winter</title><p>In winter the north wind blows over the empty quay and the gulls.</p>',
}

async function setUp(t: TestContext) {
  const site = await servePlain(t, (path) => PAGES[path] ?? null)
  const app = await startApp(t)
  const browser = await openBrowser(t)
  const { page, complaints } = await openPage(browser)
  await app.client.createCrawl({ body: { url: site.origin, settings: { allow_private: true, delay: 0 } } })
  await page.goto(`${app.address}/search`)
  await page.getByText('4 pages in the index', { exact: true }).waitFor()
  return { app, browser, page, complaints, site }
}

const box = (page: Page) => page.getByRole('combobox', { name: 'Search what was crawled' })
const results = (page: Page) => page.getByRole('list', { name: 'Results' }).getByRole('listitem')

test('words are searched for, marked in what is found, and the page is read as text', async (t) => {
  const { page, complaints } = await setUp(t)
  await box(page).fill('wooden boats')
  await page.keyboard.press('Enter')
  await results(page).filter({ hasText: 'Boats of the harbour' }).waitFor()
  assert.match(page.url(), /q=wooden\+boats/)
  const marks = await results(page).first().locator('mark').allTextContents()
  assert.ok(
    marks.some((mark) => /boats/i.test(mark)),
    marks.join(),
  )

  await results(page).first().getByRole('button').first().click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText('Wooden boats rest in the harbour').waitFor()
  await drawer.getByRole('tab', { name: 'Facts' }).click()
  await drawer.getByText('text/html').first().waitFor()
  await drawer.getByRole('tab', { name: 'Versions' }).click()
  await drawer.getByText('Version 1').waitFor()
  assert.match(page.url(), /page=\d+/)

  await page.reload()
  await page.getByRole('dialog').getByText('Wooden boats rest in the harbour').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.deepEqual(complaints, [])
})

test('nothing of a page is interpreted', async (t) => {
  const { page, complaints } = await setUp(t)
  await page.goto(`${new URL(page.url()).origin}/search?q=lighthouse`)
  await results(page).filter({ hasText: '<img src=x onerror=alert(1)> lighthouse' }).waitFor()
  assert.equal(await page.locator('main img').count(), 0)
  await results(page).first().getByRole('button').first().click()
  await page.getByRole('dialog').getByText(EVIL).waitFor()
  assert.equal(await page.locator('dialog img, dialog script').count(), 0)
  assert.deepEqual(complaints, [])
})

test('suggestions are taken with the keyboard, facets narrow down, and the order can be explained', async (t) => {
  const { page, complaints, site } = await setUp(t)
  await box(page).fill('harb')
  await page.getByRole('option', { name: /^harbour/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await results(page).first().waitFor()

  const host = new URL(site.origin).host
  await page.getByRole('complementary', { name: 'Narrow down' }).getByRole('button', { name: host }).click()
  await page.waitForURL((url) => (url.searchParams.get('q') ?? '').includes(`site:${host}`))
  await results(page).first().waitFor()
  await page.getByRole('switch', { name: 'Explain the order' }).click()
  await results(page).first().getByText('link rank').waitFor()

  await page.getByRole('button', { name: 'What a query can say' }).click()
  await page.getByRole('dialog').getByText('site:example.com').waitFor()
  await page.keyboard.press('Escape')

  await box(page).fill('zzyzx')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Nothing was found' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('results and a page pass the checks of axe', async (t) => {
  const { app, browser } = await setUp(t)
  for (const view of VIEWS) {
    const { page } = await openPage(browser, view)
    await page.goto(`${app.address}/search?q=harbour&explain=1`)
    await results(page).first().getByText('link rank').waitFor()
    assert.deepEqual(await findFaults(page), [], `results ${view.theme} ${view.width}`)
    await results(page).first().getByRole('button').first().click()
    await page.getByRole('dialog').getByRole('tab', { name: 'Facts' }).click()
    await page.getByRole('dialog').getByText('text/html').first().waitFor()
    assert.deepEqual(await findFaults(page), [], `page ${view.theme} ${view.width}`)
    await page.context().close()
  }
})
