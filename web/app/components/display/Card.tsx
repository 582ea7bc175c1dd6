import type { ReactNode } from 'react'

export function Card({
  title,
  aside,
  children,
  className = '',
  isFlush = false,
}: {
  title?: string
  /** Shown to the right of the title. */
  aside?: ReactNode
  children: ReactNode
  className?: string
  /** No padding around the content, for tables. */
  isFlush?: boolean
}) {
  return (
    <section
      {...(title === undefined ? {} : { 'aria-label': title })}
      className={`flex min-w-0 flex-col rounded-lg border border-line bg-surface ${className}`}
    >
      {title === undefined ? null : (
        <header className="flex min-h-9 items-center justify-between gap-2 border-b border-line px-3 py-1">
          <h2 className="font-semibold">{title}</h2>
          {aside === undefined ? null : <div className="text-xs text-muted">{aside}</div>}
        </header>
      )}
      <div className={`min-w-0 flex-1 ${isFlush ? '' : 'p-3'}`}>{children}</div>
    </section>
  )
}
