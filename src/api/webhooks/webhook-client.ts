// Sends webhook calls: with the same address checks as crawl requests, without following redirects, with a timeout.

import { type IncomingMessage, type RequestOptions, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { DNS_DEFAULTS, NameResolver, SYSTEM_SOURCES } from '../../engine/dns/name-resolver.ts'
import { type AddressGuardSettings, buildAddressGuard } from '../../engine/fetch/address-guard.ts'
import { isBlockedPort } from '../../engine/fetch/blocked-ports.ts'
import { CodedError, classifyFetchError } from '../../engine/fetch/fetch-result.ts'
import type { Clock } from '../../lib/clock.ts'

export interface WebhookRequest {
  url: string
  headers: Record<string, string>
  body: string
  /** Private addresses are allowed. */
  allowsPrivate: boolean
}

/** If `status` is null, there was no response, and `problem` is the cause. */
export interface WebhookOutcome {
  status: number | null
  problem: string | null
}

export interface WebhookClient {
  post(webhookRequest: WebhookRequest, signal: AbortSignal): Promise<WebhookOutcome>
  close(): void
}

const TIMEOUT_MS = 10_000

export function openWebhookClient(
  guardSettings: AddressGuardSettings,
  clock: Clock,
  timeoutMs = TIMEOUT_MS,
): WebhookClient {
  const resolver = new NameResolver(DNS_DEFAULTS, SYSTEM_SOURCES, clock)
  const guards = {
    default: buildAddressGuard(guardSettings),
    allowPrivate: buildAddressGuard({ ...guardSettings, allowPrivate: true }),
  }
  return {
    async post({ allowsPrivate, ...call }, signal) {
      const guard = allowsPrivate ? guards.allowPrivate : guards.default
      // Checks the address actually dialled: the name may have resolved to another one when the webhook was created.
      const lookup = resolver.asLookupFunction((address, hostname) => guard.isAllowed(address, hostname))
      const timeout = AbortSignal.timeout(timeoutMs)
      try {
        const { hostname, port } = new URL(call.url)
        if (!guard.isNameOrAllowedAddress(hostname)) throw new CodedError('ADDRESS_BLOCKED')
        if (isBlockedPort(port)) throw new CodedError('PORT_BLOCKED')
        const response = await send(call, { lookup, signal: AbortSignal.any([signal, timeout]) })
        // The body is not needed.
        response.on('error', () => undefined).destroy()
        const status = response.statusCode ?? 0
        return { status, problem: classifyStatus(status) }
      } catch (error) {
        if (timeout.aborted) return { status: null, problem: 'timeout' }
        return {
          status: null,
          problem: classifyFetchError(error instanceof Error ? error : new Error(String(error))).problem,
        }
      }
    },
    close: () => resolver.close(),
  }
}

function send(
  { url, headers, body }: Omit<WebhookRequest, 'allowsPrivate'>,
  options: Pick<RequestOptions, 'lookup' | 'signal'>,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = url.startsWith('https:') ? requestSecure : requestPlain
  const length = { 'content-length': Buffer.byteLength(body) }
  // No agent: a separate connection that is closed after the call.
  request(url, { ...options, method: 'POST', headers: { ...headers, ...length }, agent: false }, resolve)
    .on('error', reject)
    .end(body)
  return promise
}

function classifyStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'redirected' : 'http_error'
}
