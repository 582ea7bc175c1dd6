// Opens pages in a browser process: each in a context of its own, so that pages share no cookies, storage or process.

import { createSerialQueue } from '../../lib/serial-queue.ts'
import type { CdpSession } from '../cdp/connection.ts'
import type { Events, TargetInfo } from '../cdp/protocol.ts'
import type { BrowserProcess } from './browser-process.ts'
import { renderersOf } from './process-usage.ts'

export interface ChildTarget {
  info: TargetInfo
  session: CdpSession
}

export interface BrowserPage {
  session: CdpSession
  /** Also the id of its main frame. */
  targetId: string
  contextId: string
  /** The process that runs the page; null where the system does not tell. */
  rendererPid: number | null
  /** Windows, shared workers and service workers of the page. They wait until they are resumed or closed. */
  onTarget: (childTarget: ChildTarget) => void
  onCrash: () => void
  child(attached: Events['Target.attachedToTarget']): ChildTarget
  closeTarget(targetId: string): void
  close(): Promise<void>
}

/** Requests that no page intercepts reach the browser's own session, and are refused there. */
const ALL_REQUESTS = { patterns: [{ urlPattern: '*', requestStage: 'Request' as const }] }
const AUTO_ATTACH = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true } as const
const VIEWPORT = { width: 1280, height: 1600 }

export class Browser {
  readonly process: BrowserProcess
  readonly #inTurn = createSerialQueue()
  readonly #pages = new Map<string, BrowserPage>()
  readonly #expected = new Map<string, (session: CdpSession) => void>()
  #refusedRequests = 0

  constructor(browserProcess: BrowserProcess) {
    this.process = browserProcess
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

  /** One at a time, so that the new process is the one of the new page. */
  openPage(): Promise<BrowserPage> {
    return this.#inTurn(() => this.#openPage())
  }

  async #openPage(): Promise<BrowserPage> {
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
    const child = ({ sessionId, targetInfo }: Events['Target.attachedToTarget']) => ({
      info: targetInfo,
      session: connection.session(sessionId),
    })
    session.on('Target.attachedToTarget', (attached) => this.#pages.get(contextId)?.onTarget(child(attached)))
    session.on('Target.detachedFromTarget', ({ sessionId }) => connection.endSession(sessionId))
    session.on('Inspector.targetCrashed', () => this.#pages.get(contextId)?.onCrash())
    // Sent together; a reply comes from the process of the page, so it exists then.
    const ready = Promise.all([
      session.send('Page.enable'),
      session.send('Performance.enable'),
      session.send('Target.setAutoAttach', AUTO_ATTACH),
      session.send('Fetch.enable', ALL_REQUESTS),
      session.send('Network.setBypassServiceWorker', { bypass: true }),
      session.send('Runtime.runIfWaitingForDebugger'),
    ])
    await ready
    const rendererPid = renderersOf(pid).find((renderer) => !before.has(renderer)) ?? null
    const close = async () => {
      this.#pages.delete(contextId)
      await browser.send('Target.disposeBrowserContext', { browserContextId: contextId })
    }
    const closeTarget = (id: string) => browser.post('Target.closeTarget', { targetId: id })
    const ignore = () => undefined
    const page = {
      session,
      targetId,
      contextId,
      rendererPid,
      onTarget: ignore,
      onCrash: ignore,
      child,
      closeTarget,
      close,
    }
    this.#pages.set(contextId, page)
    return page
  }

  #attached(session: CdpSession, info: TargetInfo): void {
    const contextId = info.browserContextId ?? ''
    const expected = info.type === 'page' ? this.#expected.get(contextId) : undefined
    if (expected === undefined) {
      const page = this.#pages.get(contextId)
      if (page === undefined) session.post('Runtime.runIfWaitingForDebugger')
      else page.onTarget({ info, session })
      return
    }
    this.#expected.delete(contextId)
    expected(session)
  }
}
