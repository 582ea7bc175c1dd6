// Renders one page in a browser, from the first command to the disposal of its context.

import type { Clock } from '../../lib/clock.ts'
import type { RenderedPage, RenderOutcome, RenderRequest, SubresourceSource } from '../../ports/renderer.ts'
import type { Browser } from '../browser/browser.ts'
import type { BrowserPage } from '../browser/browser-page.ts'
import { followPage } from './follow-page.ts'
import { PageRun } from './page-run.ts'
import { readHtml, takeScreenshot } from './read-page.ts'
import { countNodes, waitUntilSettled } from './settle.ts'
import { watchLimits } from './watch-limits.ts'

/** Reading a page that a limit ended. A page in an endless loop does not answer. */
const LAST_READ_MS = 500
const STORAGE_SHARE = 0.8
const RESET_MS = 2000
const CLOSE_MS = 5000
/** Longer than a busy machine takes. */
const OPEN_MS = 30_000
/** Outcomes without content, or whose content must not be used. */
const UNREADABLE = new Set<RenderOutcome>(['script_blocked', 'render_crashed', 'render_memory', 'render_dom_size'])

export interface RenderContext {
  clock: Clock
  /** Pages of different owners never share a context. */
  owner: string
  /** Ends the page early; its result is not used then. */
  signal: AbortSignal
}

export interface FinishedPage {
  rendered: RenderedPage
  /** Must be called: closes the page, or keeps it for the next page of its origin. */
  release(): Promise<void>
}

/** Resolves for whatever the page does. If the browser dies, the outcome is render_crashed. */
export async function renderPage(
  browser: Browser,
  renderRequest: RenderRequest,
  subresources: SubresourceSource,
  { clock, owner, signal }: RenderContext,
): Promise<FinishedPage> {
  const { origin } = new URL(renderRequest.url)
  const page = await openPage(browser, `${owner} ${origin}`, clock)
  if (page === null) return { rendered: crashedPage(renderRequest), release: () => browser.process.kill() }
  const run = new PageRun(renderRequest, subresources, page)
  const watch = watchLimits(run, clock)
  void browser.process.exited.then(() => run.end('render_crashed', 'the browser died'))
  const interrupt = () => run.end('render_crashed', 'interrupted')
  signal.addEventListener('abort', interrupt)
  if (signal.aborted) interrupt()
  followPage(run)

  const result = { html: null as string | null, screenshot: null as Uint8Array | null }
  const render = async () => {
    prepare(run)
    // The page answers before it has anything of the new document, which waits for us.
    const counted = countNodes(run)
    await Promise.all([counted, run.page.session.send('Page.navigate', { url: renderRequest.url })])
    await waitUntilSettled(run, clock)
    const [html] = await Promise.all([readHtml(run), checkStorage(run)])
    if (run.isEnded) return
    result.html = html
    if (renderRequest.settings.screenshot) result.screenshot = await takeScreenshot(run)
    run.end('rendered')
  }
  render().catch((error: unknown) => run.end('render_crashed', error instanceof Error ? error.message : String(error)))
  const { outcome, evidence } = await run.ended
  watch.stop()
  signal.removeEventListener('abort', interrupt)
  const isPartial = outcome !== 'rendered' && !run.hasLeft && !UNREADABLE.has(outcome)
  if (isPartial) result.html = await within(clock, LAST_READ_MS, readHtml(run))
  const cpuMs = watch.cpuMs()
  const { finalUrl, routes, navigations, subrequests } = run
  const seen = { finalUrl, routes: [...routes], navigations: [...navigations], subrequests }
  return {
    rendered: { outcome, evidence, ...result, ...seen, cpuMs },
    release: () => release(browser, run, outcome, clock),
  }
}

/** Null if it fails or takes too long. The time that other pages take to be created does not count. */
async function openPage(browser: Browser, key: string, clock: Clock): Promise<BrowserPage | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  let cancel: () => void = () => undefined
  const opening = browser.openPage(key, () => {
    cancel = clock.after(OPEN_MS, () => resolve(null))
  })
  try {
    return await Promise.race([opening, late])
  } catch {
    return null
  } finally {
    cancel()
  }
}

function prepare({ page, request }: PageRun): void {
  const { userAgent, limits } = request.settings
  const { origin } = new URL(request.url)
  page.session.post('Storage.overrideQuotaForOrigin', { origin, quotaSize: limits.storageBytes })
  if (userAgent !== null) page.session.post('Emulation.setUserAgentOverride', { userAgent })
}

/** Beyond its quota a page gets errors; that it came near is the outcome. */
async function checkStorage(run: PageRun): Promise<void> {
  const { storageBytes } = run.request.settings.limits
  const { origin } = new URL(run.request.url)
  const { usage } = await run.page.session.send('Storage.getUsageAndQuota', { origin })
  if (usage > STORAGE_SHARE * storageBytes) run.end('render_storage', `stored ${usage} bytes`)
}

/**
 * Kills the process of a page that is not kept, since it may not end by itself. Also kills a browser that does not
 * respond.
 */
async function release(browser: Browser, run: PageRun, outcome: RenderOutcome, clock: Clock): Promise<void> {
  const { page } = run
  page.onCrash = () => undefined
  if (outcome === 'rendered' && run.leavesNoTrace && page.isReusable) {
    const kept = browser.keepPage(page, new URL(run.request.url).origin).then(() => true)
    if ((await within(clock, RESET_MS, kept)) !== null) return
  }
  if (page.rendererPid !== null) kill(page.rendererPid)
  const closed = await within(
    clock,
    CLOSE_MS,
    browser.closePage(page).then(() => true),
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
