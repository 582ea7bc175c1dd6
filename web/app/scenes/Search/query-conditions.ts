// Conditions such as site:example.com in the text of a query. Facets add them to the text, so users can see, edit and
// share them like anything they typed.

export interface QueryCondition {
  field: string
  value: string
}

/** Whether the query has the condition, outside of quotes. */
export function hasCondition(query: string, { field, value }: QueryCondition): boolean {
  return splitWords(query).includes(`${field}:${value}`)
}

/** Adds a condition, or removes it if present. */
export function toggleCondition(query: string, { field, value }: QueryCondition): string {
  const wanted = `${field}:${value}`
  const words = splitWords(query)
  const others = words.filter((word) => word !== wanted)
  return (others.length < words.length ? others : [...words, wanted]).join(' ')
}

/** The condition for a facet value. A date is a month such as 2026-11. */
export function toFacetCondition(facet: 'host' | 'lang' | 'type' | 'date', key: string): QueryCondition {
  switch (facet) {
    case 'host':
      return { field: 'site', value: key }
    case 'lang':
      return { field: 'lang', value: key }
    case 'type':
      return { field: 'type', value: key }
    case 'date':
      return { field: 'changed', value: key }
  }
}

function splitWords(query: string): string[] {
  return query.match(/[^\s"]*"[^"]*"?|\S+/g) ?? []
}
