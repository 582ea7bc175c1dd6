import { useEffect, useRef, useState } from 'react'
import { useShortcuts } from '../../hooks/useShortcuts.ts'
import { Input } from './Input.tsx'

const DEBOUNCE_MS = 250

/** A debounced filter for a list. `/` focuses it. */
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
  // The last text passed to onChange. If `text` equals it, the parent only echoes it and newer typing must survive; if
  // it differs, it comes from elsewhere, such as the back button.
  const reported = useRef(text)
  const newestOnChange = useRef(onChange)
  newestOnChange.current = onChange
  useShortcuts([{ keys: '/', label: 'Focus the filter', run: () => field.current?.focus() }])

  useEffect(() => {
    if (text === reported.current) return
    reported.current = text
    setTyped(text)
  }, [text])

  useEffect(() => {
    const timer = setTimeout(() => {
      if (typed.trim() === reported.current) return
      reported.current = typed.trim()
      newestOnChange.current(reported.current)
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
