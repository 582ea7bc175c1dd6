// The browser of a process, and what `doctor` says about it.

import type { Config } from '../config/schema.ts'
import { asAppError } from '../lib/errors.ts'
import type { Renderer } from '../ports/renderer.ts'
import { describeContainment, detectContainment } from '../render/browser/containment.ts'
import { findBrowser } from '../render/find-browser.ts'
import { RenderClient } from '../render/pool/render-client.ts'
import { RenderPool } from '../render/pool/render-pool.ts'

/** Throws BROWSER_MISSING if the machine has none. */
export async function openRenderPool({ browser }: Pick<Config, 'browser'>): Promise<RenderPool> {
  return new RenderPool(await findBrowser(browser))
}

/** Throws BROWSER_MISSING if the machine has none. */
export async function openRenderer({ browser }: Config): Promise<Renderer> {
  const pool = await openRenderPool({ browser })
  const client = new RenderClient(pool.connect(''))
  return {
    forgetResponses: () => client.forgetResponses(),
    render: (renderRequest, subresources) => client.render(renderRequest, subresources),
    async close() {
      await client.close()
      await pool.close()
    },
  }
}

export async function describeBrowser({ browser }: Config): Promise<{ isUp: boolean; text: string }[]> {
  try {
    const { path } = await findBrowser(browser)
    return [{ isUp: true, text: `Browser: ${path}` }, ...describeContainment(detectContainment())]
  } catch (error) {
    return [{ isUp: false, text: asAppError(error).message }]
  }
}
