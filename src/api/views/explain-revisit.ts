// Explains when a URL is visited again, and what counts in that.

import { minuteText } from '../../lib/iso-time.ts'
import { isUnfinished } from '../../lib/states.ts'
import { isRecrawled } from '../../ports/revisits.ts'
import type { ExplainRequest, ExplanationStep } from './explain-url.ts'

/** Empty for a crawl that has ended or is not recrawled, and for a URL that was not visited yet. */
export function explainRevisit({ revisit, progress: { crawl } }: ExplainRequest): ExplanationStep[] {
  const { settings, status } = crawl
  if (revisit === null || !isRecrawled(settings) || !isUnfinished(status)) return []
  const { dueAt, importance, linkRank } = revisit
  const next = dueAt === null ? 'It is queued for a revisit.' : `Its next visit is due at ${minuteText(dueAt)} UTC.`
  const step = (detail: string): ExplanationStep[] => [{ step: 'revisit', outcome: 'passed', detail }]
  if (settings.recrawl !== 'adaptive' || settings.recrawlBudget === null) return step(next)
  const rank = linkRank === null ? 'its link rank is not known' : `its link rank is ${linkRank.toFixed(2)}`
  return step(`${next} Its importance is ${importance.toFixed(2)}, where 1 is average; ${rank}.`)
}
