import { useEffect, useRef, useState } from 'react'
import { useShortcuts } from '../../hooks/useShortcuts.ts'
import { Input } from './Input.tsx'

const DEBOUNCE_MS = 250

/** A field that filters a list a moment after the last key. `/` goes there. */
export function FilterInput({
  label,
  text,
  onChange,
  className = '',
}: {
  label: string
  text: string
  onChange: (text: string) => void
  className?: string
}) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(text)
  // What the outside was told last. A text that differs comes from elsewhere, such as the back button; the same text
  // comes back from the outside while more is being typed, and must not undo that.
  const told = useRef(text)
  const tell = useRef(onChange)
  tell.current = onChange
  useShortcuts([{ keys: '/', label: 'Filter the list', run: () => field.current?.focus() }])

  useEffect(() => {
    if (text === told.current) return
    told.current = text
    setTyped(text)
  }, [text])

  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed.trim() === told.current) return
      told.current = typed.trim()
      tell.current(told.current)
    }, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed])

  return (
    <Input
      ref={field}
      type="search"
      aria-label={label}
      placeholder={label}
      className={className}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  )
}
