import type { ReactNode } from 'react'

/** Something about the crawl that the user should know, above the figures. */
export function Notice({ children, className = '' }: { children: ReactNode; className?: string }) {
  return (
    <div
      role="status"
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-warn-soft px-3 py-2 text-warn ${className}`}
    >
      {children}
    </div>
  )
}
