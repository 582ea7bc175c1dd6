import type { ReactNode, Ref } from 'react'

/** A part of the page that scrolls by itself. It can be focused, so that keys can scroll it too. */
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
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, only a pointer could scroll
      tabIndex={0}
      // Relative, so that hidden text inside it is cut off with the rest.
      className={`relative overflow-auto focus-visible:-outline-offset-2 ${className}`}
    >
      {children}
    </section>
  )
}
