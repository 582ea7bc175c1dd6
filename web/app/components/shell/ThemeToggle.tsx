import { useStore } from '../../page/store.ts'
import { setTheme, THEMES, type Theme, themeStore } from '../../page/theme.ts'
import { IconButton } from '../controls/Button.tsx'

const ICONS = { system: 'screen', light: 'sun', dark: 'moon' } as const
const LABELS: Record<Theme, string> = { system: 'system', light: 'light', dark: 'dark' }

/** Cycles through the three themes. */
export function ThemeToggle() {
  const theme = useStore(themeStore)
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
  return (
    <IconButton
      label={`Theme: ${LABELS[theme]}. Switch to ${LABELS[next]}`}
      icon={ICONS[theme]}
      tip="top-right"
      onClick={() => setTheme(next)}
    />
  )
}
