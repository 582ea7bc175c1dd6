import { type KeyboardEvent, type ReactNode, type RefObject, useId, useState } from 'react'
import { Input } from './Input.tsx'

/** A text box with suggestions. Arrow keys move through them, Enter selects one, Escape closes the list. */
export function Combobox<T>({
  label,
  value,
  placeholder,
  items,
  keyOf,
  render,
  onInput,
  onSelect,
  onSubmit,
  className = '',
  inputRef,
}: {
  label: string
  value: string
  placeholder: string
  items: readonly T[]
  keyOf: (item: T) => string
  render: (item: T) => ReactNode
  onInput: (text: string) => void
  onSelect: (item: T) => void
  /** Called on Enter if no suggestion is selected. */
  onSubmit?: () => void
  className?: string
  inputRef?: RefObject<HTMLInputElement | null>
}) {
  const listId = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [at, setAt] = useState(-1)
  const isShown = isOpen && items.length > 0
  const current = isShown ? items[at] : undefined

  const close = (): void => {
    setIsOpen(false)
    setAt(-1)
  }
  const select = (item: T): void => {
    close()
    onSelect(item)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && items.length > 0) {
      event.preventDefault()
      setIsOpen(true)
      // The position -1 is the text itself.
      setAt(isShown ? ((at + 1 + step + items.length + 1) % (items.length + 1)) - 1 : step > 0 ? 0 : items.length - 1)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (current !== undefined) select(current)
      else {
        close()
        onSubmit?.()
      }
    } else if (event.key === 'Escape' && isShown) {
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  }

  return (
    <div className={`relative ${className}`}>
      <Input
        ref={inputRef}
        role="combobox"
        aria-label={label}
        aria-expanded={isShown}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={current === undefined ? undefined : `${listId}-${at}`}
        placeholder={placeholder}
        value={value}
        onChange={(event) => {
          setIsOpen(true)
          setAt(-1)
          onInput(event.target.value)
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <div
        id={listId}
        role="listbox"
        aria-label={`${label}: suggestions`}
        hidden={!isShown}
        className="absolute top-full right-0 left-0 z-30 mt-1 max-h-80 overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-float"
      >
        {items.map((item, i) => (
          // The text box keeps the focus and handles the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: named by aria-activedescendant
          // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the text box does it
          <div
            key={keyOf(item)}
            id={`${listId}-${i}`}
            role="option"
            aria-selected={i === at}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => select(item)}
            className={`flex min-h-8 cursor-pointer items-center gap-2 rounded px-2 ${i === at ? 'bg-hover' : 'hover:bg-hover'}`}
          >
            {render(item)}
          </div>
        ))}
      </div>
    </div>
  )
}
