import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { checkAccessibility } from './testing/accessibility.ts'
import { openAppSession, runCrawlToEnd, startCrawl } from './testing/app-session.ts'
import { navigateTo, waitUntil } from './testing/browser.ts'

const EVIL = '<img src=x onerror=alert(1)><script>alert(2)</script>'
const PAGES: Record<string, string> = {
  '/': `<title>Harbour town</title><h1>Harbour town</h1><p>A town by the sea with a harbour and boats.</p>
    <a href="/boats">boats</a> <a href="/evil">evil</a> <a href="/winter">winter</a>`,
  '/boats': '<title>Boats of the harbour</title><p>Wooden boats rest in the harbour until spring comes back.</p>',
  '/evil': `<title>&lt;img src=x onerror=alert(1)&gt; lighthouse</title><p>The lighthouse says ${EVIL.replaceAll('<', '&lt;')} to ships.</p>`,
  '/winter': '<title>Winter</title><p>In winter the north wind blows over the empty quay and the gulls.</p>',
}

const site = await servePlainSite({ after }, (path) => PAGES[path] ?? null)
const { app, page, pageErrors } = await openAppSession({ after })
await startCrawl(app, { url: site.origin })

const box = page.getByRole('combobox', { name: 'Search crawled pages' })
const results = page.getByRole('list', { name: 'Results' }).getByRole('listitem')
const drawer = page.getByRole('dialog')

test('results highlight the words of the query, and a page opens as text', async () => {
  await navigateTo(page, '/find')
  await page.getByText('4 pages indexed', { exact: true }).waitFor()
  await box.fill('wooden boats')
  await page.keyboard.press('Enter')
  await results.filter({ hasText: 'Boats of the harbour' }).waitFor()
  assert.match(page.url(), /q=wooden\+boats/)
  const marks = await results.first().locator('mark').allTextContents()
  assert.ok(
    marks.some((mark) => /boats/i.test(mark)),
    marks.join(),
  )

  // A real link, so that it can be copied and opened in another tab.
  const href = await results.first().getByRole('link').first().getAttribute('href')
  assert.match(href ?? '', /^\/find\?q=wooden\+boats&page=\d+$/)
  await results.first().getByRole('link').first().click()
  await drawer.getByText('Wooden boats rest in the harbour').waitFor()
  await drawer.getByRole('tab', { name: 'Versions' }).click()
  await drawer.getByText('Version 1').waitFor()
  await drawer.getByRole('tab', { name: 'Details' }).click()
  await checkAccessibility(page, () => drawer.getByText('text/html').first().waitFor())
  assert.match(page.url(), /page=\d+/)

  await page.reload()
  await drawer.getByText('Wooden boats rest in the harbour').waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
})

test('crawled HTML is never interpreted', async () => {
  await navigateTo(page, '/find?q=lighthouse')
  await results.filter({ hasText: '<img src=x onerror=alert(1)> lighthouse' }).waitFor()
  assert.equal(await page.locator('main img').count(), 0)
  await results.first().getByRole('link').first().click()
  await drawer.getByText(EVIL).waitFor()
  assert.equal(await page.locator('dialog img, dialog script').count(), 0)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
})

test('suggestions work with the keyboard, facets filter, and the ranking is explained', async () => {
  await navigateTo(page, '/find')
  await box.fill('harb')
  await page.getByRole('option', { name: /^harbour/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await results.first().waitFor()

  const host = new URL(site.origin).host
  await page.getByRole('complementary', { name: 'Filters' }).getByRole('button', { name: host }).click()
  await page.waitForURL((url) => (url.searchParams.get('q') ?? '').includes(`site:${host}`))
  await results.first().waitFor()
  await page.getByRole('switch', { name: 'Explain ranking' }).click()
  await checkAccessibility(page, () => results.first().getByText('Link rank').waitFor())

  await page.getByRole('button', { name: 'Query syntax' }).click()
  await drawer.getByText('site:example.com').waitFor()
  await page.keyboard.press('Escape')

  await box.fill('zzyzx')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No results' }).waitFor()
})

test('after another crawl, a result says whether its page has changed', async () => {
  PAGES['/winter'] = '<title>Winter</title><p>In winter the quay is white, and nobody sees the gulls.</p>'
  await runCrawlToEnd(app, { url: site.origin })
  const search = async (words: string, text: RegExp) => {
    await navigateTo(page, `/find?q=${words}`)
    // Waits until the second crawl is indexed.
    await waitUntil(page, async () => {
      await page.reload()
      await results.first().waitFor()
      return (await results.first().getByText(text).count()) > 0
    })
  }
  await search('winter', /^Changed /)
  await search('wooden', /^Unchanged since /)
})

test('the page logged no errors', () => assert.deepEqual(pageErrors, []))
