// The state of the search in the URL.

export const SORTS = ['relevance', 'fresh', 'newest'] as const
export type Sort = (typeof SORTS)[number]

export interface SearchViewState {
  q: string
  sort: Sort
  /** Restricts the search to this crawl. */
  crawl: string | null
  isExplained: boolean
  /** Whether similar pages, and further pages of one host, are collapsed. */
  isFolded: boolean
  /** The page open in the drawer. */
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

export function writeViewState(viewState: SearchViewState): URLSearchParams {
  const params = new URLSearchParams()
  if (viewState.q !== '') params.set('q', viewState.q)
  if (viewState.sort !== 'relevance') params.set('sort', viewState.sort)
  if (viewState.crawl !== null) params.set('crawl', viewState.crawl)
  if (viewState.isExplained) params.set('explain', '1')
  if (!viewState.isFolded) params.set('fold', '0')
  if (viewState.page !== null) params.set('page', String(viewState.page))
  return params
}
