import { useEffect, useState } from 'react'
import type { LegendEntry } from '../../../graph/colour-scale.ts'
import { type Palette, readPalette } from '../../../graph/palette.ts'
import { formatNumber } from '../../../text/format.ts'

export function Legend({ entries }: { entries: LegendEntry[] }) {
  const palette = usePalette()
  if (entries.length === 0) return null
  return (
    <ul
      aria-label="Legend"
      data-over-graph
      className="flex flex-wrap gap-x-4 border-t border-line bg-surface px-2.5 py-1.5 text-xs lg:pointer-events-none lg:absolute lg:bottom-2 lg:left-2 lg:block lg:max-w-[60%] lg:rounded-lg lg:border"
    >
      {entries.map((entry) => (
        <li key={entry.colour} className="flex items-center gap-2">
          <span className="h-2 w-2 shrink-0 rounded-full" style={{ background: palette.colour(entry.colour) }} />
          <span className="min-w-0 flex-1 truncate">{entry.label}</span>
          <span className="text-muted">{formatNumber(entry.count)}</span>
        </li>
      ))}
    </ul>
  )
}

function usePalette(): Palette {
  const [palette, setPalette] = useState(() => readPalette(document.documentElement))
  useEffect(() => {
    const onTheme = (): void => setPalette(readPalette(document.documentElement))
    document.addEventListener('themechange', onTheme)
    return () => document.removeEventListener('themechange', onTheme)
  }, [])
  return palette
}
