import type { ReactNode } from 'react'

const SIDES = {
  top: 'bottom-full left-1/2 mb-1 -translate-x-1/2',
  /** For the left edge of the screen, where a centred tooltip would be cut off. */
  'top-right': 'bottom-full left-0 mb-1',
  bottom: 'top-full left-1/2 mt-1 -translate-x-1/2',
  left: 'right-full top-1/2 mr-1 -translate-y-1/2',
} as const

export type TooltipSide = keyof typeof SIDES

/** A tooltip on hover and focus. It repeats the accessible name, so it is hidden from screen readers. */
export function Tooltip({
  text,
  side = 'bottom',
  children,
}: {
  text: string
  side?: TooltipSide
  children: ReactNode
}) {
  return (
    <span className="group/tip relative inline-flex">
      {children}
      <span
        aria-hidden="true"
        className={`pointer-events-none absolute z-40 hidden w-max max-w-64 rounded bg-ink px-2 py-1 text-2xs text-canvas group-hover/tip:block group-has-focus-visible/tip:block ${SIDES[side]}`}
      >
        {text}
      </span>
    </span>
  )
}
