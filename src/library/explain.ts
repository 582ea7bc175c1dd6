import type { ReadSession } from '../cli/io.ts'
import { systemClock } from '../lib/clock.ts'

/** Why a crawl visited a URL or not. */
export interface UrlExplanation {
  url: string
  /** The result in one sentence. */
  answer: string
  /** False if the crawl has not found the URL. */
  isKnown: boolean
  /** The checks before a request, in order. */
  steps: { step: string; outcome: 'passed' | 'refused' | 'unknown'; detail: string }[]
}

export async function explainUrl(crawlId: string, url: string, session: ReadSession): Promise<UrlExplanation> {
  const [{ explainUrlHandler }, { localCaller }, { loadFilterLists }] = await Promise.all([
    import('../api/routes/urls.ts'),
    import('../api/local-caller.ts'),
    import('../setup/on-demand.ts'),
  ])
  const handler = explainUrlHandler({ ...session, clock: systemClock, loadFilterLists })
  const found = await handler({ params: { crawl_id: crawlId }, query: { url } }, localCaller())
  return { url: found.url, answer: found.answer, isKnown: found.is_known, steps: found.steps }
}
