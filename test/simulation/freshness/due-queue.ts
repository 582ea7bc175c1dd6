// Pages by the time at which something is due: a binary heap that knows where each page is.

export interface DueQueue {
  set(page: number, dueAt: number): void
  /** The page that is due first, with its time, if that is not later than `now`. It leaves the queue. */
  takeDue(now: number): number | undefined
}

export function dueQueue(pages: number): DueQueue {
  const times = new Float64Array(pages).fill(Number.POSITIVE_INFINITY)
  const heap = new Int32Array(pages)
  const places = new Int32Array(pages)
  for (let i = 0; i < pages; i++) heap[i] = places[i] = i

  const timeAt = (place: number) => times[heap[place] ?? 0] ?? 0
  const swap = (a: number, b: number) => {
    const [pageA = 0, pageB = 0] = [heap[a], heap[b]]
    heap[a] = pageB
    heap[b] = pageA
    places[pageB] = a
    places[pageA] = b
  }
  const set = (page: number, dueAt: number) => {
    times[page] = dueAt
    let place = places[page] ?? 0
    for (let parent = (place - 1) >> 1; place > 0 && timeAt(parent) > dueAt; parent = (place - 1) >> 1) {
      swap(place, parent)
      place = parent
    }
    for (;;) {
      const left = 2 * place + 1
      const child = left + 1 < pages && timeAt(left + 1) < timeAt(left) ? left + 1 : left
      if (child >= pages || timeAt(child) >= dueAt) return
      swap(place, child)
      place = child
    }
  }
  return {
    set,
    takeDue(now) {
      const page = heap[0]
      if (page === undefined || timeAt(0) > now) return undefined
      set(page, Number.POSITIVE_INFINITY)
      return page
    },
  }
}
