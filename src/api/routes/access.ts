// Handlers for browser sessions and webhooks. Secrets are shown only once.

import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { buildAddressGuard } from '../../engine/fetch/address-guard.ts'
import { AppError } from '../../lib/errors.ts'
import { isoTime } from '../../lib/iso-time.ts'
import type { WebhookRow } from '../../ports/access.ts'
import { expiredSessionCookie, sessionCookie } from '../auth/session-cookie.ts'
import type { Webhook } from '../contract/system.ts'
import { WEBHOOK_EVENTS } from '../contract/system.ts'
import type { ApiDependencies, HandlersFor } from '../handlers.ts'
import { isAllowedHost } from '../requests/crawl-request.ts'

export function accessHandlers(
  dependencies: ApiDependencies,
): HandlersFor<'openSession' | 'closeSession' | 'listWebhooks' | 'createWebhook' | 'deleteWebhook'> {
  const { access, guard, clock, config } = dependencies
  const isSecure = config.publicUrl?.startsWith('https:') === true
  return {
    async openSession({ body }, caller) {
      const { id, scope } = await guard.verifyToken(body.token, caller.address)
      caller.tokenId = id
      caller.headers.append('set-cookie', sessionCookie(body.token, isSecure))
      return { scope }
    },
    async closeSession(_input, { headers }) {
      headers.append('set-cookie', expiredSessionCookie(isSecure))
    },
    async listWebhooks() {
      const rows = await access.webhooks.list()
      return { items: rows.map(webhookJson), next_cursor: null, total: rows.length }
    },
    async createWebhook({ body }) {
      const url = URL.parse(body.url)
      const isPlain = url !== null && url.username === '' && url.password === ''
      if (!isPlain || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
        throw new AppError(
          'BAD_REQUEST',
          `"${body.url}" is not a valid http or https URL without a user name and password.`,
        )
      }
      const guard = buildAddressGuard({ ...config, allowPrivate: config.allowPrivate || body.allow_private })
      const isAllowed = isAllowedHost(url.hostname, guard)
      if (!isAllowed) {
        throw new AppError('BAD_REQUEST', `The address of ${url.href} is not public: set allow_private to allow it.`)
      }
      const secret = `whsec_${randomBytes(24).toString('base64url')}`
      const request = { url: url.href, events: body.events, allowsPrivate: body.allow_private }
      const row = { id: randomBytes(8).toString('hex'), ...request, createdAt: clock.now() }
      await access.webhooks.add({ ...row, secret })
      return { ...webhookJson({ ...row, secret, lastDelivery: null, changesCursor: 0 }), secret }
    },
    async deleteWebhook({ params }) {
      if (await access.webhooks.remove(params.webhook_id)) return
      throw new AppError('WEBHOOK_NOT_FOUND', `There is no webhook with the id ${params.webhook_id}.`)
    },
  }
}

function webhookJson({
  id,
  url,
  events,
  allowsPrivate,
  createdAt,
  lastDelivery,
}: WebhookRow): z.output<typeof Webhook> {
  return {
    webhook_id: id,
    url,
    events: WEBHOOK_EVENTS.filter((event) => events.includes(event)),
    allow_private: allowsPrivate,
    created_at: isoTime(createdAt),
    last_delivery: lastDelivery === null ? null : { ...lastDelivery, at: isoTime(lastDelivery.at) },
  }
}
