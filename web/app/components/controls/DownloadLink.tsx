import type { ReactNode } from 'react'
import { Icon } from '../display/Icon.tsx'

/** A link that looks like a button and downloads a file. */
export function DownloadLink({
  href,
  name,
  children,
}: {
  href: string
  /** File name, if the response does not name it. */
  name?: string
  children: ReactNode
}) {
  return (
    <a
      download={name ?? true}
      href={href}
      className="inline-flex h-8 shrink-0 items-center gap-1.5 rounded-md border border-line bg-surface px-2.5 text-[13px] font-medium whitespace-nowrap hover:bg-hover"
    >
      <Icon name="download" size={15} />
      {children}
    </a>
  )
}
