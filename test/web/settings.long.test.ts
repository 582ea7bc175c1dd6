import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { runProgram } from '../testing/program.ts'
import { checkAccessibility } from './testing/accessibility.ts'
import { locateStatus, openAppSession, startCrawl } from './testing/app-session.ts'
import { navigateTo } from './testing/browser.ts'

const { app, page, complaints } = await openAppSession({ after })
const tokens = page.getByRole('region', { name: 'Tokens' }).first()
const hooks = page.getByRole('region', { name: 'Webhooks' }).first()

test('a token is shown once, listed and revoked', async () => {
  await navigateTo(page, '/settings')
  await tokens.getByLabel('Name').fill('laptop')
  await tokens.getByLabel('Scope').selectOption('crawl')
  await tokens.getByLabel('Expires').selectOption('in 30 days')
  await tokens.getByRole('button', { name: 'Make a token' }).click()
  const secret = await page.getByRole('dialog').locator('code').textContent()
  assert.match(secret ?? '', /^orbw_/)
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await tokens.getByRole('cell', { name: 'laptop', exact: true }).waitFor()
  assert.ok(!(await page.content()).includes(secret ?? ''))
  const [made] = (await app.client.listTokens()).items
  assert.ok(Date.parse(made?.expires_at ?? '') > Date.now())
})

test('a webhook is added with the events it wants', async () => {
  await hooks.getByLabel('Url to call').fill('https://example.com/hook')
  await hooks.getByRole('button', { name: 'created' }).click()
  await hooks.getByRole('button', { name: 'Add the webhook' }).click()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await hooks.getByRole('cell', { name: 'https://example.com/hook', exact: true }).waitFor()
  const [hook] = (await app.client.listWebhooks()).items
  assert.ok(hook !== undefined && !hook.events.includes('crawl.created') && hook.events.includes('crawl.failed'))
})

test('settings pass the checks of axe', () =>
  checkAccessibility(page, () => tokens.getByText('laptop').first().waitFor()))

test('on a phone a token can be revoked without scrolling its table', async () => {
  await page.setViewportSize({ width: 390, height: 900 })
  const box = await page.getByRole('button', { name: 'Revoke laptop' }).boundingBox()
  assert.ok(box !== null && box.x + box.width <= 390, JSON.stringify(box))
  await page.setViewportSize({ width: 1400, height: 900 })
})

test('a token is revoked and a webhook removed', async () => {
  await tokens.getByRole('button', { name: 'Revoke laptop' }).click()
  await page.getByRole('button', { name: 'Revoke it' }).click()
  await tokens.getByText('There are no tokens.').waitFor()
  assert.deepEqual((await app.client.listTokens()).items, [])
  await hooks.getByRole('button', { name: 'Remove https://example.com/hook' }).click()
  await page.getByRole('button', { name: 'Remove it' }).click()
  await hooks.getByText('There are no webhooks.').waitFor()
})

test('the theme is kept, and the log level is set', async () => {
  await page.getByLabel('Dark', { exact: true }).check()
  await page.reload()
  await page.locator('html[data-theme=dark]').waitFor()
  await page.getByLabel('Log level of the server').selectOption('warn')
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await page.getByText('The log level is warn now.').waitFor()
  await page.reload()
  await page.locator('select:has(option[value=warn]:checked)').waitFor()
  await page.getByRole('radio', { name: 'As the system has it' }).check()
})

test('the process that crawls is listed as a worker, and drained when asked to', async () => {
  await navigateTo(page, '/workers')
  const [worker] = (await app.client.listWorkers()).items
  const name = worker?.name ?? 'a name'
  const row = page.getByRole('row', { name })
  await row.getByText('working', { exact: true }).waitFor()
  await checkAccessibility(page, () => row.getByText('working', { exact: true }).waitFor())
  assert.deepEqual(complaints, [])

  await row.getByRole('button', { name: `Drain ${name}` }).click()
  await page.getByText('This is the only worker.').waitFor()
  await page.getByRole('button', { name: 'Stop all crawling' }).click()
  await page.getByText(`${name} finishes what it has and leaves.`).waitFor()
  await row.getByText('left', { exact: true }).waitFor()
})

test('a crawl without a worker says so, and what to do', async (t) => {
  const site = await servePlainSite(t, () => 'page')
  const crawlId = await startCrawl(app, { url: site.origin })
  await navigateTo(page, `/crawls/${crawlId}`)
  await locateStatus(page, 'No worker').waitFor()
  await page.getByText(/^No worker is running\. Restart the server/).waitFor()
  await page.getByText('The crawl is held: no worker is running.').waitFor()
  assert.equal(await page.getByText('No worker.', { exact: true }).count(), 0)
  const crawl = await app.client.getCrawl({ params: { crawl_id: crawlId } })
  assert.deepEqual([crawl.status, crawl.held, crawl.eta_seconds], ['running', 'no_worker', null])
  const { explanation } = await app.client.getBottleneck({ params: { crawl_id: crawlId } })
  assert.match(explanation, /no worker is running/)
  // The command line says it too, of a server and of its folder.
  for (const place of [
    ['--server', app.address],
    ['--data', app.data],
  ]) {
    const { stdout } = await runProgram(['status', crawlId, ...place])
    assert.match(stdout, /Waiting: no worker is running; restart the server/, place[0])
  }
  await app.stop()
  await app.restart()
  await locateStatus(page, 'Completed').waitFor()
})
