// Counts matches by host, language, media type and month.

import type { FacetCount, IndexResult } from '../../ports/search.ts'

export interface FacetSource {
  host: string
  lang: string | null
  contentType: string | null
  changedAt: number
}

const MAX_KEYS = 10

export function countFacets(documents: Iterable<FacetSource>): NonNullable<IndexResult['facets']> {
  const [host, lang, type, date] = [new FacetCounter(), new FacetCounter(), new FacetCounter(), new FacetCounter()]
  for (const document of documents) {
    host.add(document.host)
    lang.add(document.lang)
    type.add(mediaType(document.contentType))
    date.add(monthOf(document.changedAt))
  }
  return { host: host.top(), lang: lang.top(), type: type.top(), date: date.top() }
}

/** Media type without parameters. */
function mediaType(contentType: string | null): string | null {
  if (contentType === null) return null
  const end = contentType.indexOf(';')
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase()
}

const months = new Map<number, string>()
const DAY_MS = 86_400_000

function monthOf(time: number): string {
  const day = Math.floor(time / DAY_MS)
  let month = months.get(day)
  if (month === undefined) {
    if (months.size > 10_000) months.clear()
    month = new Date(day * DAY_MS).toISOString().slice(0, 7)
    months.set(day, month)
  }
  return month
}

class FacetCounter {
  readonly #counts = new Map<string, number>()

  add(key: string | null): void {
    if (key !== null && key !== '') this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  top(): FacetCount[] {
    const counts = [...this.#counts].map(([key, count]) => ({ key, count }))
    return counts.sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)).slice(0, MAX_KEYS)
  }
}
