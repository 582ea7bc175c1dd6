// Asks the program that runs the crawl before URLs are requested. The URLs of a host are asked about together, and the host
// waits meanwhile; the gap to its requests is not touched.

import type { Hooks, RequestDecision } from '../../../ports/hooks.ts'
import type { LeasedUrl } from '../../../ports/leases.ts'

const MAX_ASKED = 100
/** Decisions about URLs that were returned to the queue are not needed. */
const MAX_KNOWN = 10_000

export class RequestHook {
  readonly #hooks: Pick<Hooks, 'onRequests'>
  readonly #decisions = new Map<number, RequestDecision>()

  constructor(hooks: Pick<Hooks, 'onRequests'>) {
    this.#hooks = hooks
  }

  /** Null if the program was not asked about this request yet. */
  decisionOf(url: LeasedUrl): RequestDecision | null {
    return this.#decisions.get(url.id) ?? null
  }

  /** The decision was used: the next request for the URL needs another. */
  forget(url: LeasedUrl): void {
    this.#decisions.delete(url.id)
  }

  async ask(pending: readonly LeasedUrl[]): Promise<void> {
    const asked = pending.slice(0, MAX_ASKED).filter(({ id }) => !this.#decisions.has(id))
    const decisions = await this.#hooks.onRequests(
      asked.map(({ url, kind, depth, attempts }) => ({ url, kind, depth, attempts })),
    )
    if (this.#decisions.size > MAX_KNOWN) this.#decisions.clear()
    for (const [i, { id }] of asked.entries()) this.#decisions.set(id, decisions[i] ?? 'hook_failed')
  }
}
