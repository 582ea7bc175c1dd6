// Keyboard shortcuts registered by mounted components. A shortcut is one key or a sequence such as "g c".

import { createStore } from './store.ts'

export interface Shortcut {
  keys: string
  label: string
  /** The shortcut works only while a dialog is open; all others are off then. */
  isInDialog?: true
  run: () => void
}

/** One group per component; the last registered group wins. */
export const shortcutStore = createStore<readonly (readonly Shortcut[])[]>([])

/** Matches the keys pressed so far: a shortcut, the beginning of one, or nothing. */
export function matchShortcut(
  pressed: readonly string[],
  groups: readonly (readonly Shortcut[])[],
): Shortcut | 'partial' | null {
  const typed = pressed.join(' ')
  let isPartial = false
  for (const group of groups.toReversed()) {
    for (const shortcut of group) {
      if (shortcut.keys === typed) return shortcut
      if (shortcut.keys.startsWith(`${typed} `)) isPartial = true
    }
  }
  return isPartial ? 'partial' : null
}

export function activeShortcuts(groups: readonly (readonly Shortcut[])[], hasDialog: boolean): Shortcut[][] {
  return groups.map((group) => group.filter(({ isInDialog = false }) => isInDialog === hasDialog))
}

const SEQUENCE_MS = 1200

/** Listens on the page until the returned function is called. */
export function listenForShortcuts(): () => void {
  let pressed: string[] = []
  let pressedAt = 0
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey || isTyping(event)) return
    const key = keyName(event)
    if (key === null) return
    if (event.timeStamp - pressedAt > SEQUENCE_MS) pressed = []
    pressedAt = event.timeStamp
    const groups = activeShortcuts(shortcutStore.get(), isModalOpen())
    const match = matchShortcut([...pressed, key], groups) ?? matchShortcut([key], groups)
    if (match === null) {
      pressed = []
    } else if (match === 'partial') {
      pressed = [key]
    } else {
      pressed = []
      event.preventDefault()
      match.run()
    }
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

function keyName(event: KeyboardEvent): string | null {
  if (event.key === 'Shift' || event.key === 'Control' || event.key === 'Meta') return null
  return event.ctrlKey || event.metaKey ? `mod+${event.key.toLowerCase()}` : event.key
}

function isTyping(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey) return false
  const target = event.target
  if (event.key === '?' && target instanceof HTMLInputElement && isEmptySearch(target)) return false
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}

/** No query begins with a question mark, and search boxes often have the focus from the start. */
function isEmptySearch({ type, role, value }: HTMLInputElement): boolean {
  return value === '' && (type === 'search' || role === 'combobox')
}

function isModalOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}
