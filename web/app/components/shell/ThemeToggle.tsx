import { useStore } from '../../page/store.ts'
import { setTheme, THEMES, type Theme, themeStore } from '../../page/theme.ts'
import { IconButton } from '../controls/Button.tsx'

const ICONS = { system: 'screen', light: 'sun', dark: 'moon' } as const
const LABELS: Record<Theme, string> = { system: 'as the system has it', light: 'light', dark: 'dark' }

/** One button that goes through the three. */
export function ThemeToggle() {
  const theme = useStore(themeStore)
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
  return (
    <IconButton
      label={`Theme: ${LABELS[theme]}. Change to ${LABELS[next]}`}
      icon={ICONS[theme]}
      tip="top-right"
      onClick={() => setTheme(next)}
    />
  )
}
