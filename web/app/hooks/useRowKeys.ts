import type { RefObject } from 'react'
import { useShortcuts } from './useShortcuts.ts'

interface RowKeys {
  /** Noun in the labels of the shortcuts. */
  noun: string
  rows: number
  box: RefObject<HTMLElement | null>
  scrollTo: (index: number) => void
}

/** j and k move the focus between the rows of a virtualized list. The focus is on a link, so Enter opens it. */
export function useRowKeys({ noun, rows, box, scrollTo }: RowKeys): void {
  const move = (by: number): void => {
    const current = document.activeElement?.closest('[data-row]')?.getAttribute('data-row') ?? null
    const index = Math.max(0, Math.min(rows - 1, current === null ? 0 : Number(current) + by))
    scrollTo(index)
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-row="${index}"] a`)?.focus())
  }
  useShortcuts([
    { keys: 'j', label: `Next ${noun}`, run: () => move(1) },
    { keys: 'k', label: `Previous ${noun}`, run: () => move(-1) },
  ])
}
