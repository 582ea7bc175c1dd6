import { keepPreviousData } from '@tanstack/react-query'
import type { RouteResponse } from '../../../../src/api/contract/routes.ts'
import { useDebounced } from '../../hooks/useDebounced.ts'
import { type client, useApi } from '../../server/api.ts'
import { formatDateTime, plural } from '../../text/format.ts'

export type NewCrawlBody = NonNullable<NonNullable<Parameters<typeof client.createCrawl>[0]>['body']>
export type CrawlProblem = RouteResponse<'checkCrawl'>['problems'][number]
export type CrawlFix = CrawlProblem['fixes'][number]

export interface CrawlCheck {
  problems: readonly CrawlProblem[]
  /** The start URLs in their canonical form. */
  seeds: readonly string[]
  /** Whether the server has accepted the current content of the form. */
  isValid: boolean
  /** Whether the server has rejected the content. False while it checks. */
  isRejected: boolean
  /** Status text beside the submit button. */
  text: string
}

const NONE = { problems: [], seeds: [], isValid: false, isRejected: false }

/** Validates the form on the server, debounced. */
export function useCrawlCheck(body: NewCrawlBody): CrawlCheck {
  const text = JSON.stringify(body)
  const debounced = useDebounced(text, 300)
  const checked = JSON.parse(debounced) as NewCrawlBody
  const check = useApi(
    'checkCrawl',
    { body: checked },
    { enabled: hasUrl(checked), placeholderData: keepPreviousData, staleTime: 60_000 },
  )
  if (!hasUrl(body)) return { ...NONE, text: '' }
  if (check.error !== null) return { ...NONE, text: check.error.message }
  if (check.data === undefined) return { ...NONE, text: 'Checking…' }
  const { problems, seeds, next_runs: nextRuns } = check.data
  const isCurrent = debounced === text && !check.isPlaceholderData
  if (!isCurrent) return { ...NONE, problems, seeds, text: 'Checking…' }
  if (problems.length > 0) {
    return { problems, seeds, isValid: false, isRejected: true, text: `Fix ${plural(problems.length, 'field')}` }
  }
  const ready = seeds.length === 1 ? 'Ready' : `Ready, with ${plural(seeds.length, 'start URL')}`
  const [nextRun] = nextRuns
  return {
    problems,
    seeds,
    isValid: true,
    isRejected: false,
    text: nextRun === undefined ? ready : `${ready}. Runs again ${formatDateTime(new Date(nextRun))}`,
  }
}

function hasUrl({ url, urls }: NewCrawlBody): boolean {
  return url !== '' && urls?.[0] !== ''
}
