// Handler for the progress of a crawl over time.

import { isoTime } from '../../lib/iso-time.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'

export function historyHandlers({ crawls, history, clock }: ApiDependencies): HandlersFor<'getHistory'> {
  return {
    async getHistory({ params }) {
      const { crawl } = await crawls.progress(params.crawl_id)
      return {
        crawl_id: crawl.id,
        as_of: isoTime(clock.now()),
        samples: (await history.list(crawl.id)).map((sample) => ({
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
