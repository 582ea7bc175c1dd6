import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { servePlainSite } from '../sites/plain-site.ts'
import { runProgram } from '../testing/program.ts'
import { checkAccessibility } from './testing/accessibility.ts'
import { locateStatus, openAppSession, startCrawl } from './testing/app-session.ts'
import { navigateTo } from './testing/browser.ts'

const { app, page, pageErrors } = await openAppSession({ after })
const tokens = page.getByRole('region', { name: 'Tokens' }).first()
const hooks = page.getByRole('region', { name: 'Webhooks' }).first()

test('a token is shown once, listed and revoked', async () => {
  await navigateTo(page, '/settings')
  await tokens.getByLabel('Name').fill('laptop')
  await tokens.getByLabel('Scope').selectOption('crawl')
  await tokens.getByLabel('Expires').selectOption('In 30 days')
  await tokens.getByRole('button', { name: 'Create token' }).click()
  const secret = await page.getByRole('dialog').locator('code').textContent()
  assert.match(secret ?? '', /^orbw_/)
  await page.getByRole('button', { name: 'Done' }).click()
  await tokens.getByRole('cell', { name: 'laptop', exact: true }).waitFor()
  assert.ok(!(await page.content()).includes(secret ?? ''))
  const [created] = (await app.client.listTokens()).items
  assert.ok(Date.parse(created?.expires_at ?? '') > Date.now())
})

test('a webhook is added with the selected events', async () => {
  await hooks.getByLabel('URL', { exact: true }).fill('https://example.com/hook')
  await hooks.getByRole('button', { name: 'Created' }).click()
  await hooks.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await hooks.getByRole('cell', { name: 'https://example.com/hook', exact: true }).waitFor()
  const [hook] = (await app.client.listWebhooks()).items
  assert.ok(hook !== undefined && !hook.events.includes('crawl.created') && hook.events.includes('crawl.failed'))
})

test('the settings are accessible', () => checkAccessibility(page, () => tokens.getByText('laptop').first().waitFor()))

test('on a phone a token can be revoked without scrolling its table', async () => {
  await page.setViewportSize({ width: 390, height: 900 })
  const box = await page.getByRole('button', { name: 'Revoke laptop' }).boundingBox()
  assert.ok(box !== null && box.x + box.width <= 390, JSON.stringify(box))
  await page.setViewportSize({ width: 1400, height: 900 })
})

test('a policy is added, explained for a host, edited and deleted', async () => {
  const policies = page.getByRole('region', { name: 'Policies' }).first()
  const dialog = page.getByRole('dialog')
  await policies.getByRole('button', { name: 'Add policy' }).click()
  await dialog.getByLabel('Host', { exact: true }).fill('*.example.com')
  await dialog.getByLabel('Delay').fill('soon')
  await dialog.getByLabel('Weight').fill('2')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/whole number/).waitFor()
  await checkAccessibility(page, () => dialog.getByLabel('Delay').waitFor())
  await dialog.getByLabel('Delay').fill('2000')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const row = policies.getByRole('row', { name: /^\*\.example\.com/ })
  await row.getByRole('cell', { name: 'weight 2, 2000 ms delay', exact: true }).waitFor()
  await app.client.setPolicy({ params: { host: 'www.example.com' }, body: { delay: 500 } })

  await navigateTo(page, '/settings?host=www.example.com')
  await policies.getByText('by www.example.com').waitFor()
  await policies.getByText('by *.example.com').waitFor()
  await policies.getByLabel('What applies to').fill('other.test')
  await policies.getByText('No policy applies to other.test.').waitFor()

  await row.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Weight').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByRole('cell', { name: '2000 ms delay', exact: true }).waitFor()
  await row.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete policy' }).click()
  await row.waitFor({ state: 'detached' })
  assert.deepEqual(
    (await app.client.listPolicies()).items.map(({ host }) => host),
    ['www.example.com'],
  )
  // The policy that the server rejected.
  assert.deepEqual(
    pageErrors.splice(0).map((text) => /status of (\d+)/.exec(text)?.[1]),
    ['422'],
  )
})

test('a token is revoked and a webhook removed', async () => {
  await tokens.getByRole('button', { name: 'Revoke laptop' }).click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await tokens.getByText('No tokens yet.').waitFor()
  assert.deepEqual((await app.client.listTokens()).items, [])
  await hooks.getByRole('button', { name: 'Remove https://example.com/hook' }).click()
  await page.getByRole('button', { name: 'Remove webhook' }).click()
  await hooks.getByText('No webhooks yet.').waitFor()
})

test('the theme is stored, and the log level is set', async () => {
  await page.getByLabel('Dark', { exact: true }).check()
  await page.reload()
  await page.locator('html[data-theme=dark]').waitFor()
  await page.getByLabel('Log level').selectOption('warn')
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  await page.getByText('Log level set to warning.').waitFor()
  await page.reload()
  await page.locator('select:has(option[value=warn]:checked)').waitFor()
  await page.getByRole('radio', { name: 'System', exact: true }).check()
})

test('a worker is listed and can be drained', async () => {
  await navigateTo(page, '/workers')
  const [worker] = (await app.client.listWorkers()).items
  const name = worker?.name ?? 'a name'
  const row = page.getByRole('row', { name })
  await row.getByText('Working', { exact: true }).waitFor()
  await checkAccessibility(page, () => row.getByText('Working', { exact: true }).waitFor())
  assert.deepEqual(pageErrors, [])

  await row.getByRole('button', { name: `Drain ${name}` }).click()
  await page.getByText('This is the only worker.').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Stop all crawling' }).isDisabled())
  await page.getByRole('checkbox', { name: 'Stop all crawling' }).check()
  await page.getByRole('button', { name: 'Stop all crawling' }).click()
  await page.getByText(`${name} is draining.`).waitFor()
  await row.getByText('Left', { exact: true }).waitFor()
})

test('a crawl without a worker says what to do', async (t) => {
  const site = await servePlainSite(t, () => 'page')
  const crawlId = await startCrawl(app, { url: site.origin })
  await navigateTo(page, `/crawls/${crawlId}`)
  await locateStatus(page, 'No worker').waitFor()
  await page.getByText(/^No worker is running, so the crawl waits\. Restart the server/).waitFor()
  await page.getByText('The crawl is on hold: no worker is running.').waitFor()
  assert.equal(await page.getByText('No worker.', { exact: true }).count(), 0)
  const crawl = await app.client.getCrawl({ params: { crawl_id: crawlId } })
  assert.deepEqual([crawl.status, crawl.held, crawl.eta_seconds], ['running', 'no_worker', null])
  const { explanation } = await app.client.getBottleneck({ params: { crawl_id: crawlId } })
  assert.match(explanation, /no worker is running/)
  // The command line reports it too, for a server and for a data directory.
  for (const target of [
    ['--server', app.address],
    ['--data', app.data],
  ]) {
    const { stdout } = await runProgram(['status', crawlId, ...target])
    assert.match(stdout, /Waiting: no worker is running; restart the server/, target[0])
  }
  await app.stop()
  await app.restart()
  await locateStatus(page, 'Completed').waitFor()
})
