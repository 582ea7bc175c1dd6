import { useEffect, useRef } from 'react'
import { type Shortcut, shortcutStore } from '../page/shortcuts.ts'

/** Registers shortcuts while the component is mounted. Keys and labels must not change between renders. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const newest = useRef(shortcuts)
  newest.current = shortcuts
  useEffect(() => {
    const group = newest.current.map((shortcut, i) => ({ ...shortcut, run: () => newest.current[i]?.run() }))
    shortcutStore.set([...shortcutStore.get(), group])
    return () => shortcutStore.set(shortcutStore.get().filter((other) => other !== group))
  }, [])
}
