// Reads the main text of an archived version, or says why it cannot be compared.

import { extractContent, htmlOf, type PageReaderDependencies, readBody } from '../engine/pages/read-archived-page.ts'
import { asAppError } from '../lib/errors.ts'
import type { PageVersion } from '../ports/pages.ts'
import type { IgnoreRules } from './ignore-rules.ts'
import { type MainText, mainTextOfHtml, mainTextOfPlain } from './main-text.ts'

/** Why there is no text: nothing was archived, it is gone or damaged, or its type has no text. */
const TEXT_PROBLEMS = ['not_archived', 'gone', 'unreadable', 'no_text'] as const
export type TextProblem = (typeof TEXT_PROBLEMS)[number]

/** `isUnavailable`: the worker that has the bytes is unreachable, or this process is stopping. */
export type VersionText = { text: MainText } | { problem: TextProblem } | { isUnavailable: true }

export async function readVersionText(
  version: PageVersion | null,
  rules: Pick<IgnoreRules, 'removeElements'>,
  dependencies: PageReaderDependencies,
): Promise<VersionText> {
  if (version === null) return { problem: 'gone' }
  if (!version.isArchived) return { problem: 'not_archived' }
  try {
    const page = await readBody(version, dependencies)
    if (page.media?.isPage) {
      return { text: mainTextOfHtml(rules.removeElements(htmlOf(page))) }
    }
    const extracted = await extractContent(page, version.url, dependencies.readDocument)
    return extracted === null || extracted.text === ''
      ? { problem: 'no_text' }
      : { text: mainTextOfPlain(extracted.text) }
  } catch (error) {
    const { code } = asAppError(error)
    if (code === 'ARCHIVE_AWAY' || code === 'INTERRUPTED') return { isUnavailable: true }
    if (code === 'PAGE_NOT_FOUND' || code === 'PAGE_NOT_KEPT') return { problem: 'gone' }
    if (code === 'ARCHIVE_BROKEN') return { problem: 'unreadable' }
    throw error
  }
}
