import { type Cell, isTarget } from './cells.ts'

const STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** The nearest cell of the same level in the direction of an arrow key. */
export function nextCell(cells: readonly Cell[], from: Cell, key: string): Cell | null {
  const step = STEPS[key]
  if (step === undefined) return null
  const [dx, dy] = step
  let best: { cell: Cell; distance: number } | null = null
  for (const cell of cells) {
    if (cell === from || cell.depth !== from.depth || !isTarget(cell)) continue
    const [x, y] = [middle(cell).x - middle(from).x, middle(cell).y - middle(from).y]
    const along = x * dx + y * dy
    if (along <= 0) continue
    // Cells straight ahead count as nearer than cells to the side.
    const distance = along + 2 * Math.abs(x * dy + y * dx)
    if (best === null || distance < best.distance) best = { cell, distance }
  }
  return best?.cell ?? null
}

function middle({ x, y, width, height }: Cell): { x: number; y: number } {
  return { x: x + width / 2, y: y + height / 2 }
}
