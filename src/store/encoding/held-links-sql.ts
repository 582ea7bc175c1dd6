// If several pages hold the same link, the page of the earliest generation is saved with it; among those, the page
// with the lowest depth. A link takes precedence over a name in a script.

import { isFromScriptSql } from './found-urls.ts'

/**
 * ON CONFLICT clause for a link that is held already. `columns` name the page that holds it, `depthOf` is the depth
 * of the page of a row.
 */
export function holdConflictSql(columns: readonly string[], depthOf: (row: string) => string): string {
  const isEarlier = `(excluded.generation < held_urls.generation
    or excluded.generation = held_urls.generation and ${depthOf('excluded')} < ${depthOf('held_urls')})`
  const isLinked = `(${isFromScriptSql('held_urls.found')} and not ${isFromScriptSql('excluded.found')})`
  const sets = columns.map(
    (column) => `${column} = case when ${isEarlier} then excluded.${column} else held_urls.${column} end`,
  )
  return `do update set ${sets.join(', ')}, found = case when ${isLinked} then excluded.found else held_urls.found end
    where ${isEarlier} or ${isLinked}`
}
