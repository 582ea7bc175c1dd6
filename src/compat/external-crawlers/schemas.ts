// Schemas of the external-crawlers API.

import { z } from 'zod'
import { MAX_TASK_ID } from './task-id.ts'
import { TASK_STATES } from './task-states.ts'

const crawl_id = z.string().min(1).max(64)
const url = z.string().min(1).max(4096)
/** The name that a crawler or indexer chooses for itself. */
const nodeName = z.string().regex(/^[\w.-]{1,64}$/, 'Must have 1 to 64 letters, digits, dots, dashes or underscores.')
const count = z.int().min(0)
const milliseconds = z.number().min(0).max(86_400_000)

export const StartCrawlBody = z.strictObject({
  seed_urls: z.array(z.string().max(2048)).min(1).max(10_000),
  depth_limit: z.int().min(0).max(65_000).optional(),
  domain_restriction: z.boolean().default(true),
})

export const crawlParams = z.object({ crawl_id })

export const ClaimTasksBody = z.strictObject({
  crawler_id: nodeName,
  crawl_id: crawl_id.optional(),
  limit: z.int().min(1).max(100).default(1),
})

export const ListTasksQuery = z.object({
  state: z.enum(TASK_STATES).optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  /** The `task_id` of the last task that was read. */
  after: z.coerce.number().int().min(0).default(0),
})

const REPORT_STATUSES = ['completed', 'failed', 'in-progress'] as const

/** The last six fields come from the crawl metadata and the page record; they are optional. */
export const TaskReportBody = z.strictObject({
  task_id: z.string().min(1).max(MAX_TASK_ID),
  crawler_id: nodeName,
  status: z.enum(REPORT_STATUSES),
  extracted_urls: z.array(z.string().max(4096)).max(50_000).default([]),
  errors: z.array(z.unknown()).max(100).default([]),
  http_status: z.int().min(100).max(599).optional(),
  content_type: z.string().max(200).optional(),
  content_size_bytes: count.optional(),
  fetch_time_ms: milliseconds.optional(),
  processing_time_ms: milliseconds.optional(),
  final_url: url.optional(),
})

export const SubmitDocumentBody = z.strictObject({
  crawl_id,
  url,
  content: z.string().default(''),
  text: z.string().default(''),
  metadata: z
    .strictObject({
      title: z.string().max(1000).default(''),
      keywords: z.array(z.string().max(200)).max(100).default([]),
    })
    .default({ title: '', keywords: [] }),
})

export const IndexerReportBody = z.strictObject({
  crawl_id,
  indexer_id: nodeName,
  status: z.enum(['success', 'failed', 'in-progress']),
  processed_pages: count,
})
