// Places labels so that they cover neither each other nor the controls on the canvas.

export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/** Space around a label. */
const GAP = 2
/** Size of a cell of the grid in which boxes are looked up. */
const CELL = 64
/** About half the height of a box that covers a part of a circle. */
const STRIP = 8

export class LabelBoxes {
  #cells = new Map<string, Box[]>()
  #stage = { width: 0, height: 0 }

  /** Starts a frame. */
  reset(stage: { width: number; height: number }, reserved: readonly Box[]): void {
    this.#cells.clear()
    this.#stage = stage
    for (const box of reserved) this.add(box)
  }

  /** Keeps a place free. */
  add(box: Box): void {
    for (const key of cellsOf(box)) {
      const boxes = this.#cells.get(key)
      if (boxes === undefined) this.#cells.set(key, [box])
      else boxes.push(box)
    }
  }

  /** The first of the places that is free, which is taken then. Null if none is. */
  place(size: { width: number; height: number }, places: readonly { x: number; y: number }[]): Box | null {
    for (const { x, y } of places) {
      const box = { x, y, ...size }
      if (!this.#isFree(box)) continue
      this.add(box)
      return box
    }
    return null
  }

  #isFree(box: Box): boolean {
    const { width, height } = this.#stage
    if (box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height) return false
    return cellsOf(box).every((key) => !this.#cells.get(key)?.some((other) => overlap(box, other)))
  }
}

/** Covers a circle with stacked boxes; a small circle with one. */
export function boxesOf({ x, y, r }: { x: number; y: number; r: number }): Box[] {
  const count = Math.max(1, Math.round(r / STRIP))
  const height = (2 * r) / count
  return Array.from({ length: count }, (_, i) => {
    const half = Math.sqrt(r * r - (height * (i + 0.5) - r) ** 2) * (count === 1 ? 0.8 : 1)
    return { x: x - half, y: y - r + height * i, width: 2 * half, height }
  })
}

export function overlap(a: Box, b: Box): boolean {
  return (
    a.x < b.x + b.width + GAP && b.x < a.x + a.width + GAP && a.y < b.y + b.height + GAP && b.y < a.y + a.height + GAP
  )
}

function cellsOf({ x, y, width, height }: Box): string[] {
  const keys: string[] = []
  for (let column = Math.floor((x - GAP) / CELL); column <= Math.floor((x + width + GAP) / CELL); column++) {
    for (let row = Math.floor((y - GAP) / CELL); row <= Math.floor((y + height + GAP) / CELL); row++) {
      keys.push(`${column} ${row}`)
    }
  }
  return keys
}

/** The boxes of elements that lie over the canvas. */
export function boxesOver(container: HTMLElement, selector: string): Box[] {
  const origin = container.getBoundingClientRect()
  const frame = container.closest('[data-graph]') ?? container
  return [...frame.querySelectorAll(selector)].map((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return { x: left - origin.left, y: top - origin.top, width, height }
  })
}
