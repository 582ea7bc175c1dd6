// Builds the examiner of monitors on the services of a store.

import { systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { RpcClient } from '../lib/rpc.ts'
import { MonitorExaminer } from '../monitor/monitor-examiner.ts'
import type { MonitorHits, Monitors, ProtectedDocuments } from '../ports/monitors.ts'

export function makeMonitorExaminer(store: Pick<RpcClient, 'service'>, log: Log): MonitorExaminer {
  return new MonitorExaminer({
    monitors: store.service<Monitors>('monitors'),
    documents: store.service<ProtectedDocuments>('protectedDocuments'),
    hits: store.service<MonitorHits>('monitorHits'),
    clock: systemClock,
    log,
  })
}
