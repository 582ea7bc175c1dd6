// A page of a browser, with what happens to it besides its own events.

import type { CdpConnection, CdpSession } from '../cdp/connection.ts'
import type { Events, TargetInfo } from '../cdp/protocol.ts'
import { readUsage } from './process-usage.ts'

export interface ChildTarget {
  info: TargetInfo
  session: CdpSession
}

interface OpenedPage {
  key: string
  connection: CdpConnection
  session: CdpSession
  targetId: string
  contextId: string
}

/** A process that has become large, or has served many pages, is not used again. */
const MAX_USES = 50
const MAX_REUSED_BYTES = 150 << 20

export class BrowserPage {
  /** The owner and origin that may use it again. */
  readonly key: string
  readonly session: CdpSession
  /** Also the id of its main frame. */
  readonly targetId: string
  readonly contextId: string
  /** The process that runs the page; null where the system does not tell. */
  rendererPid: number | null = null
  /** Frames, workers and windows of the page. They wait until they are resumed or closed. */
  onTarget: (childTarget: ChildTarget) => void
  onCrash: () => void = () => undefined
  readonly #connection: CdpConnection
  readonly #refuseTarget = ({ info }: ChildTarget) => this.closeTarget(info.targetId)
  #uses = 1

  constructor({ key, connection, session, targetId, contextId }: OpenedPage) {
    this.key = key
    this.#connection = connection
    this.session = session
    this.targetId = targetId
    this.contextId = contextId
    this.onTarget = this.#refuseTarget
    this.followTargets(session)
    session.on('Inspector.targetCrashed', () => this.onCrash())
  }

  /** Reports the targets that this session attaches to. */
  followTargets(session: CdpSession): void {
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }: Events['Target.attachedToTarget']) =>
      this.onTarget({ info: targetInfo, session: this.#connection.session(sessionId) }),
    )
    session.on('Target.detachedFromTarget', ({ sessionId }) => this.#connection.endSession(sessionId))
  }

  closeTarget(targetId: string): void {
    this.#connection.browser.post('Target.closeTarget', { targetId })
  }

  get isReusable(): boolean {
    if (this.#uses >= MAX_USES) return false
    if (this.rendererPid === null) return true
    const usage = readUsage(this.rendererPid)
    return usage !== null && usage.ownBytes < MAX_REUSED_BYTES
  }

  /** The blank page comes first, so that what the page does while it unloads is cleared too. */
  async reset(origin: string): Promise<void> {
    this.#uses += 1
    this.onTarget = this.#refuseTarget
    const { session } = this
    const isBlank = Promise.withResolvers<void>()
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === this.targetId) isBlank.resolve()
    })
    await session.send('Page.navigate', { url: 'about:blank' })
    await isBlank.promise
    await Promise.all([
      session.send('Page.resetNavigationHistory'),
      session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }),
      session.send('Network.clearBrowserCookies'),
    ])
  }
}
