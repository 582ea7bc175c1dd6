import { z } from 'zod'
import { crawlParams, StateCounts } from './crawls.ts'
import { route } from './route.ts'

const count = z.int().min(0)

export const HistorySample = z.object({
  at: z.iso.datetime(),
  pages_per_second: z.number(),
  bytes_per_second: z.number(),
  in_flight: count,
  states: StateCounts,
})

export const historyRoutes = {
  getHistory: route({
    summary: 'Get the progress of a crawl over time: samples taken while a server is running, thinned out as they age',
    scope: 'read',
    params: crawlParams,
    response: z.object({ crawl_id: z.string(), as_of: z.iso.datetime(), samples: z.array(HistorySample) }),
    errors: ['CRAWL_NOT_FOUND'],
  }),
}
