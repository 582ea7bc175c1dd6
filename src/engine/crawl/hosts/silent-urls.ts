// Tells a page that never responds from a host that does not. Only this thread remembers: a URL is silent if its requests
// had no response, and stalling if another URL of its host has been answered since.

const MAX_REMEMBERED = 10_000

export class SilentUrls {
  /** How often each URL was silent since the last response of its host. */
  readonly #byHost = new Map<number, Map<number, number>>()
  readonly #stalling = new Set<number>()

  /** Returns how often the URL has been silent now. */
  add(hostId: number, urlId: number): number {
    if (this.#byHost.size >= MAX_REMEMBERED) this.#byHost.clear()
    const silent = this.#byHost.get(hostId) ?? new Map<number, number>()
    this.#byHost.set(hostId, silent)
    const times = (silent.get(urlId) ?? 0) + 1
    if (silent.size < MAX_REMEMBERED) silent.set(urlId, times)
    return times
  }

  /** The host has responded to this URL, so it was not the host that was silent. */
  addResponse(hostId: number, urlId: number): void {
    this.#stalling.delete(urlId)
    const silent = this.#byHost.get(hostId)
    if (silent === undefined) return
    this.#byHost.delete(hostId)
    silent.delete(urlId)
    if (this.#stalling.size + silent.size > MAX_REMEMBERED) this.#stalling.clear()
    for (const id of silent.keys()) this.#stalling.add(id)
  }

  isStalling(urlId: number): boolean {
    return this.#stalling.has(urlId)
  }
}
