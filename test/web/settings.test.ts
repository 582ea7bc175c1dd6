import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { servePlain } from '../sites/plain.ts'
import { type App, startApp } from './app.ts'
import { findFaults, VIEWS } from './axe.ts'
import { openBrowser, openPage } from './browser.ts'
import { serveGatedSite } from './gated-site.ts'

async function setUp(t: TestContext) {
  const app = await startApp(t)
  const { page, complaints } = await openPage(await openBrowser(t))
  return { app, page, complaints }
}

async function crawlToEnd(app: App, page: Page, url: string): Promise<string> {
  const { crawl_id } = await app.client.createCrawl({ body: { url, settings: { allow_private: true, delay: 0 } } })
  await page.goto(`${app.address}/crawls/${crawl_id}`)
  await page
    .locator('header')
    .getByText(/^Completed/)
    .waitFor()
  return crawl_id
}

test('a token is shown once, listed and revoked', async (t) => {
  const { app, page, complaints } = await setUp(t)
  await page.goto(`${app.address}/settings`)
  const tokens = page.getByRole('region', { name: 'Tokens' }).first()
  await tokens.getByLabel('Name').fill('laptop')
  await tokens.getByLabel('Scope').selectOption('crawl')
  await tokens.getByRole('button', { name: 'Make a token' }).click()
  const secret = await page.getByRole('dialog').locator('code').textContent()
  assert.match(secret ?? '', /^orbw_/)
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await tokens.getByRole('cell', { name: 'laptop', exact: true }).waitFor()
  assert.ok(!(await page.content()).includes(secret ?? ''))

  await tokens.getByRole('button', { name: 'Revoke laptop' }).click()
  await page.getByRole('button', { name: 'Revoke it' }).click()
  await tokens.getByText('There are no tokens.').waitFor()
  assert.deepEqual((await app.client.listTokens()).items, [])
  assert.deepEqual(complaints, [])
})

test('a webhook is added with the events it wants, and removed', async (t) => {
  const { app, page, complaints } = await setUp(t)
  await page.goto(`${app.address}/settings`)
  const hooks = page.getByRole('region', { name: 'Webhooks' }).first()
  await hooks.getByLabel('Url to call').fill('https://example.com/hook')
  await hooks.getByRole('button', { name: 'created' }).click()
  await hooks.getByRole('button', { name: 'Add the webhook' }).click()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await hooks.getByRole('cell', { name: 'https://example.com/hook', exact: true }).waitFor()
  const [hook] = (await app.client.listWebhooks()).items
  assert.ok(hook !== undefined && !hook.events.includes('crawl.created') && hook.events.includes('crawl.failed'))
  await hooks.getByRole('button', { name: 'Remove https://example.com/hook' }).click()
  await page.getByRole('button', { name: 'Remove it' }).click()
  await hooks.getByText('There are no webhooks.').waitFor()
  assert.deepEqual(complaints, [])
})

test('the theme is kept, and the log level is set', async (t) => {
  const { app, page, complaints } = await setUp(t)
  await page.goto(`${app.address}/settings`)
  await page.getByLabel('Dark', { exact: true }).check()
  await page.reload()
  await page.locator('html[data-theme=dark]').waitFor()
  await page.getByLabel('Log level of the server').selectOption('warn')
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await page.getByText('The log level is warn now.').waitFor()
  assert.deepEqual(complaints, [])
})

test('the process that crawls is listed as a worker', async (t) => {
  const { app, page, complaints } = await setUp(t)
  await page.goto(`${app.address}/workers`)
  const [worker] = (await app.client.listWorkers()).items
  await page
    .getByRole('row', { name: worker?.name ?? 'a name' })
    .getByText('working', { exact: true })
    .waitFor()
  assert.deepEqual(complaints, [])
})

test('a host is blocked and released', async (t) => {
  const { app, page, complaints } = await setUp(t)
  const site = await serveGatedSite(t, { pages: 20 })
  const { host } = new URL(site.origin)
  // After the front page it is nobody's turn for an hour.
  const settings = { allow_private: true, ignore_robots: true, delay: 3_600_000 }
  const { crawl_id } = await app.client.createCrawl({ body: { url: site.origin, settings } })
  await page.goto(`${app.address}/crawls/${crawl_id}/hosts`)
  await page.locator('header').getByText('21 urls').waitFor()

  await page.getByRole('button', { name: `Block ${host}` }).click()
  await page.getByRole('button', { name: 'Block it' }).click()
  await page.getByText(`${host} is blocked: 20 urls changed.`).waitFor()
  await page.getByText('blocked', { exact: true }).waitFor()
  assert.equal((await app.client.getCrawl({ params: { crawl_id } })).states.excluded, 20)

  await page.getByRole('button', { name: `Release ${host}` }).click()
  await page.getByText(`${host} is released: 20 urls changed.`).waitFor()
  await page.getByRole('button', { name: `Block ${host}` }).waitFor()
  assert.equal((await app.client.getCrawl({ params: { crawl_id } })).states.excluded, 0)
  assert.deepEqual(complaints, [])
})

test('two crawls of a site are compared', async (t) => {
  const { app, page, complaints } = await setUp(t)
  let round = 1
  const site = await servePlain(t, (path) => {
    if (path === '/') return `<title>Front ${round}</title><a href="/only-${round}">one</a> <a href="/same">two</a>`
    return path === `/only-${round}` || path === '/same' ? `<title>Page</title>The words of ${path}` : null
  })
  const before = await crawlToEnd(app, page, site.origin)
  round = 2
  const after = await crawlToEnd(app, page, site.origin)
  await page.goto(`${app.address}/compare`)
  await page.getByLabel('Before').selectOption(before)
  await page.getByLabel('After').selectOption(after)
  await page.getByRole('row', { name: /added.*only-2/ }).waitFor()
  await page.getByRole('row', { name: /removed.*only-1/ }).waitFor()
  const changed = page.getByRole('row', { name: /^changed/ })
  await changed.getByText('Front 1').waitFor()
  await changed.getByText('Front 2').waitFor()
  await changed
    .getByText(/^[0-9a-f]{12}$/)
    .first()
    .waitFor()
  await changed.getByRole('link').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(site.origin).first().waitFor()
  await dialog.getByText('Front 2').first().waitFor()
  assert.ok(new URL(page.url()).pathname.includes(after))
  assert.deepEqual(complaints, [])
})

test('settings, workers, hosts and comparison pass the checks of axe', async (t) => {
  const site = await servePlain(t, (path) => (path === '/' ? '<title>One</title>Some words.' : null))
  const app = await startApp(t)
  const browser = await openBrowser(t)
  const first = await openPage(browser)
  const before = await crawlToEnd(app, first.page, site.origin)
  const after = await crawlToEnd(app, first.page, `${site.origin}/missing`)
  await app.client.createToken({ body: { name: 'laptop', scope: 'admin' } })
  await app.client.createWebhook({ body: { url: 'https://example.com/hook' } })
  const scenes = [
    ['/settings', 'laptop'],
    ['/workers', 'At work'],
    [`/crawls/${before}/hosts`, 'No trap was seen'],
    ['/compare', 'Choose two crawls'],
    [`/compare?a=${before}&b=${after}`, 'removed'],
  ] as const
  for (const view of VIEWS) {
    const { page } = await openPage(browser, view)
    for (const [path, text] of scenes) {
      await page.goto(app.address + path)
      await page.getByText(text, { exact: true }).first().waitFor()
      assert.deepEqual(await findFaults(page), [], `${path} ${view.theme} ${view.width}`)
    }
    await page.context().close()
  }
})
