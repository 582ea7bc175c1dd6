// How often urls were refused because their host was overloaded. It is not an attempt, so the store does not know; a
// thread remembers it to tell a busy host from a broken page. What it forgets is only tried more often.

const MAX_REMEMBERED = 10_000

export class Deferrals {
  readonly #times = new Map<number, number>()

  of(urlId: number): number {
    return this.#times.get(urlId) ?? 0
  }

  add(urlId: number): void {
    const times = this.of(urlId) + 1
    if (this.#times.size >= MAX_REMEMBERED) this.#times.clear()
    this.#times.set(urlId, times)
  }
}
