// Reads what a page has become. The browser serialises the DOM itself, so that nothing the page has replaced is called.

import { CdpError } from '../cdp/connection.ts'
import { openIsolatedWorld } from './isolated-world.ts'
import type { PageRun } from './page-run.ts'

const SCREENSHOT_QUALITY = 60
const MAX_SCREENSHOT_HEIGHT = 8000

/** Null if the HTML is too large, which ends the page. */
export async function readHtml(run: PageRun): Promise<string | null> {
  const { session } = run.page
  const { htmlChars } = run.request.settings.limits
  const [{ root }] = await Promise.all([session.send('DOM.getDocument', { depth: 0 }), removeNoscript(run)])
  try {
    // Shadow roots, also closed ones, become <template shadowrootmode>.
    const { outerHTML } = await session.send('DOM.getOuterHTML', { nodeId: root.nodeId, includeShadowDOM: true })
    if (outerHTML.length <= htmlChars) return outerHTML
  } catch (error) {
    if (!(error instanceof CdpError && error.kind === 'too_large')) throw error
  }
  run.end('render_dom_size', `more than ${htmlChars} characters of HTML`)
  return null
}

/** Scripts ran, so these elements were not displayed, but a reader of the HTML cannot know that. */
async function removeNoscript({ page: { session, targetId } }: PageRun): Promise<void> {
  const { executionContextId } = await openIsolatedWorld(session, targetId)
  const expression = "for (const element of document.querySelectorAll('noscript')) element.remove()"
  await session.send('Runtime.evaluate', { expression, contextId: executionContextId, timeout: 1000 })
}

/** WebP, at most the first 8,000 pixels. */
export async function takeScreenshot(run: PageRun): Promise<Uint8Array> {
  const { session } = run.page
  const { cssContentSize } = await session.send('Page.getLayoutMetrics')
  const height = Math.min(cssContentSize.height, MAX_SCREENSHOT_HEIGHT)
  const clip = { x: 0, y: 0, width: Math.min(cssContentSize.width, 2000), height, scale: 1 }
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: SCREENSHOT_QUALITY,
    captureBeyondViewport: true,
    clip,
  })
  return Buffer.from(data, 'base64')
}
