// Calls the hook of the program that runs the crawl before URLs are requested. One call covers the pending URLs of a host,
// and the host waits for the reply; the gap between its requests is not affected.

import type { Hooks, RequestDecision } from '../../../ports/hooks.ts'
import type { LeasedUrl } from '../../../ports/leases.ts'

const MAX_URLS_PER_CALL = 100
/** Decisions about URLs that were returned to the queue are not needed. */
const MAX_KNOWN = 10_000

export class RequestHook {
  readonly #hooks: Pick<Hooks, 'onRequests'>
  readonly #decisions = new Map<number, RequestDecision>()

  constructor(hooks: Pick<Hooks, 'onRequests'>) {
    this.#hooks = hooks
  }

  /** Null if the hook was not called for this request yet. */
  decisionOf(url: LeasedUrl): RequestDecision | null {
    return this.#decisions.get(url.id) ?? null
  }

  /** The decision was used: the next request for the URL needs another. */
  forget(url: LeasedUrl): void {
    this.#decisions.delete(url.id)
  }

  async decide(pending: readonly LeasedUrl[]): Promise<void> {
    const undecided = pending.slice(0, MAX_URLS_PER_CALL).filter(({ id }) => !this.#decisions.has(id))
    const decisions = await this.#hooks.onRequests(
      undecided.map(({ url, kind, depth, attempts }) => ({ url, kind, depth, attempts })),
    )
    if (this.#decisions.size > MAX_KNOWN) this.#decisions.clear()
    for (const [i, { id }] of undecided.entries()) this.#decisions.set(id, decisions[i] ?? 'hook_failed')
  }
}
