// Renders one page in a browser, from the first command to the disposal of its context.

import type { Clock } from '../../lib/clock.ts'
import type { RenderedPage, RenderOutcome, RenderRequest, SubresourceSource } from '../../ports/renderer.ts'
import type { Browser } from '../browser/browser.ts'
import { followPage } from './follow-page.ts'
import { PageRun } from './page-run.ts'
import { readHtml, takeScreenshot } from './read-page.ts'
import { waitUntilSettled } from './settle.ts'
import { watchLimits } from './watch-limits.ts'

/** Reading a page that a limit ended. A page in an endless loop does not answer. */
const LAST_READ_MS = 500
const CLOSE_MS = 5000
/** Longer than a busy machine takes. */
const OPEN_MS = 30_000
/** There is nothing to read, or nothing that may be used. */
const UNREADABLE = new Set<RenderOutcome>(['script_blocked', 'render_crashed', 'render_memory', 'render_dom_size'])

export interface RenderContext {
  clock: Clock
  /** Ends the page early; its result is not used then. */
  signal: AbortSignal
}

/** Resolves for whatever the page does. If the browser dies, the outcome is render_crashed. */
export async function renderPage(
  browser: Browser,
  renderRequest: RenderRequest,
  subresources: SubresourceSource,
  { clock, signal }: RenderContext,
): Promise<RenderedPage> {
  const run = await startRun(browser, renderRequest, subresources, clock)
  if (run === null) return crashedPage(renderRequest)
  const watch = watchLimits(run, clock)
  void browser.process.exited.then(() => run.end('render_crashed', 'the browser died'))
  const interrupt = () => run.end('render_crashed', 'interrupted')
  signal.addEventListener('abort', interrupt)
  if (signal.aborted) interrupt()
  followPage(run)

  const result = { html: null as string | null, screenshot: null as Uint8Array | null }
  const render = async () => {
    await run.page.session.send('Page.navigate', { url: renderRequest.url })
    await waitUntilSettled(run, clock)
    if (run.isEnded) return
    result.html = await readHtml(run)
    if (renderRequest.settings.screenshot) result.screenshot = await takeScreenshot(run)
    run.end('rendered')
  }
  render().catch((error: unknown) => run.end('render_crashed', error instanceof Error ? error.message : String(error)))
  const { outcome, evidence } = await run.ended
  watch.stop()
  signal.removeEventListener('abort', interrupt)
  const isPartial = outcome !== 'rendered' && !UNREADABLE.has(outcome)
  if (isPartial) result.html = await within(clock, LAST_READ_MS, readHtml(run))
  const cpuMs = watch.cpuMs()
  await closePage(browser, run, outcome, clock)
  const { finalUrl, routes, navigations, subrequests } = run
  return {
    outcome,
    evidence,
    ...result,
    finalUrl,
    routes: [...routes],
    navigations: [...navigations],
    subrequests,
    cpuMs,
  }
}

/** Null if the browser died or does not answer. */
async function startRun(
  browser: Browser,
  renderRequest: RenderRequest,
  subresources: SubresourceSource,
  clock: Clock,
): Promise<PageRun | null> {
  const page = await within(clock, OPEN_MS, browser.openPage())
  if (page !== null) return new PageRun(renderRequest, subresources, page)
  await browser.process.kill()
  return null
}

/** The process of a page that did not end by itself is killed. A browser that does not answer is killed too. */
async function closePage(browser: Browser, run: PageRun, outcome: RenderOutcome, clock: Clock): Promise<void> {
  const { rendererPid } = run.page
  if (outcome !== 'rendered' && rendererPid !== null) kill(rendererPid)
  const closed = await within(
    clock,
    CLOSE_MS,
    run.page.close().then(() => true),
  )
  if (closed === null) await browser.process.kill()
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}

/** Null if it fails or takes longer. */
async function within<T>(clock: Clock, ms: number, promise: Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const cancel = clock.after(ms, () => resolve(null))
  try {
    return await Promise.race([promise, late])
  } catch {
    return null
  } finally {
    cancel()
  }
}

function crashedPage({ url }: RenderRequest): RenderedPage {
  return {
    outcome: 'render_crashed',
    html: null,
    finalUrl: url,
    routes: [],
    navigations: [],
    screenshot: null,
    subrequests: [],
    cpuMs: 0,
    evidence: 'the browser died',
  }
}
