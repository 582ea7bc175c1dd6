// Names of the cells of a treemap.

import { stateParts } from '../graph/colour-scale.ts'
import { decodeText, formatBytes, formatDuration, formatNumber, plural } from '../text/format.ts'
import { URL_STATE_STYLES } from '../text/states.ts'
import { lowerFirst } from '../text/words.ts'
import type { CellContent } from './cells.ts'

export function cellName(content: CellContent): string {
  switch (content.kind) {
    case 'folder':
      return decodeText(content.folder.name)
    case 'url':
      return decodeText(
        content.url.url
          .replace(/^https?:\/\/[^/]*/, '')
          .split('/')
          .filter(Boolean)
          .at(-1) ?? '/',
      )
    case 'rest':
      return `${plural(content.urls, 'more URL')}`
  }
}

/** The name with its figures, for screen readers and the tooltip. */
export function cellTitle(content: CellContent): string {
  switch (content.kind) {
    case 'folder': {
      const { label, urls, bytes, mean_fetch_ms, states } = content.folder
      const time = mean_fetch_ms === null ? [] : [`${formatDuration(mean_fetch_ms)} on average`]
      const counts = stateParts({ state: null, states, urls, left_out: 0 }).map(({ colour, count }) => {
        const state = colour.replace('state-', '') as keyof typeof URL_STATE_STYLES
        return `${formatNumber(count)} ${lowerFirst(URL_STATE_STYLES[state].label)}`
      })
      return [label, plural(urls, 'URL'), formatBytes(bytes), ...time, ...counts].join(', ')
    }
    case 'url': {
      const { url, state, bytes, fetch_ms } = content.url
      const time = fetch_ms === null ? [] : [formatDuration(fetch_ms)]
      return [url, URL_STATE_STYLES[state].label, formatBytes(bytes), ...time].join(', ')
    }
    case 'rest':
      return `${plural(content.urls, 'more URL')}, ${formatBytes(content.bytes)}`
  }
}
