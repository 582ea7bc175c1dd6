// What is searched for stands in the address.

export const SORTS = ['relevance', 'fresh', 'newest'] as const
export type Sort = (typeof SORTS)[number]

export interface SearchViewState {
  q: string
  sort: Sort
  /** Only this crawl. */
  crawl: string | null
  isExplained: boolean
  /** Similar pages, and many of one host, are folded together. */
  isFolded: boolean
  /** The page that is open. */
  page: number | null
}

export function readViewState(params: URLSearchParams): SearchViewState {
  const page = Number(params.get('page'))
  return {
    q: params.get('q') ?? '',
    sort: SORTS.find((sort) => sort === params.get('sort')) ?? 'relevance',
    crawl: params.get('crawl'),
    isExplained: params.get('explain') === '1',
    isFolded: params.get('fold') !== '0',
    page: Number.isInteger(page) && page > 0 ? page : null,
  }
}

export function writeViewState(place: SearchViewState): URLSearchParams {
  const params = new URLSearchParams()
  if (place.q !== '') params.set('q', place.q)
  if (place.sort !== 'relevance') params.set('sort', place.sort)
  if (place.crawl !== null) params.set('crawl', place.crawl)
  if (place.isExplained) params.set('explain', '1')
  if (!place.isFolded) params.set('fold', '0')
  if (place.page !== null) params.set('page', String(place.page))
  return params
}
