// Passes visit reports to the commit buffer and to the log.

import type { LeasedUrl } from '../../../ports/leases.ts'
import type { VisitReport } from '../../../ports/visits.ts'
import type { FetchResult } from '../../fetch/fetch-result.ts'
import type { LeasedHost } from '../hosts/leased-host.ts'
import type { CommitBuffer, VisitPayload } from '../report/commit-buffer.ts'
import type { CrawlLog } from '../report/crawl-log.ts'
import type { LeasedHosts } from './leased-hosts.ts'

export interface VisitReporterDependencies {
  leasedHosts: LeasedHosts
  commitBuffer: CommitBuffer
  crawlLog: CrawlLog
}

/** A URL and the result of its request; null if there was none. */
export interface ReportedUrl {
  url: LeasedUrl
  host: string
  result: FetchResult | null
}

export class VisitReporter {
  readonly #dependencies: VisitReporterDependencies

  constructor(dependencies: VisitReporterDependencies) {
    this.#dependencies = dependencies
  }

  report({ url, host, result }: ReportedUrl, report: VisitReport, payload?: VisitPayload): void {
    this.#dependencies.commitBuffer.addVisit(report, payload)
    this.#dependencies.crawlLog.logVisit(url, host, report, result)
  }

  /** Reports the next pending URL of a host, which ends without a request. */
  reportWithoutRequest(host: LeasedHost, url: LeasedUrl, report: VisitReport): void {
    this.#dependencies.leasedHosts.takeUrl(host)
    this.report({ url, host: host.lease.host, result: null }, report)
  }
}
