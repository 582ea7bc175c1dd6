// Tasks for outside crawlers: urls under a lease, one of a host at a time, as a crawl thread of ours would get them.

import { patternFault } from '../../../engine/crawl/pattern-check.ts'
import type { Crawl } from '../../../ports/crawls.ts'
import type { CommitBatch, Frontier, Lease, LeasedUrl, VisitReport } from '../../../ports/frontier.ts'
import { isoTime } from '../../answers/progress.ts'
import type { ApiParts } from '../../handlers.ts'
import { findCrawl } from '../../requests/find.ts'
import { rowWithId } from '../runs/graph.ts'
import { domainRestrictions, Policy } from './policy.ts'
import type { TaskIds } from './task-id.ts'

export interface TaskParts
  extends Pick<ApiParts, 'crawls' | 'urls' | 'manners' | 'robots' | 'access' | 'clock' | 'loadFilterLists'> {
  frontier: Frontier
  taskIds: TaskIds
  /** 0 to 1. */
  random: () => number
}

export interface TaskRequest {
  crawlerId: string
  limit: number
  /** Null: of any crawl that is running, those that have waited longest first. */
  crawlId: string | null
}

/** The long form of the message, with the names of the short ones. */
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

export interface GivenTasks {
  tasks: TaskMessage[]
  /** When asking again can help; null: not before something is reported. */
  nextDueAt: number | null
}

/** Urls that end without a request in one call. */
const MAX_REFUSED = 1000

export async function giveTasks(request: TaskRequest, parts: TaskParts): Promise<GivenTasks> {
  const tasks: TaskMessage[] = []
  let nextDueAt: number | null = null
  for (const crawl of await crawlsFor(request, parts)) {
    if (tasks.length === request.limit) break
    const policy = new Policy(crawl, parts)
    for (let refused = 0; tasks.length < request.limit && refused < MAX_REFUSED; ) {
      const { leases, nextDueAt: dueAt } = await parts.frontier.lease(leaseRequest(crawl.id, request.crawlerId))
      const [lease] = leases
      const [url] = lease?.urls ?? []
      if (lease === undefined || url === undefined) {
        nextDueAt = nextDueAt === null || dueAt === null ? (nextDueAt ?? dueAt) : Math.min(nextDueAt, dueAt)
        break
      }
      const permission = await policy.permit(lease, url)
      if (permission.report === null) {
        const { crawlDelayMs } = permission
        tasks.push(await messageOf(crawl, { lease, url, crawlDelayMs, crawlerId: request.crawlerId }, parts))
      } else {
        refused += 1
        await parts.frontier.commit(refusalBatch(crawl.id, request.crawlerId, permission.report))
      }
    }
  }
  return { tasks, nextDueAt }
}

async function crawlsFor({ crawlId }: TaskRequest, { crawls }: TaskParts): Promise<Crawl[]> {
  if (crawlId !== null) return [await findCrawl(crawls, crawlId)]
  const running = await crawls.list({ status: 'running' })
  const crawlsInOrder = running.map(({ crawl }) => crawl).toReversed()
  return crawlsInOrder.filter(({ settings }) => patternFault(settings) === null)
}

/** The name of an outside crawler among the workers of the store. */
export function workerIdOf(crawlerId: string): string {
  return `outside-${crawlerId}`
}

function leaseRequest(crawlId: string, crawlerId: string) {
  const one = { maxUrls: 1, maxHosts: 1, slotsPerHost: 1, topUp: [], patternsVersion: 0 }
  return { crawlId, workerId: workerIdOf(crawlerId), ...one }
}

export function emptyBatch(crawlId: string, crawlerId: string): CommitBatch {
  const lists = { visits: [], found: [], hosts: [], samples: [], release: [] }
  return { crawlId, workerId: workerIdOf(crawlerId), ...lists, linkKeys: new Uint8Array(0), rejected: {}, bytes: 0 }
}

function refusalBatch(crawlId: string, crawlerId: string, report: VisitReport): CommitBatch {
  return { ...emptyBatch(crawlId, crawlerId), visits: [report], release: [report.token] }
}

interface Given {
  lease: Lease
  url: LeasedUrl
  crawlDelayMs: number
  crawlerId: string
}

async function messageOf(crawl: Crawl, given: Given, { urls, taskIds, clock }: TaskParts): Promise<TaskMessage> {
  const { lease, url, crawlDelayMs, crawlerId } = given
  const { urls: _urls, ...held } = lease
  const row = await rowWithId(urls, crawl.id, url.id)
  const parentId = row?.discoveredFrom ?? null
  const parent = parentId === null ? null : await rowWithId(urls, crawl.id, parentId)
  return {
    task_id: await taskIds.write({ crawlId: crawl.id, crawlerId, lease: held, url, crawlDelayMs }),
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
