// Converts changes and differences to JSON.

import type { z } from 'zod'
import type { TextComparison } from '../../changes/compare-texts.ts'
import type { VersionComparison } from '../../changes/compare-versions.ts'
import { toHunks } from '../../changes/diff/to-hunks.ts'
import { isoTime } from '../../lib/iso-time.ts'
import type { PublishedChange } from '../../ports/changes.ts'
import type { Change, DIFF_PROBLEMS, TextDiff } from '../contract/changes.ts'

export function changeJson(change: PublishedChange): z.output<typeof Change> {
  const { title, httpStatus, redirectTo, canonical, noindex } = change.facts
  return {
    change_id: change.id,
    cursor: change.cursor,
    crawl_id: change.crawlId,
    url_id: change.urlId,
    url: change.url,
    kind: change.kind,
    at: isoTime(change.at),
    published_at: isoTime(change.publishedAt),
    page_id: change.pageId,
    previous_page_id: change.previousPageId,
    title: change.title,
    words_added: change.wordsAdded,
    words_removed: change.wordsRemoved,
    summary: change.summary,
    facts: {
      ...(title === undefined ? {} : { title }),
      ...(httpStatus === undefined ? {} : { http_status: httpStatus }),
      ...(redirectTo === undefined ? {} : { redirect_to: redirectTo }),
      ...(canonical === undefined ? {} : { canonical }),
      ...(noindex === undefined ? {} : { noindex }),
    },
  }
}

export function comparisonJson(compared: VersionComparison): {
  diff: z.output<typeof TextDiff> | null
  problem: (typeof DIFF_PROBLEMS)[number] | null
} {
  if ('isUnavailable' in compared) return { diff: null, problem: 'away' }
  if ('problem' in compared) return { diff: null, problem: compared.problem }
  return { diff: diffJson(compared.comparison), problem: null }
}

function diffJson({ lines, wordsAdded, wordsRemoved, isCut }: TextComparison): z.output<typeof TextDiff> {
  return {
    hunks: toHunks(lines).map((hunk) => ({
      old_start: hunk.oldStart,
      new_start: hunk.newStart,
      lines: hunk.lines.map(({ kind, text, changed, isMoved, ignored }) => {
        return { kind, text, changed, moved: isMoved, ignored }
      }),
    })),
    words_added: wordsAdded,
    words_removed: wordsRemoved,
    is_cut: isCut,
  }
}
