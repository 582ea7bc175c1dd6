// Whether the index is whole and has what it should have: the newest version of every url, unless that stays out, and
// nothing else.

import type { ReadingParts } from '../../engine/pages/read.ts'
import type { Pages, PageVersion } from '../../ports/pages.ts'
import type { SearchIndex } from '../../ports/search.ts'
import { readSource } from './source.ts'

export interface VerifyParts {
  pages: Pick<Pages, 'after'>
  index: Pick<SearchIndex, 'damage' | 'isIndexed' | 'status'>
  reading: ReadingParts
}

export interface Verified {
  documents: number
  leftOut: number
  problems: string[]
}

const AT_ONCE = 1000
const MAX_PROBLEMS = 100

export async function verifyIndex(parts: VerifyParts): Promise<Verified> {
  const newest = await newestVersions(parts.pages)
  const verified: Verified = { documents: 0, leftOut: 0, problems: [] }
  const note = (problem: string) => {
    if (verified.problems.length < MAX_PROBLEMS) verified.problems.push(problem)
  }
  for (const problem of await parts.index.damage()) note(problem)
  for (const version of newest.values()) {
    if (await parts.index.isIndexed(version.id)) {
      verified.documents += 1
    } else if ('leftOut' in (await readSource(version, parts.reading))) {
      verified.leftOut += 1
    } else {
      note(`${version.url} is kept (page ${version.id}) and not indexed.`)
    }
  }
  const { documents } = await parts.index.status()
  if (documents !== verified.documents) {
    note(`The index has ${documents} documents, of which ${verified.documents} are of pages that are kept and newest.`)
  }
  return verified
}

async function newestVersions(pages: VerifyParts['pages']): Promise<Map<string, PageVersion>> {
  const newest = new Map<string, PageVersion>()
  for (let last = 0; ; ) {
    const some = await pages.after(last, AT_ONCE)
    for (const { version } of some) {
      if ((newest.get(version.url)?.version ?? 0) <= version.version) newest.set(version.url, version)
    }
    const end = some.at(-1)
    if (end === undefined) return newest
    last = end.version.id
  }
}
