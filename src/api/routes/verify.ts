import type { ApiDependencies, HandlersFor } from '../handlers.ts'

interface VerifyDependencies {
  crawls: Pick<ApiDependencies['crawls'], 'progress'>
  /** Recounting is slow. */
  threadUrls: ApiDependencies['threadUrls']
}

export function verifyHandlers({ crawls, threadUrls }: VerifyDependencies): HandlersFor<'verifyCrawl'> {
  return {
    async verifyCrawl({ params }) {
      const { crawl } = await crawls.progress(params.crawl_id)
      const findings = await threadUrls.verify(crawl.id)
      const { ledger } = await crawls.progress(crawl.id)
      return { crawl_id: crawl.id, status: crawl.status, sound: findings.length === 0, ledger, findings }
    },
  }
}
