// The parameters of a search, as the address of the page contains them.

/** Facets become conditions of the query; the text that was typed stays as it is. */
export const FACETS = ['host', 'lang', 'type', 'date'] as const
export type FacetName = (typeof FACETS)[number]

const CONDITIONS: Record<FacetName, string> = { host: 'site', lang: 'lang', type: 'type', date: 'changed' }
const FACET_VALUE = /^[\w.:/+-]{1,200}$/
const MAX_TEXT = 1000
export const RESULTS_PER_PAGE = 10
/** The last page that the index can return. */
const MAX_PAGE = 100

export interface PageRequest {
  text: string
  facets: Partial<Record<FacetName, string>>
  sort: 'relevance' | 'newest'
  /** Page number, starting at 1. */
  page: number
}

export function readPageRequest(query: URLSearchParams): PageRequest {
  const facets: PageRequest['facets'] = {}
  for (const name of FACETS) {
    const value = query.get(name) ?? ''
    if (FACET_VALUE.test(value)) facets[name] = value
  }
  const page = Number(query.get('page') ?? 1)
  return {
    text: (query.get('q') ?? '').trim().slice(0, MAX_TEXT),
    facets,
    sort: query.get('sort') === 'newest' ? 'newest' : 'relevance',
    page: Number.isInteger(page) && page >= 1 ? Math.min(page, MAX_PAGE) : 1,
  }
}

/** The query with the facets as conditions. */
export function toQueryText({ text, facets }: PageRequest): string {
  const conditions = FACETS.flatMap((name) => (facets[name] === undefined ? [] : `${CONDITIONS[name]}:${facets[name]}`))
  return [text, ...conditions].join(' ')
}

/** A change of anything but the page starts over on the first one. */
export function pageHref(request: PageRequest, changes: Partial<PageRequest> = {}): string {
  const { text, facets, sort, page } = { ...request, page: 1, ...changes }
  const query = new URLSearchParams({ q: text })
  for (const name of FACETS) if (facets[name] !== undefined) query.set(name, facets[name])
  if (sort !== 'relevance') query.set('sort', sort)
  if (page > 1) query.set('page', String(page))
  return `/search?${query}`
}

export function withFacet(request: PageRequest, name: FacetName, value: string | null): string {
  const { [name]: _, ...others } = request.facets
  return pageHref(request, { facets: value === null ? others : { ...others, [name]: value } })
}
