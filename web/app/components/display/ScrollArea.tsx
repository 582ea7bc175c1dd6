import type { ReactNode, Ref } from 'react'

/** A scrollable area. It is focusable, so the keyboard can scroll it. */
export function ScrollArea({
  label,
  className = '',
  children,
  ref,
}: {
  label: string
  className?: string
  children: ReactNode
  ref?: Ref<HTMLElement>
}) {
  return (
    <section
      ref={ref}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard can scroll it only with focus
      tabIndex={0}
      // Relative, so that it also clips absolutely positioned sr-only text.
      className={`relative overflow-auto focus-visible:-outline-offset-2 ${className}`}
    >
      {children}
    </section>
  )
}
