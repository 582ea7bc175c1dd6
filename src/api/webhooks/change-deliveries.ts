// Turns published changes of pages into webhook deliveries. Each webhook has its place in the order of changes, which is
// stored together with the deliveries: none is lost or stored twice, whatever process dies.

import type { Delivery, WebhookRow, Webhooks } from '../../ports/access.ts'
import type { ChangeKind, Changes, PublishedChange } from '../../ports/changes.ts'
import { PAGE_EVENTS } from '../contract/system.ts'
import { changeJson } from '../views/change-json.ts'

type PageEvent = (typeof PAGE_EVENTS)[number]

export interface ChangeDeliveryDependencies {
  webhooks: Pick<Webhooks, 'enqueueChanges'>
  changes: Pick<Changes, 'list'>
}

const EVENT_BY_KIND: Record<ChangeKind, PageEvent> = {
  added: 'page.added',
  returned: 'page.added',
  changed: 'page.changed',
  redirected: 'page.changed',
  removed: 'page.removed',
}
/** Changes per delivery at most. */
const BATCH = 100

/** Enqueues changes published since the last call, up to a batch per webhook. */
export async function enqueueChanges(
  rows: readonly WebhookRow[],
  now: number,
  { webhooks, changes }: ChangeDeliveryDependencies,
): Promise<void> {
  for (const webhook of rows) {
    const events = PAGE_EVENTS.filter((event) => webhook.events.includes(event))
    if (events.length === 0) continue
    const { id: webhookId, changesCursor: from } = webhook
    const found = await changes.list({ ...IN_ORDER, after: from })
    const to = found.at(-1)?.cursor
    if (to === undefined) continue
    const deliveries = events.flatMap((event) => {
      const ofEvent = found.filter(({ kind }) => EVENT_BY_KIND[kind] === event)
      return ofEvent.length === 0 ? [] : [toDelivery(webhookId, event, ofEvent, now)]
    })
    await webhooks.enqueueChanges(webhookId, { from, to }, deliveries)
  }
}

const IN_ORDER = {
  crawlId: null,
  url: null,
  kinds: [],
  since: null,
  until: null,
  minWords: 0,
  order: 'oldest',
  limit: BATCH,
} as const

function toDelivery(webhookId: string, event: PageEvent, changes: PublishedChange[], dueAt: number): Delivery {
  const [first, last] = [changes[0]?.cursor, changes.at(-1)?.cursor]
  const body = JSON.stringify({ event, changes: changes.map(changeJson) })
  return { id: `${webhookId}:${event}:${first}-${last}`, webhookId, event, body, attempts: 0, dueAt }
}
