// The filters of the list of changes, read from the URL. The parameter names are those of listChanges.

import { CHANGE_KINDS, type ChangeCounts, type ChangeKind, isChangeKind } from '../../text/changes.ts'

export interface ChangeFilters {
  kinds: ChangeKind[]
  minWords: number
  url: string
}

/** The choices for the size of a change, in words added and removed. */
export const SIZES = [0, 5, 20, 100, 500] as const

export function readFilters(query: URLSearchParams): ChangeFilters {
  const minWords = Number(query.get('min_words'))
  return {
    kinds: [...new Set(query.getAll('kind').filter(isChangeKind))],
    minWords: SIZES.find((size) => size === minWords) ?? 0,
    url: query.get('url') ?? '',
  }
}

/** The filters as parameters of the API, which the feed has too, except for the URL. */
export function toFeedQuery({ kinds, minWords }: ChangeFilters): { kind?: ChangeKind[]; min_words?: number } {
  return { ...(kinds.length === 0 ? {} : { kind: kinds }), ...(minWords === 0 ? {} : { min_words: minWords }) }
}

/** The published changes of the selected kinds. */
export function countSelected(counts: ChangeCounts, { kinds }: ChangeFilters): number {
  return (kinds.length === 0 ? CHANGE_KINDS : kinds).reduce((sum, kind) => sum + counts[kind], 0)
}
