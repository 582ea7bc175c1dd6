// Maps colour classes to colours, light and dark. State colours come from the style sheet, shared with the rest of the
// app; all others have a contrast of 3:1 on the canvas.

const HOSTS = {
  light: ['#2f6fed', '#d2620b', '#23914f', '#8263c5', '#c2338a', '#0e8f9c', '#a97800', '#cf2e2e'],
  dark: ['#5b92ff', '#ef8a3c', '#3fae6c', '#a78be4', '#e06bb3', '#33b0bd', '#d0a02d', '#f0625d'],
} as const

const DEPTHS = {
  light: ['#1b2a8a', '#2f55c9', '#1f7fb8', '#128a86', '#2e8a4c', '#6b8414', '#a37200', '#b8560f'],
  dark: ['#b4c0ff', '#7fa4ff', '#45b3e6', '#35bdb6', '#54c17a', '#9dbb3c', '#dba93a', '#f08c4a'],
} as const

/** Folders in folders get darker or lighter, since their colour is transparent. */
const FOLDERS = {
  light: { folder: 'rgb(89 97 110 / 6%)', folderLine: 'rgb(89 97 110 / 35%)' },
  dark: { folder: 'rgb(162 169 180 / 7%)', folderLine: 'rgb(162 169 180 / 35%)' },
} as const

const EDGES = {
  light: { link: '#d9dde3', lineage: '#b4bcc8', near: '#59616e', mapLink: 'rgb(89 97 110 / 22%)' },
  dark: { link: '#272c33', lineage: '#424a55', near: '#a2a9b4', mapLink: 'rgb(162 169 180 / 20%)' },
} as const

export interface Palette {
  colour(name: string): string
  link: string
  lineage: string
  /** Links between groups. */
  mapLink: string
  folder: string
  folderLine: string
  /** Edges of the focused node. */
  near: string
  /** Nodes that are not neighbours of the focused node. */
  faded: string
  ink: string
  muted: string
  surface: string
  line: string
}

/** Reads the palette of the current theme. */
export function readPalette(root: HTMLElement): Palette {
  const mode = root.dataset['theme'] === 'dark' ? 'dark' : 'light'
  const style = getComputedStyle(root)
  const read = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  return {
    colour: (name) => fixedColour(name, mode) ?? read(name),
    ...EDGES[mode],
    ...FOLDERS[mode],
    faded: EDGES[mode].lineage,
    ink: read('ink'),
    muted: read('muted'),
    surface: read('surface'),
    line: read('line'),
  }
}

function fixedColour(name: string, mode: 'light' | 'dark'): string | undefined {
  const [kind, which = ''] = name.split('-')
  if (name === 'host-other') return mode === 'light' ? '#8a93a1' : '#79828f'
  if (kind === 'host') return HOSTS[mode][Number(which)]
  if (kind === 'depth') return DEPTHS[mode][Number(which)]
  return undefined
}
