// Verifies that the index is undamaged and complete: it holds the newest version of every URL, unless that version is
// excluded, and nothing else.

import type { PageReaderDependencies } from '../../engine/pages/read-archived-page.ts'
import type { Pages, PageVersion } from '../../ports/pages.ts'
import type { SearchIndex } from '../../ports/search.ts'
import { readPageSource } from './page-source.ts'

export interface VerifyIndexDependencies {
  pages: Pick<Pages, 'listAfter'>
  index: Pick<SearchIndex, 'findDamage' | 'isIndexed' | 'status'>
  reading: PageReaderDependencies
}

export interface IndexCheck {
  documents: number
  excluded: number
  problems: string[]
}

const AT_ONCE = 1000
const MAX_PROBLEMS = 100

export async function verifyIndex(dependencies: VerifyIndexDependencies): Promise<IndexCheck> {
  const newest = await newestVersions(dependencies.pages)
  const indexCheck: IndexCheck = { documents: 0, excluded: 0, problems: [] }
  const note = (problem: string) => {
    if (indexCheck.problems.length < MAX_PROBLEMS) indexCheck.problems.push(problem)
  }
  for (const problem of await dependencies.index.findDamage()) note(problem)
  for (const version of newest.values()) {
    if (await dependencies.index.isIndexed(version.id)) {
      indexCheck.documents += 1
    } else if ('leftOut' in (await readPageSource(version, dependencies.reading, { isIndexed: false }))) {
      indexCheck.excluded += 1
    } else {
      note(`${version.url} is archived (page ${version.id}) but not indexed.`)
    }
  }
  const { documents } = await dependencies.index.status()
  if (documents !== indexCheck.documents) {
    note(`The index has ${documents} documents, but only ${indexCheck.documents} belong to archived, newest pages.`)
  }
  return indexCheck
}

async function newestVersions(pages: VerifyIndexDependencies['pages']): Promise<Map<string, PageVersion>> {
  const newest = new Map<string, PageVersion>()
  for (let last = 0; ; ) {
    const chunk = await pages.listAfter(last, AT_ONCE)
    for (const { version } of chunk) {
      if ((newest.get(version.url)?.version ?? 0) <= version.version) newest.set(version.url, version)
    }
    const end = chunk.at(-1)
    if (end === undefined) return newest
    last = end.version.id
  }
}
