// Opens pages in a browser process, each in its own context, so that pages share no cookies, storage or process. A
// page that ended well is kept for the next page of the same owner and origin: its storage is cleared, its process
// stays. That takes half the CPU of a new context (57 ms instead of 100 for a small page, 2026-11).

import { createSerialQueue } from '../../lib/serial-queue.ts'
import type { CdpSession } from '../cdp/connection.ts'
import type { TargetInfo } from '../cdp/protocol.ts'
import { BrowserPage } from './browser-page.ts'
import type { BrowserProcess } from './browser-process.ts'
import { renderersOf } from './process-usage.ts'

/** Requests that no page intercepts reach the browser's own session, and are refused there. */
const ALL_REQUESTS = { patterns: [{ urlPattern: '*', requestStage: 'Request' as const }] }
const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true } as const
/** The browser has no command for what a tab keeps. Runs before the scripts of the page, in a world they cannot reach. */
const CLEAR_TAB = "if (window === window.top) { sessionStorage.clear(); window.name = '' }"
const VIEWPORT = { width: 1280, height: 1600 }

export class Browser {
  readonly process: BrowserProcess
  readonly #maxIdle: number
  readonly #inTurn = createSerialQueue()
  readonly #pages = new Map<string, BrowserPage>()
  readonly #expected = new Map<string, (session: CdpSession) => void>()
  /** Oldest first. */
  #idle: BrowserPage[] = []
  #refusedRequests = 0

  constructor(browserProcess: BrowserProcess, maxIdle: number) {
    this.process = browserProcess
    this.#maxIdle = maxIdle
    const { connection } = browserProcess
    connection.browser.on('Target.attachedToTarget', ({ sessionId, targetInfo }) =>
      this.#attached(connection.session(sessionId), targetInfo),
    )
    connection.browser.on('Target.detachedFromTarget', ({ sessionId }) => connection.endSession(sessionId))
    connection.browser.on('Fetch.requestPaused', ({ requestId }) => {
      this.#refusedRequests += 1
      connection.browser.post('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
    })
  }

  /** Must be called before the first page. */
  async prepare(): Promise<void> {
    const { browser } = this.process.connection
    await Promise.all([browser.send('Fetch.enable', ALL_REQUESTS), browser.send('Target.setAutoAttach', AUTO_ATTACH)])
  }

  /** Requests that no page had intercepted. */
  get refusedRequests(): number {
    return this.#refusedRequests
  }

  /** Pages are shared only under the same key: owner and origin. `onTurn` is called when no other page is being created. */
  async openPage(key: string, onTurn: () => void): Promise<BrowserPage> {
    const kept = this.#idle.find((page) => page.key === key)
    if (kept === undefined) {
      return await this.#inTurn(() => {
        onTurn()
        return this.#createPage(key)
      })
    }
    this.#idle = this.#idle.filter((page) => page !== kept)
    return kept
  }

  /** Keeps a page for the next page of the same key. Rejects if it cannot be reset. */
  async keepPage(page: BrowserPage, origin: string): Promise<void> {
    await page.reset(origin)
    page.onCrash = () => this.#forget(page)
    this.#idle.push(page)
    const oldest = this.#idle.length > this.#maxIdle ? this.#idle.shift() : undefined
    if (oldest !== undefined) await this.closePage(oldest)
  }

  async closePage({ contextId }: BrowserPage): Promise<void> {
    this.#pages.delete(contextId)
    await this.process.connection.browser.send('Target.disposeBrowserContext', { browserContextId: contextId })
  }

  #forget(page: BrowserPage): void {
    this.#idle = this.#idle.filter((one) => one !== page)
    this.closePage(page).catch(() => undefined)
  }

  /** Creates one page at a time, so that the new process is known to belong to the new page. */
  async #createPage(key: string): Promise<BrowserPage> {
    const { connection, pid } = this.process
    const { browser } = connection
    const { browserContextId: contextId } = await browser.send('Target.createBrowserContext', { disposeOnDetach: true })
    browser.post('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId: contextId })
    browser.post('Browser.grantPermissions', { permissions: [], browserContextId: contextId })
    const before = new Set(renderersOf(pid))
    const attached = Promise.withResolvers<CdpSession>()
    this.#expected.set(contextId, attached.resolve)
    const { targetId } = await browser.send('Target.createTarget', {
      url: '',
      browserContextId: contextId,
      ...VIEWPORT,
    })
    const session = await attached.promise
    const page = new BrowserPage({ key, connection, session, targetId, contextId })
    this.#pages.set(contextId, page)
    // Sent together. A reply comes from the process of the page, so it exists then.
    await Promise.all([
      session.send('Page.enable'),
      session.send('Performance.enable'),
      session.send('Target.setAutoAttach', AUTO_ATTACH),
      session.send('Fetch.enable', ALL_REQUESTS),
      session.send('Page.addScriptToEvaluateOnNewDocument', { source: CLEAR_TAB, worldName: 'orbweaver' }),
      session.send('Network.setBypassServiceWorker', { bypass: true }),
      session.send('Runtime.runIfWaitingForDebugger'),
    ])
    page.rendererPid = renderersOf(pid).find((renderer) => !before.has(renderer)) ?? null
    return page
  }

  #attached(session: CdpSession, info: TargetInfo): void {
    const contextId = info.browserContextId ?? ''
    const expected = info.type === 'page' ? this.#expected.get(contextId) : undefined
    if (expected !== undefined) {
      this.#expected.delete(contextId)
      return expected(session)
    }
    const page = this.#pages.get(contextId)
    if (page === undefined) this.process.connection.browser.post('Target.closeTarget', { targetId: info.targetId })
    else page.onTarget({ info, session })
  }
}
