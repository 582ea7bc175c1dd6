import type { Config } from '../../config/schema.ts'
import { explainRobots, type RobotsExplanation } from '../../engine/robots/explain-robots.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Openers } from '../io.ts'
import { withFetcher } from './fetch-page.ts'

/** Fetches the robots.txt of a host and explains its decision about a URL. */
export async function checkRobots(
  named: string,
  config: Config,
  openers: Pick<Openers, 'openFetcher'>,
): Promise<RobotsExplanation> {
  return withFetcher(named, config, openers, (fetcher, url) =>
    explainRobots(url, config.userAgent, { fetcher, clock: systemClock }),
  )
}
