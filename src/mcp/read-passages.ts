// A page as numbered passages, of which a range is returned at a time.

import type { ClientResponse } from '../api/client.ts'
import { AppError } from '../lib/errors.ts'
import type { McpClient } from './mcp-client.ts'
import { quoteWeb } from './tool-result.ts'

export interface PassageRequest {
  pageId: number
  /** Number of the first passage, from 1. */
  start: number
  maxCharacters: number
}

/** Entries of the list of headings. */
const MAX_OUTLINE = 60

export async function readPassages(
  client: Pick<McpClient, 'getPageChunks'>,
  { pageId, start, maxCharacters }: PassageRequest,
): Promise<string> {
  const { items } = await client.getPageChunks({ params: { page_id: pageId } })
  const [first] = items
  if (first === undefined) return `Page ${pageId} has no text.`
  if (start > items.length) {
    throw new AppError('BAD_REQUEST', `Page ${pageId} has ${items.length} passages. Use a lower start.`)
  }
  const shown: string[] = []
  let characters = 0
  let at = start - 1
  for (let item = items[at]; item !== undefined; item = items[++at]) {
    if (shown.length > 0 && characters + item.markdown.length > maxCharacters) break
    characters += item.markdown.length
    shown.push(`[${at + 1}] ${item.headings.join(' > ')}\n\n${item.markdown}`)
  }
  const about = [
    `page_id: ${pageId}`,
    `version: ${first.version}, fetched ${first.fetched}`,
    `passages: ${start} to ${at} of ${items.length}${at < items.length ? `; continue with start: ${at + 1}` : ''}`,
  ].join('\n')
  const outline = start === 1 && at < items.length ? `Headings:\n${outlineOf(items)}\n\n` : ''
  const title = first.title === null ? '' : `${first.title}\n`
  return `${about}\n\n${quoteWeb(`${title}${first.url}\n\n${outline}${shown.join('\n\n')}`, first.url)}`
}

function outlineOf(items: ClientResponse<'getPageChunks'>['items']): string {
  const lines = items.flatMap(({ headings }, i) => {
    const last = headings.at(-1)
    const isRepeated = JSON.stringify(headings) === JSON.stringify(items[i - 1]?.headings)
    return last === undefined || isRepeated ? [] : [`${'  '.repeat(headings.length - 1)}- ${last} [${i + 1}]`]
  })
  return lines.slice(0, MAX_OUTLINE).join('\n')
}
