// The search page for readers in a real browser.

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { makePublicSearchData } from '../testing/public-search.ts'
import { startServer } from '../testing/start-server.ts'
import { findAccessibilityProblems } from './testing/accessibility.ts'
import { openBrowser, openPage } from './testing/browser.ts'

describe('the search page', () => {
  const cleanUps: (() => unknown)[] = []
  const t = { after: (cleanUp: () => unknown) => void cleanUps.push(cleanUp) }
  after(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })

  let browser: Browser
  let page: Page
  let pageErrors: string[]
  let address = ''
  before(async () => {
    const { data, publicId } = await makePublicSearchData(t)
    const flags = ['--public-search', publicId, '--search-title', 'Orchard', '--public-search-rate', '1000']
    address = (await startServer(t, { data, flags })).address
    browser = await openBrowser(t)
    ;({ page, pageErrors } = await openPage(browser))
  })

  const input = () => page.getByRole('combobox', { name: 'Search for' })

  it('is used by keyboard: suggestions, search, and back to the box', async () => {
    await page.goto(`${address}/search`)
    await input().click()
    await page.keyboard.type('appl')
    const option = page.getByRole('option', { name: 'Apple trees' })
    await option.waitFor()
    await page.keyboard.press('ArrowDown')
    assert.equal(await input().inputValue(), 'Apple trees')
    assert.equal(await option.getAttribute('aria-selected'), 'true')
    await page.keyboard.press('Escape')
    assert.equal(await input().inputValue(), 'appl')
    await page.keyboard.type('e tr')
    await option.waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Apple trees', exact: true }).waitFor()
    assert.equal(new URL(page.url()).searchParams.get('q'), 'Apple trees')
    await page.keyboard.press('/')
    await page.keyboard.type('pear')
    assert.equal(await input().inputValue(), 'pear')
    assert.deepEqual(pageErrors, [])
  })

  it('is narrowed by chips, which remove themselves', async () => {
    await page.goto(`${address}/search?q=apple`)
    await page.getByText('3 pages in').waitFor()
    await page.getByRole('link', { name: 'German 1' }).click()
    await page.getByText('1 page in').waitFor()
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByText('1 page in').waitFor()
    await page.getByRole('link', { name: 'Remove German' }).click()
    await page.getByText('3 pages in').waitFor()
    assert.deepEqual(pageErrors, [])
  })

  it('shows the cached copy of a page', async () => {
    await page.goto(`${address}/search?q=winter`)
    await page.getByRole('link', { name: 'Cached copy' }).click()
    await page.frameLocator('iframe').getByText('Apple trees need a winter').waitFor()
    await page.getByText(/^Copy of http.*from \d+ \w+ 20\d\d$/).waitFor()
    assert.deepEqual(pageErrors, [])
  })

  it('works without JavaScript', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const plain = await context.newPage()
    await plain.goto(`${address}/search`)
    await plain.getByRole('combobox').fill('pear')
    await plain.getByRole('button', { name: 'Search' }).click()
    await plain.getByRole('link', { name: 'Pear trees' }).waitFor()
    await context.close()
  })

  it('can be searched from a form of another site', async () => {
    await page.goto('about:blank')
    await page.setContent(`<form action="${address}/search"><input name="q" value="pear"><button>Go</button></form>`)
    await page.getByRole('button').click()
    await page.getByRole('link', { name: 'Pear trees' }).waitFor()
  })

  it('has no accessibility problems in both themes, wide and narrow', async () => {
    for (const { theme, width } of [
      { theme: 'dark', width: 390 },
      { theme: 'light', width: 1400 },
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme: theme })
      for (const path of ['', '?q=apple', '?q=apple&lang=de', '?q=appel', '?q=nowhere', '/about', '/cached?page=0']) {
        await page.goto(`${address}/search${path}`)
        assert.deepEqual(await findAccessibilityProblems(page), [], `${path} ${theme} ${width}`)
      }
      await page.goto(`${address}/search`)
      await input().click()
      await page.keyboard.type('appl')
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('ArrowDown')
      assert.deepEqual(await findAccessibilityProblems(page), [], `suggestions ${theme} ${width}`)
    }
  })
})
