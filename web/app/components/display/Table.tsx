// Parts of plain tables. scenes/Urls has its own virtualized table for long lists.

import type { ComponentProps, ReactNode } from 'react'
import { ScrollArea } from './ScrollArea.tsx'

export function Table({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ScrollArea label={label} className="scroll-shadows">
      <table className="w-full border-collapse text-left">{children}</table>
    </ScrollArea>
  )
}

export function Th({ className = '', ...rest }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      className={`h-8 border-b border-line px-3 text-xs font-medium whitespace-nowrap text-muted ${className}`}
      {...rest}
    />
  )
}

/** Header of a column of buttons. */
export function ActionsHeader() {
  return (
    <Th>
      <span className="sr-only">Actions</span>
    </Th>
  )
}

export function Td({ className = '', ...rest }: ComponentProps<'td'>) {
  return <td className={`h-9 border-b border-line px-3 ${className}`} {...rest} />
}

export function Tr({ className = '', ...rest }: ComponentProps<'tr'>) {
  return <tr className={`last:[&>td]:border-b-0 hover:bg-hover ${className}`} {...rest} />
}
