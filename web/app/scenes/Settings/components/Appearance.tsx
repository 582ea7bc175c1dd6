import { Card } from '../../../components/display/Card.tsx'
import { useStore } from '../../../page/store.ts'
import { setTheme, THEMES, type Theme, themeStore } from '../../../page/theme.ts'

const LABELS: Record<Theme, string> = { system: 'System', light: 'Light', dark: 'Dark' }

export function Appearance() {
  const theme = useStore(themeStore)
  return (
    <Card title="Appearance">
      <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
        <legend className="sr-only">Theme</legend>
        {THEMES.map((option) => (
          <label key={option} className="flex items-center gap-2">
            <input type="radio" name="theme" checked={theme === option} onChange={() => setTheme(option)} />
            {LABELS[option]}
          </label>
        ))}
      </fieldset>
    </Card>
  )
}
