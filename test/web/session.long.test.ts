import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { runProgram } from '../testing/program.ts'
import { checkAccessibility } from './testing/accessibility.ts'
import { navigateTo, openBrowser, openPage } from './testing/browser.ts'
import { startTestApp } from './testing/test-app.ts'

const tokens = { admin: '', read: '' }
const testApp = await startTestApp(
  { after },
  {
    flags: ['--require-token', '--grace', '200'],
    async prepare(data) {
      for (const scope of ['admin', 'read'] as const) {
        const { stdout } = await runProgram(['token', 'create', `browser-${scope}`, scope, '--data', data, '--json'])
        tokens[scope] = (JSON.parse(stdout) as { token: string }).token
      }
    },
  },
)
const browser = await openBrowser({ after })
let crawl = ''

async function signIn(page: Page, token: string): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Token').fill(token)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
}

test('a user signs in with a token and crawls the sample site', async (t) => {
  const { page, pageErrors } = await openPage(browser)
  t.after(() => page.context().close())
  const dialog = page.getByRole('dialog')
  await page.goto(testApp.address)
  await signIn(page, 'orbw_wrong')
  await dialog.getByText('unknown or was revoked').waitFor()
  await signIn(page, tokens.admin)
  await dialog.waitFor({ state: 'detached' })
  // The browser logs rejected requests up to this point.
  pageErrors.length = 0

  await page.getByRole('button', { name: 'Crawl sample site' }).click()
  await page.waitForURL(/\/crawls\/[\w-]+$/)
  await page.getByRole('link', { name: /^Visited \d/ }).waitFor()
  crawl = new URL(page.url()).pathname

  await page.reload()
  await page.getByRole('link', { name: /^Visited \d/ }).waitFor()
  assert.equal(await dialog.count(), 0)
  assert.equal(await page.evaluate('document.cookie'), '')
  assert.deepEqual(pageErrors, [])
})

test('a read-only token hides every action that would be rejected', async (t) => {
  const { page, pageErrors } = await openPage(browser)
  t.after(() => page.context().close())
  await page.goto(testApp.address)
  await signIn(page, tokens.read)
  const readOnly = page.getByText('Read-only', { exact: true })
  const row = page.getByRole('row', { name: '127.0.0.1' })
  await row.waitFor()
  await readOnly.waitFor()
  pageErrors.length = 0
  const actions = page.getByRole('button', { name: /^(Pause|Resume|Edit|Run again|More actions|Block .*|Drain .*)$/ })
  assert.equal(await page.getByRole('link', { name: 'New crawl' }).count(), 0)

  await navigateTo(page, crawl)
  await page.getByRole('link', { name: /^Visited \d/ }).waitFor()
  await checkAccessibility(page, () => readOnly.waitFor())
  assert.equal(await actions.count(), 0)
  await navigateTo(page, `${crawl}?edit`)
  await readOnly.waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  await navigateTo(page, `${crawl}/hosts`)
  await page.getByRole('row', { name: '127.0.0.1' }).waitFor()
  assert.equal(await actions.count(), 0)
  await navigateTo(page, '/workers')
  await page.getByText('Working', { exact: true }).waitFor()
  assert.equal(await actions.count(), 0)
  await navigateTo(page, '/new')
  await checkAccessibility(page, () => page.getByRole('heading', { name: 'Your token cannot start crawls' }).waitFor())
  await navigateTo(page, '/settings')
  await page.getByText('Requires a token with admin scope. Yours has read scope.').waitFor()
  assert.deepEqual(pageErrors, [])
})
