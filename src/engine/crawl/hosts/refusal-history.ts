// What a thread remembers about refusals and the store does not: how often a URL was deferred because its host was
// overloaded (a deferral is not an attempt), and which hosts have already paused for a Retry-After. Both distinguish a
// busy host from a broken page. A URL or host that is forgotten is treated as new.

const MAX_REMEMBERED = 10_000

export class RefusalHistory {
  readonly #deferrals = new Map<number, number>()
  readonly #pausedHosts = new Set<number>()

  deferralsOf(urlId: number): number {
    return this.#deferrals.get(urlId) ?? 0
  }

  addDeferral(urlId: number): void {
    const deferrals = this.deferralsOf(urlId) + 1
    if (this.#deferrals.size >= MAX_REMEMBERED) this.#deferrals.clear()
    this.#deferrals.set(urlId, deferrals)
  }

  hasPaused(hostId: number): boolean {
    return this.#pausedHosts.has(hostId)
  }

  addPause(hostId: number): void {
    if (this.#pausedHosts.size >= MAX_REMEMBERED) this.#pausedHosts.clear()
    this.#pausedHosts.add(hostId)
  }
}
