// How a crawl went while somebody watched.

import { isoTime } from '../answers/progress.ts'
import type { ApiParts, Some } from '../handlers.ts'
import { findProgress } from '../requests/find.ts'

export function historyHandlers({ crawls, history, clock }: ApiParts): Some<'getHistory'> {
  return {
    async getHistory({ params }) {
      const { crawl } = await findProgress(crawls, params.crawl_id)
      return {
        crawl_id: crawl.id,
        as_of: isoTime(clock.now()),
        samples: (await history.of(crawl.id)).map((sample) => ({
          at: isoTime(sample.at),
          pages_per_second: sample.pagesPerSecond,
          bytes_per_second: sample.bytesPerSecond,
          in_flight: sample.inFlight,
          states: sample.states,
        })),
      }
    },
  }
}
