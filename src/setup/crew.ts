// The crew of a crawl in the foreground. On a database others may be at work too, so it joins them.

import { hostname } from 'node:os'
import type { Crew } from '../cli/io.ts'
import type { Config } from '../config/schema.ts'
import { systemClock } from '../lib/clock.ts'
import { openLog } from '../lib/log.ts'
import type { Crawl } from '../ports/crawls.ts'
import { attend } from '../worker/attendance.ts'
import type { HeartbeatSettings } from '../worker/heartbeat.ts'
import { Relay } from '../worker/relay.ts'
import { BEAT_MS, patienceOf, roleShift } from './process.ts'
import type { Workshop } from './workshop.ts'

export interface CrewParts {
  workshop: Workshop
  config: Config
  version: string
}

export async function startCrew(crawl: Crawl, { workshop, config, version }: CrewParts): Promise<Crew> {
  // First of all, so that a crawl without room asks for nothing.
  await workshop.disk.start()
  workshop.memory.start(null)
  const shift = await Relay.begin(crawl, (asItIs) => workshop.begin(asItIs))
  const { trouble } = workshop.disk
  const seen = { stop: () => shift.stop(), stats: () => shift.stats() }
  if (config.store === null) return { ...seen, run: () => shift.run(trouble) }
  const about = { id: workshop.id, name: `${hostname()}:${process.pid}`, version }
  const settings: HeartbeatSettings = { ...about, beatMs: BEAT_MS, patienceMs: patienceOf(config) }
  const log = openLog(process.stderr, systemClock.now, { format: 'auto', level: 'warn' })
  const parts = { workers: workshop.workers, holds: workshop.holds, clock: systemClock, log }
  const attendance = attend(
    { crawlId: crawl.id, shift: roleShift(shift, trouble), heed: (asItIs) => shift.heed(asItIs) },
    settings,
    parts,
  )
  return {
    ...seen,
    async run() {
      try {
        return await shift.run(Promise.race([trouble, attendance.trouble]))
      } finally {
        await attendance.leave()
      }
    },
  }
}
