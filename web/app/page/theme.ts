// The theme: light, dark or the system's. public/theme.js applies the stored theme before the first paint.

import { createStore } from './store.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'orbweaver.theme'

export const themeStore = createStore<Theme>(readStoredTheme())

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, theme)
  themeStore.set(theme)
  apply()
}

export function followSystemTheme(): void {
  apply()
  systemQuery().addEventListener('change', apply)
}

export function isDark(): boolean {
  return document.documentElement.dataset['theme'] === 'dark'
}

function readStoredTheme(): Theme {
  const stored = localStorage.getItem(KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

function apply(): void {
  const theme = themeStore.get()
  const dark = theme === 'dark' || (theme === 'system' && systemQuery().matches)
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
  document.dispatchEvent(new Event('themechange'))
}

function systemQuery(): MediaQueryList {
  return matchMedia('(prefers-color-scheme: dark)')
}
