// A pool with the browser of the npm package, so that tests do not depend on the machine.

import { detectContainment } from '../browser/containment.ts'
import { type BrowserLocation, findBrowser } from '../find-browser.ts'
import type { PoolSettings } from '../pool/messages.ts'
import { RenderClient } from '../pool/render-client.ts'
import { defaultPoolSettings, RenderPool } from '../pool/render-pool.ts'

interface Cleanup {
  after(callback: () => Promise<void>): void
}

export function packagedBrowser(): Promise<BrowserLocation> {
  const resolvePackage = () => import.meta.resolve('@sparticuz/chromium')
  return findBrowser(null, { env: {}, resolvePackage })
}

export async function testPool(
  t: Cleanup,
  settings: Partial<PoolSettings> = {},
  containment = detectContainment(),
): Promise<RenderPool> {
  const poolSettings = { ...defaultPoolSettings(), browsers: 1, ...settings }
  const pool = new RenderPool(await packagedBrowser(), poolSettings, containment)
  t.after(() => pool.close())
  return pool
}

export async function testClient(
  t: Cleanup,
  settings: Partial<PoolSettings> = {},
  containment = detectContainment(),
): Promise<RenderClient> {
  const client = new RenderClient((await testPool(t, settings, containment)).connect('test'))
  t.after(() => client.close())
  return client
}
