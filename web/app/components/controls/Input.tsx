import type { ComponentProps } from 'react'

const SHAPE =
  'w-full min-w-0 rounded-md border border-edge bg-surface text-ink aria-invalid:border-bad disabled:opacity-55'

export function Input({ className = '', ...rest }: ComponentProps<'input'>) {
  return <input className={`h-8 px-2.5 ${SHAPE} ${className}`} spellCheck={false} autoComplete="off" {...rest} />
}

export function TextArea({ className = '', ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={`px-2.5 py-1.5 font-mono text-xs ${SHAPE} ${className}`} spellCheck={false} {...rest} />
}

export function Select({ className = '', children, ...rest }: ComponentProps<'select'>) {
  return (
    <select className={`h-8 px-2 ${SHAPE} ${className}`} {...rest}>
      {children}
    </select>
  )
}
