import { keepPreviousData } from '@tanstack/react-query'
import { useDebounced } from '../../hooks/useDebounced.ts'
import { type client, useApi } from '../../server/api.ts'
import type { FieldProblem } from '../../text/crawl-settings.ts'
import { formatDateTime, plural } from '../../text/format.ts'

export type NewCrawlBody = NonNullable<NonNullable<Parameters<typeof client.createCrawl>[0]>['body']>

export interface CrawlCheck {
  problems: readonly FieldProblem[]
  /** Whether the server has accepted the current content of the form. */
  isValid: boolean
  /** Status text beside the submit button. */
  text: string
}

/** Validates the form on the server, debounced. */
export function useCrawlCheck(body: NewCrawlBody): CrawlCheck {
  const text = JSON.stringify(body)
  const debounced = useDebounced(text, 300)
  const hasUrl = body.url !== '' && body.urls?.[0] !== ''
  const check = useApi(
    'checkCrawl',
    { body: JSON.parse(debounced) as NewCrawlBody },
    { enabled: hasUrl, placeholderData: keepPreviousData, staleTime: 60_000 },
  )
  if (!hasUrl) return { problems: [], isValid: false, text: '' }
  if (check.error !== null) return { problems: [], isValid: false, text: check.error.message }
  const isCurrent = debounced === text && check.data !== undefined && !check.isPlaceholderData
  if (!isCurrent) return { problems: check.data?.problems ?? [], isValid: false, text: 'Checking…' }
  const { problems, seeds, next_runs: nextRuns } = check.data
  if (problems.length > 0) return { problems, isValid: false, text: `Fix ${plural(problems.length, 'field')}` }
  const ready = seeds.length === 1 ? 'Ready' : `Ready, with ${plural(seeds.length, 'start URL')}`
  const [nextRun] = nextRuns
  return {
    problems,
    isValid: true,
    text: nextRun === undefined ? ready : `${ready}. Runs again ${formatDateTime(new Date(nextRun))}`,
  }
}
