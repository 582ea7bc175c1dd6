import { keepPreviousData } from '@tanstack/react-query'
import { useDebounced } from '../../hooks/useDebounced.ts'
import { type client, useApi } from '../../server/api.ts'
import type { FieldProblem } from '../../text/crawl-settings.ts'
import { plural } from '../../text/format.ts'

export type NewCrawlBody = NonNullable<NonNullable<Parameters<typeof client.createCrawl>[0]>['body']>

export interface CrawlCheck {
  problems: readonly FieldProblem[]
  /** The server has looked at what stands in the form now, and would start it. */
  isGood: boolean
  /** For the line beside the button. */
  text: string
}

/** Asks the server whether it would start this, a moment after the last key. */
export function useCrawlCheck(body: NewCrawlBody): CrawlCheck {
  const text = JSON.stringify(body)
  const settled = useDebounced(text, 300)
  const hasUrl = body.url !== '' && body.urls?.[0] !== ''
  const check = useApi(
    'checkCrawl',
    { body: JSON.parse(settled) as NewCrawlBody },
    { enabled: hasUrl, placeholderData: keepPreviousData, staleTime: 60_000 },
  )
  if (!hasUrl) return { problems: [], isGood: false, text: '' }
  if (check.error !== null) return { problems: [], isGood: false, text: check.error.message }
  const isCurrent = settled === text && check.data !== undefined && !check.isPlaceholderData
  if (!isCurrent) return { problems: check.data?.problems ?? [], isGood: false, text: 'Checking' }
  const { problems, seeds } = check.data
  if (problems.length > 0) return { problems, isGood: false, text: `${plural(problems.length, 'field')} to mend` }
  return {
    problems,
    isGood: true,
    text: seeds.length === 1 ? 'Ready' : `Ready, from ${plural(seeds.length, 'start url')}`,
  }
}
