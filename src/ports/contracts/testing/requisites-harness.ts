// Crawls a small site of pages and requisites in a store.

import type { Lease, LeasedUrl } from '../../leases.ts'
import type { FoundUrl, SubresourceReport, VisitReport } from '../../visits.ts'
import { hashOf, PAGE_REPORT } from './page-visits.ts'
import { foundUrl, only, StoreHarness } from './store-harness.ts'

const requisite = (name: string): FoundUrl => ({ ...foundUrl(name), kind: 'requisite' })
const nameOf = ({ url }: { url: string }) => url.replace('http://', '').replace('.test/', '/')

/** What a request for a URL of the site returns. */
interface SiteUrl {
  links?: string[]
  requisites?: string[]
  redirect?: string
  state?: 'not_found'
}
export type Site = Record<string, SiteUrl>

export class RequisitesHarness extends StoreHarness {
  report(lease: Lease, url: LeasedUrl, site: Site): VisitReport {
    const { links = [], requisites = [], redirect, state } = site[nameOf(url)] ?? {}
    if (state !== undefined) return this.endedReport(lease, url, { state, reason: null })
    if (redirect !== undefined) {
      const report = this.endedReport(lease, url, { state: 'redirected', reason: null }, [redirect])
      return { ...report, found: [{ ...foundUrl(redirect), kind: url.kind }] }
    }
    const report = this.visitedReport(lease, url, links)
    return { ...report, found: [...report.found, ...requisites.map(requisite)] }
  }

  /** Visits everything until nothing is left. Returns the URLs in order, each with the kind it was read as. */
  async crawlSite(site: Site): Promise<string[]> {
    const order: string[] = []
    for (let idle = 0; idle < 3; ) {
      const { leases } = await this.lease()
      idle = leases.length === 0 ? idle + 1 : 0
      if (idle > 0) this.store.clock.advance(1000)
      for (const lease of leases) {
        order.push(...lease.urls.map((url) => `${nameOf(url)} ${url.kind}`))
        const visits = lease.urls.map((url) => this.report(lease, url, site))
        await this.commit(visits, { release: [lease.token] })
      }
    }
    return order
  }

  /** A response to a request of a rendered page. Equal `content` means an equal payload. */
  subresource(lease: Lease, name: string, content: number): SubresourceReport {
    const facts = { ...this.visitFacts(200), contentHash: hashOf(content) }
    const position = { segment: 's1', offset: content * 100, length: 50 }
    const page = { ...PAGE_REPORT, digest: hashOf(content), position }
    return { parent: only(lease.urls).id, found: requisite(name), state: 'visited', facts, page }
  }

  /** Kind, depth, state and reason of each URL. */
  async table(): Promise<Record<string, string>> {
    const rows = await this.rows()
    const entries = rows.map((row) => {
      const { kind, depth, state, reason } = row
      return [nameOf(row), `${kind} ${depth} ${state}${reason === null ? '' : ` ${reason}`}`] as const
    })
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** Leases everything and visits it, with one commit at a chosen moment. Host z is last, so that the crawl does not end. */
  async visitWith(when: 'before' | 'during' | 'after', site: Site, named: FoundUrl[]): Promise<void> {
    if (when === 'before') await this.commit([], { found: named })
    const leases = (await this.lease()).leases.toSorted((a, b) => (a.host < b.host ? -1 : 1))
    if (when === 'during') await this.commit([], { found: named })
    for (const lease of leases) {
      if (lease.host === 'z.test' && when === 'after') await this.commit([], { found: named })
      const visits = lease.urls.map((url) => this.report(lease, url, site))
      await this.commit(visits, { release: [lease.token] })
    }
  }
}
