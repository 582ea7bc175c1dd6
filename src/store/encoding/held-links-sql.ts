// Of pages that hold the same link, the one of the earliest generation is saved with it, then the one with the least depth.
// A link counts more than the name in a script.

import { isFromScriptSql } from './found-urls.ts'

/** What to do if a link is held already. `columns` name the page that holds it, `depthOf` is the depth of the page of a row. */
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
