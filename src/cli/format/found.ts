import type { Reply } from '../../search/ask/ask.ts'
import { grouped, plural } from '../live/units.ts'

export interface Found extends Pick<Reply, 'total' | 'isTotalExact' | 'tookMs'> {
  hits: readonly { similar: number }[]
}

/** How many pages were found, how many of them are shown, and where the others are. */
export function foundLine({ hits, total, isTotalExact, tookMs }: Found): string {
  const about = isTotalExact ? '' : 'more than '
  return `${about}${plural(total, 'page')} in ${grouped(Math.round(tookMs))} ms${shownText(hits, total, isTotalExact)}`
}

function shownText(hits: Found['hits'], total: number, isTotalExact: boolean): string {
  const shown = hits.length
  if (shown >= total) return ''
  const folded = hits.reduce((sum, { similar }) => sum + similar, 0)
  const isAll = isTotalExact && shown + folded >= total
  const first = isAll ? '' : 'the first '
  if (folded === 0) return `, ${first}${shown} shown`
  return `, ${first}${shown} shown with ${plural(folded, 'near-duplicate')} folded under ${shown === 1 ? 'it' : 'them'}`
}
