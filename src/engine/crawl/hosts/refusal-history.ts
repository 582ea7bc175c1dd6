// Refusals that only this thread remembers (the store does not): how often a URL was postponed because its host was
// overloaded (a postponement is not an attempt), URLs that have to be requested alone, and hosts that have already
// paused for a Retry-After. All of these distinguish a busy host from a broken page. A URL or host that is forgotten
// is treated as new.

const MAX_REMEMBERED = 10_000

export class RefusalHistory {
  readonly #postponements = new Map<number, number>()
  readonly #loneUrls = new Set<number>()
  readonly #pausedHosts = new Set<number>()

  postponementsOf(urlId: number): number {
    return this.#postponements.get(urlId) ?? 0
  }

  addPostponement(urlId: number): void {
    const postponements = this.postponementsOf(urlId) + 1
    if (this.#postponements.size >= MAX_REMEMBERED) this.#postponements.clear()
    this.#postponements.set(urlId, postponements)
  }

  mustBeAlone(urlId: number): boolean {
    return this.#loneUrls.has(urlId)
  }

  addLoneUrl(urlId: number): void {
    if (this.#loneUrls.size >= MAX_REMEMBERED) this.#loneUrls.clear()
    this.#loneUrls.add(urlId)
  }

  hasPaused(hostId: number): boolean {
    return this.#pausedHosts.has(hostId)
  }

  addPause(hostId: number): void {
    if (this.#pausedHosts.size >= MAX_REMEMBERED) this.#pausedHosts.clear()
    this.#pausedHosts.add(hostId)
  }
}
