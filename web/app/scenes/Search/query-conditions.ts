// Conditions such as site:example.com as part of the text of a query, so that what facets add can be seen, changed and
// sent like anything else that was typed.

export interface QueryCondition {
  field: string
  value: string
}

/** Words outside of quotation marks that are made of a field and a value. */
export function hasCondition(query: string, { field, value }: QueryCondition): boolean {
  return wordsOf(query).includes(`${field}:${value}`)
}

/** Adds a condition, or takes it away when it is there. */
export function toggleCondition(query: string, { field, value }: QueryCondition): string {
  const wanted = `${field}:${value}`
  const words = wordsOf(query)
  const others = words.filter((word) => word !== wanted)
  return (others.length < words.length ? others : [...words, wanted]).join(' ')
}

/** What a choice in a facet asks for. A date is a month: 2026-11. */
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

function wordsOf(query: string): string[] {
  return query.match(/[^\s"]*"[^"]*"?|\S+/g) ?? []
}
