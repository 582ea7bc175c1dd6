// The state of a page while it is rendered: what it did so far, and how it ended. The first end counts.

import type { RenderOutcome, RenderRequest, Subrequest, SubresourceSource } from '../../ports/renderer.ts'
import type { BrowserPage } from '../browser/browser-page.ts'

export interface PageEnd {
  outcome: RenderOutcome
  evidence: string | null
}

const MAX_REMEMBERED_ENTRIES = 20
/** A document in an encoding that is not ASCII-compatible is assumed to have scripts. */
const MAY_RUN_SCRIPTS = /<script|<i?frame|<object|<embed|<meta[^>]{0,99}refresh|[\s"'/]on[a-z]+\s{0,9}=|javascript:|\0/i

export class PageRun {
  readonly request: RenderRequest
  readonly subresources: SubresourceSource
  readonly page: BrowserPage
  /** The document may run scripts, or contain documents that may. */
  readonly hasScripts: boolean
  readonly subrequests: Subrequest[] = []
  readonly routes = new Set<string>()
  readonly navigations = new Set<string>()
  finalUrl: string
  /** True once the browser has requested the document. */
  hasDocument = false
  /** True once the document and the files it names have been loaded. */
  isLoaded = false
  /** True if the document is no longer the given one. */
  hasLeft = false
  /** Requests waiting for their answer. */
  openRequests = 0
  /** Requests passed to the source. */
  requests = 0
  bytes = 0
  /** DOM nodes in the process before the page was loaded. */
  nodesBefore: number | null = null
  /** Changes with everything that happens in the page. */
  activity = 0
  readonly ended: Promise<PageEnd>
  readonly #end: (end: PageEnd) => void
  #isEnded = false
  readonly #counts = new Map<string, number>()

  constructor(renderRequest: RenderRequest, subresources: SubresourceSource, page: BrowserPage) {
    this.request = renderRequest
    this.subresources = subresources
    this.page = page
    this.finalUrl = renderRequest.url
    const { body } = renderRequest.response
    this.hasScripts = MAY_RUN_SCRIPTS.test(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'))
    const { promise, resolve } = Promise.withResolvers<PageEnd>()
    this.ended = promise
    this.#end = resolve
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  end(outcome: RenderOutcome, evidence: string | null = null): void {
    this.#isEnded = true
    this.#end({ outcome, evidence })
  }

  /**
   * Whether the next page of the same origin may use the same context: it contained only this origin, and nothing
   * happened that the browser remembers for a while, such as navigations, which it throttles.
   */
  get leavesNoTrace(): boolean {
    const { origin } = new URL(this.request.url)
    const isForeign = ({ type, url }: Subrequest) => type === 'Document' && new URL(url).origin !== origin
    const isRemembered = ['workers', 'windows', 'navigations', 'dialogs'].some((what) => this.#counts.has(what))
    const entries = this.#counts.get('history entries') ?? 0
    return !isRemembered && entries <= MAX_REMEMBERED_ENTRIES && !this.subrequests.some(isForeign)
  }

  /** Ends the page if this happened more often than the limit allows. */
  count(what: string, limit: number, outcome: RenderOutcome): void {
    const times = (this.#counts.get(what) ?? 0) + 1
    this.#counts.set(what, times)
    this.activity += 1
    if (times > limit) this.end(outcome, `more than ${limit} ${what}`)
  }
}
