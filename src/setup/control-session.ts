// Opens a store to control the crawls and workers of other processes.

import type { ControlSession } from '../cli/io.ts'
import type { Config } from '../config/schema.ts'
import type { Tokens } from '../ports/access.ts'
import type { Audits } from '../ports/audits.ts'
import type { CrawlControl } from '../ports/control.ts'
import type { Crawls } from '../ports/crawls.ts'
import type { MonitorHits, Monitors, ProtectedDocuments } from '../ports/monitors.ts'
import type { Policies } from '../ports/policies.ts'
import type { Workers } from '../ports/workers.ts'
import { openOrJoinStore } from './store.ts'

export async function openControlSession(config: Config, create: boolean): Promise<ControlSession> {
  const store = await openOrJoinStore(config, create)
  return {
    owner: store.owner,
    crawls: store.client.service<Crawls>('crawls'),
    control: store.client.service<CrawlControl>('control'),
    workers: store.client.service<Workers>('workers'),
    policies: store.client.service<Policies>('policies'),
    tokens: store.client.service<Tokens>('tokens'),
    monitors: store.client.service<Monitors>('monitors'),
    protectedDocuments: store.client.service<ProtectedDocuments>('protectedDocuments'),
    audits: store.client.service<Audits>('audits'),
    monitorHits: store.client.service<MonitorHits>('monitorHits'),
    close: () => store.close(),
  }
}
