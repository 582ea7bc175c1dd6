import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { checkAccessibility } from './testing/accessibility.ts'
import { openAppSession, startCrawl } from './testing/app-session.ts'
import { navigateTo } from './testing/browser.ts'

const EVIL = '<img src=x onerror=alert(1)><script>alert(2)</script>'
const PAGES: Record<string, string> = {
  '/': `<title>Harbour town</title><h1>Harbour town</h1><p>A town by the sea with a harbour and boats.</p>
    <a href="/boats">boats</a> <a href="/evil">evil</a> <a href="/winter">winter</a>`,
  '/boats': '<title>Boats of the harbour</title><p>Wooden boats rest in the harbour until spring comes back.</p>',
  '/evil': `<title>&lt;img src=x onerror=alert(1)&gt; lighthouse</title><p>The lighthouse says ${EVIL.replaceAll('<', '&lt;')} to ships.</p>`,
  '/winter': '<title>Winter</title><p>In winter the north wind blows over the empty quay and the gulls.</p>',
}

const site = await servePlainSite({ after }, (path) => PAGES[path] ?? null)
const { app, page, complaints } = await openAppSession({ after })
await startCrawl(app, { url: site.origin })

const box = page.getByRole('combobox', { name: 'Search what was crawled' })
const results = page.getByRole('list', { name: 'Results' }).getByRole('listitem')
const drawer = page.getByRole('dialog')

test('words are searched for, marked in what is found, and the page is read as text', async () => {
  await navigateTo(page, '/search')
  await page.getByText('4 pages in the index', { exact: true }).waitFor()
  await box.fill('wooden boats')
  await page.keyboard.press('Enter')
  await results.filter({ hasText: 'Boats of the harbour' }).waitFor()
  assert.match(page.url(), /q=wooden\+boats/)
  const marks = await results.first().locator('mark').allTextContents()
  assert.ok(
    marks.some((mark) => /boats/i.test(mark)),
    marks.join(),
  )

  await results.first().getByRole('button').first().click()
  await drawer.getByText('Wooden boats rest in the harbour').waitFor()
  await drawer.getByRole('tab', { name: 'Versions' }).click()
  await drawer.getByText('Version 1').waitFor()
  await drawer.getByRole('tab', { name: 'Facts' }).click()
  await checkAccessibility(page, () => drawer.getByText('text/html').first().waitFor())
  assert.match(page.url(), /page=\d+/)

  await page.reload()
  await drawer.getByText('Wooden boats rest in the harbour').waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
})

test('nothing of a page is interpreted', async () => {
  await navigateTo(page, '/search?q=lighthouse')
  await results.filter({ hasText: '<img src=x onerror=alert(1)> lighthouse' }).waitFor()
  assert.equal(await page.locator('main img').count(), 0)
  await results.first().getByRole('button').first().click()
  await drawer.getByText(EVIL).waitFor()
  assert.equal(await page.locator('dialog img, dialog script').count(), 0)
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
})

test('suggestions are taken with the keyboard, facets narrow down, and the order can be explained', async () => {
  await navigateTo(page, '/search')
  await box.fill('harb')
  await page.getByRole('option', { name: /^harbour/ }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await results.first().waitFor()

  const host = new URL(site.origin).host
  await page.getByRole('complementary', { name: 'Narrow down' }).getByRole('button', { name: host }).click()
  await page.waitForURL((url) => (url.searchParams.get('q') ?? '').includes(`site:${host}`))
  await results.first().waitFor()
  await page.getByRole('switch', { name: 'Explain the order' }).click()
  await checkAccessibility(page, () => results.first().getByText('link rank').waitFor())

  await page.getByRole('button', { name: 'What a query can say' }).click()
  await drawer.getByText('site:example.com').waitFor()
  await page.keyboard.press('Escape')

  await box.fill('zzyzx')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Nothing was found' }).waitFor()
})

test('the page complained of nothing', () => assert.deepEqual(complaints, []))
