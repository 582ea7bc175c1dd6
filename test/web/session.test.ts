import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run } from '../e2e/program.ts'
import { startApp } from './app.ts'
import { openBrowser, openPage } from './browser.ts'

test('a server that wants a token asks for it, and the sample site can be crawled from the first page', async (t) => {
  let token = ''
  const app = await startApp(t, {
    flags: ['--require-token'],
    async prepare(data) {
      const { stdout } = await run(['token', 'create', 'browser', 'admin', '--data', data, '--json'])
      token = (JSON.parse(stdout) as { token: string }).token
    },
  })
  const { page, complaints } = await openPage(await openBrowser(t))
  await page.goto(app.address)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Token').fill('orbw_wrong')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.getByText('not known here').waitFor()
  await dialog.getByLabel('Token').fill(token)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'detached' })
  // Until here the browser itself told of refused requests.
  complaints.length = 0

  await page.getByRole('button', { name: 'Crawl the sample site' }).click()
  await page.waitForURL(/\/crawls\/[\w-]+$/)
  await page.locator('header').getByText('Completed', { exact: true }).waitFor()

  await page.reload()
  await page.locator('header').getByText('Completed', { exact: true }).waitFor()
  assert.equal(await dialog.count(), 0)
  assert.equal(await page.evaluate('document.cookie'), '')
  assert.deepEqual(complaints, [])
})
