// Claims tasks for external crawlers: leased URLs, one per host at a time, under the same rules as for a crawl thread.

import type { ApiDependencies } from '../../api/handlers.ts'
import { findCrawl } from '../../api/requests/find-crawl.ts'
import { findPatternError } from '../../engine/crawl/plan/find-pattern-error.ts'
import { isoTime } from '../../lib/iso-time.ts'
import type { Crawl } from '../../ports/crawls.ts'
import type { CommitBatch, Frontier } from '../../ports/frontier.ts'
import type { Lease, LeasedUrl } from '../../ports/leases.ts'
import type { VisitReport } from '../../ports/visits.ts'
import { readRowById } from '../read-rows.ts'
import { CrawlRules, domainRestrictions } from './crawl-rules.ts'
import type { TaskIdCodec } from './task-id.ts'
import { threadIdOf } from './thread-id.ts'

export interface TaskDependencies
  extends Pick<ApiDependencies, 'crawls' | 'urls' | 'diagnostics' | 'robots' | 'access' | 'clock' | 'loadFilterLists'> {
  frontier: Frontier
  taskIds: TaskIdCodec
  /** Returns a number in [0, 1). */
  random: () => number
}

export interface TaskRequest {
  crawlerId: string
  limit: number
  /** Null for any running crawl, oldest first. */
  crawlId: string | null
}

/** Has the fields of both message formats, the long and the short one. */
export interface TaskMessage {
  task_id: string
  crawl_id: string
  url: string
  timestamp: string
  crawl_depth: number
  depth: number
  max_depth: number | null
  domain_restrictions: string[]
  priority: number
  retry_count: number
  parent_url: string | null
}

export interface ClaimedTasks {
  tasks: TaskMessage[]
  /** When the next task is due; null if none is before another task is reported. */
  nextDueAt: number | null
}

/** Maximum number of URLs that one call may end without a request. */
const MAX_REJECTED_URLS = 1000

export async function claimTasks(request: TaskRequest, dependencies: TaskDependencies): Promise<ClaimedTasks> {
  const tasks: TaskMessage[] = []
  let nextDueAt: number | null = null
  for (const crawl of await findClaimableCrawls(request, dependencies)) {
    if (tasks.length === request.limit) break
    const crawlRules = new CrawlRules(crawl, dependencies)
    for (let rejectedCount = 0; tasks.length < request.limit && rejectedCount < MAX_REJECTED_URLS; ) {
      const { leases, nextDueAt: dueAt } = await dependencies.frontier.lease(leaseRequest(crawl.id, request.crawlerId))
      const [lease] = leases
      const [url] = lease?.urls ?? []
      if (lease === undefined || url === undefined) {
        nextDueAt = nextDueAt === null || dueAt === null ? (nextDueAt ?? dueAt) : Math.min(nextDueAt, dueAt)
        break
      }
      const urlPermission = await crawlRules.checkUrl(lease, url)
      if (urlPermission.report === null) {
        const { crawlDelayMs } = urlPermission
        tasks.push(await toTaskMessage(crawl, { lease, url, crawlDelayMs, crawlerId: request.crawlerId }, dependencies))
      } else {
        rejectedCount += 1
        await dependencies.frontier.commit(rejectionBatch(crawl.id, request.crawlerId, urlPermission.report))
      }
    }
  }
  return { tasks, nextDueAt }
}

async function findClaimableCrawls({ crawlId }: TaskRequest, { crawls }: TaskDependencies): Promise<Crawl[]> {
  if (crawlId !== null) return [await findCrawl(crawls, crawlId)]
  const running = await crawls.list({ status: 'running' })
  const crawlsInOrder = running.map(({ crawl }) => crawl).toReversed()
  return crawlsInOrder.filter(({ settings }) => findPatternError(settings) === null)
}

function leaseRequest(crawlId: string, crawlerId: string) {
  const oneUrl = { maxUrls: 1, maxHosts: 1, slotsPerHost: 1, topUp: [], patternsVersion: 0 }
  return { crawlId, threadId: threadIdOf(crawlerId), ...oneUrl }
}

export function emptyCommitBatch(crawlId: string, crawlerId: string): CommitBatch {
  const lists = { visits: [], found: [], hosts: [], samples: [], release: [] }
  return {
    crawlId,
    threadId: threadIdOf(crawlerId),
    ...lists,
    linkKeys: new Uint8Array(0),
    rejected: {},
    requests: {},
    subresources: [],
    bytes: 0,
  }
}

function rejectionBatch(crawlId: string, crawlerId: string, report: VisitReport): CommitBatch {
  return { ...emptyCommitBatch(crawlId, crawlerId), visits: [report], release: [report.token] }
}

interface LeasedTask {
  lease: Lease
  url: LeasedUrl
  crawlDelayMs: number
  crawlerId: string
}

async function toTaskMessage(
  crawl: Crawl,
  leasedTask: LeasedTask,
  { urls, taskIds, clock }: TaskDependencies,
): Promise<TaskMessage> {
  const { lease, url, crawlDelayMs, crawlerId } = leasedTask
  const { urls: _urls, ...leaseWithoutUrls } = lease
  const row = await readRowById(urls, crawl.id, url.id)
  const parentId = row?.discoveredFrom ?? null
  const parent = parentId === null ? null : await readRowById(urls, crawl.id, parentId)
  return {
    task_id: await taskIds.encode({ crawlId: crawl.id, crawlerId, lease: leaseWithoutUrls, url, crawlDelayMs }),
    crawl_id: crawl.id,
    url: url.url,
    timestamp: isoTime(clock.now()),
    crawl_depth: url.depth,
    depth: url.depth,
    max_depth: crawl.settings.maxDepth,
    domain_restrictions: domainRestrictions(crawl),
    priority: row?.priority ?? 0,
    retry_count: url.attempts,
    parent_url: parent?.url ?? null,
  }
}
