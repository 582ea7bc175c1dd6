// Waits until a page has settled: it has loaded, asks for nothing, and its DOM has stopped growing for a while.

import type { Clock } from '../../lib/clock.ts'
import { CdpError, type CdpSession } from '../cdp/connection.ts'
import { openIsolatedWorld } from './isolated-world.ts'
import type { PageRun } from './page-run.ts'

const QUIET_MS = 300
/** The page itself answers checks. On a busy machine it is slow, so it gets the time for a few of them. */
const QUIET_CHECKS = 3
const CHECK_MS = 75
/** After loading, a document without scripts does not change. */
const STATIC_QUIET_MS = 50
const MAX_SCROLLS = 30
const MAX_REFUSALS = 3

/**
 * Also waits for the element or time in the settings. Never settles if the page does not; its time limit ends it then.
 */
export async function waitUntilSettled(run: PageRun, clock: Clock): Promise<void> {
  await waitUntilQuiet(run, clock)
  const { waitFor, scroll } = run.request.settings
  if (waitFor !== null && 'ms' in waitFor) await sleep(clock, waitFor.ms)
  if (waitFor !== null && 'selector' in waitFor) await waitForElement(run, clock, waitFor.selector)
  if (scroll) await scrollToEnd(run, clock)
  else if (waitFor !== null) await waitUntilQuiet(run, clock)
}

async function waitUntilQuiet(run: PageRun, clock: Clock): Promise<number> {
  let last = ''
  let nodes = 0
  let checks = 0
  let quietSince = clock.now()
  const [enoughMs, enoughChecks] = run.hasScripts ? [QUIET_MS, QUIET_CHECKS] : [STATIC_QUIET_MS, 1]
  while (!run.isEnded && (checks < enoughChecks || clock.now() - quietSince < enoughMs)) {
    await sleep(clock, Math.min(CHECK_MS, enoughMs))
    nodes = await countNodes(run)
    const state = `${nodes} ${run.activity} ${run.openRequests} ${run.isLoaded}`
    const isQuiet = state === last && run.openRequests === 0 && run.isLoaded
    checks = isQuiet ? checks + 1 : 0
    if (!isQuiet) quietSince = clock.now()
    last = state
  }
  return nodes
}

export async function countNodes(run: PageRun): Promise<number> {
  const { metrics } = await run.page.session.send('Performance.getMetrics')
  const all = metrics.find(({ name }) => name === 'Nodes')?.value ?? 0
  // Nodes of earlier pages may still wait for the garbage collector.
  run.nodesBefore ??= all
  const nodes = Math.max(0, all - run.nodesBefore)
  const { domNodes } = run.request.settings.limits
  if (nodes > domNodes) run.end('render_dom_size', `more than ${domNodes} nodes`)
  return nodes
}

/** Gives up on a selector that the browser does not understand. */
async function waitForElement(run: PageRun, clock: Clock, selector: string): Promise<void> {
  for (let refusals = 0; !run.isEnded && refusals < MAX_REFUSALS; ) {
    const isThere = await hasElement(run.page.session, selector)
    if (isThere === true) return
    refusals = isThere === null ? refusals + 1 : 0
    await sleep(clock, CHECK_MS)
  }
}

/** Null if the browser refuses: the selector is invalid, or the document was replaced in between. */
async function hasElement(session: CdpSession, selector: string): Promise<boolean | null> {
  try {
    const { root } = await session.send('DOM.getDocument', { depth: 0 })
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector })
    return nodeId !== 0
  } catch (error) {
    if (error instanceof CdpError && error.kind === 'refused') return null
    throw error
  }
}

async function scrollToEnd(run: PageRun, clock: Clock): Promise<void> {
  const { session, targetId } = run.page
  let nodes = await countNodes(run)
  for (let scrolls = 0; scrolls < MAX_SCROLLS && !run.isEnded; scrolls += 1) {
    await scrollDown(session, targetId)
    const after = await waitUntilQuiet(run, clock)
    if (after <= nodes) return
    nodes = after
  }
}

async function scrollDown(session: CdpSession, frameId: string): Promise<void> {
  const { executionContextId } = await openIsolatedWorld(session, frameId)
  const expression = 'window.scrollTo(0, document.documentElement.scrollHeight)'
  await session.send('Runtime.evaluate', { expression, contextId: executionContextId, timeout: 1000 })
}

function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve)
  })
}
