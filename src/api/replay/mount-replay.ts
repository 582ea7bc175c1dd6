// Shows archived pages as they looked: /replay/{token}/page?at=...&url=... for pages, and .../part?... for their
// images, styles and other parts. All content served here is hostile. It is safe because of its headers, not because
// of what it contains: see auth/security-headers.ts. Cookies are never read; the token in the path decides.

import type { Hono } from 'hono'
import { AppError, ERRORS } from '../../lib/errors.ts'
import type { PageVersion } from '../../ports/pages.ts'
import { REPLAY_HEADERS, REPLAY_MESSAGE_CSP, REPLAY_PART_CSP, replayCsp } from '../auth/security-headers.ts'
import type { ApiDependencies } from '../handlers.ts'
import type { ApiContext, ApiEnv } from '../http/request-context.ts'
import { archivedUrls } from './archived-urls.ts'
import { messagePage, type ReplayMessage } from './message-page.ts'
import { PICK_SCRIPT_HASH, withPickScript } from './pick-script.ts'
import { type Replayed, type ReplayKind, replayVersion } from './replay-response.ts'

export const REPLAY_ROOT = '/replay'

type ReplayDependencies = Pick<ApiDependencies, 'pages' | 'versionReader' | 'guard' | 'config'>

/** The archive that a request may read. */
interface ReplayAccess {
  crawlId: string
  /** The folder of the page and its parts on this server. */
  root: string
  /** A click in the page tells the web app which element it was for. */
  picks?: boolean
}

/** Null if there is nothing at this address. */
type AuthoriseReplay = (c: ApiContext) => Promise<ReplayAccess | FailedReplay | null>

export function mountReplay(
  app: Hono<ApiEnv>,
  dependencies: ReplayDependencies & Pick<ApiDependencies, 'replayTokens'>,
): void {
  const { replayTokens, guard } = dependencies
  mountReplayAt(app, { path: `${REPLAY_ROOT}/:token`, route: `${REPLAY_ROOT}/{token}` }, dependencies, async (c) => {
    const token = c.req.param('token') ?? ''
    const access = await replayTokens.verify(token)
    if (access.kind !== 'valid') return access.kind === 'expired' ? EXPIRED : null
    if (access.tokenId !== null) guard.checkRate(access.tokenId)
    return { crawlId: access.crawlId, root: `${REPLAY_ROOT}/${token}/`, picks: c.req.query('pick') === '1' }
  })
}

/** `route` is the path as the log names it. */
export function mountReplayAt(
  app: Hono<ApiEnv>,
  { path, route }: { path: string; route: string },
  dependencies: ReplayDependencies,
  authorise: AuthoriseReplay,
): void {
  for (const kind of ['page', 'part'] as const) {
    app.get(`${path}/${kind}`, async (c) => {
      c.set('route', `GET ${route}/${kind}`)
      c.set('isReplay', true)
      dependencies.guard.checkHost(c.env.incoming)
      const message = await authoriseAndReplay(c, kind, dependencies, authorise).catch(toMessage)
      return message instanceof Response ? message : messageResponse(message)
    })
  }
}

interface FailedReplay extends ReplayMessage {
  status: number
}

async function authoriseAndReplay(
  c: ApiContext,
  kind: ReplayKind,
  dependencies: ReplayDependencies,
  authorise: AuthoriseReplay,
): Promise<Response | FailedReplay> {
  const access = await authorise(c)
  if (access === null) return UNKNOWN_ADDRESS
  return 'crawlId' in access ? replay(c, { kind, access }, dependencies) : access
}

async function replay(
  c: ApiContext,
  { kind, access }: { kind: ReplayKind; access: ReplayAccess },
  { pages, versionReader, config }: ReplayDependencies,
): Promise<Response | FailedReplay> {
  const urls = archivedUrls(c.req.query('url') ?? '')
  const at = Number(c.req.query('at') ?? Number.NaN)
  const [url] = urls
  if (url === undefined || !Number.isSafeInteger(at)) return BAD_ADDRESS
  let version: PageVersion | null = null
  for (const one of urls) version ??= await pages.findNearest(access.crawlId, one, at)
  if (version === null) return notArchived(url)
  const replayed = await replayVersion(version, kind, versionReader)
  const sources = [
    c.req.header('host') ?? '',
    config.publicUrl === null ? '' : (URL.parse(config.publicUrl)?.host ?? ''),
  ]
  const respond = access.picks === true ? toPickResponse : toResponse
  return respond(replayed, url, sourceList(sources, access.root))
}

function toResponse(replayed: Replayed, url: string, sources: string[]): Response | FailedReplay {
  switch (replayed.kind) {
    case 'redirect':
      return new Response(null, {
        status: 302,
        headers: { ...REPLAY_HEADERS, location: replayed.path, 'content-security-policy': REPLAY_PART_CSP },
      })
    case 'html':
      return replayResponse(replayed.body, 'text/html; charset=utf-8', replayCsp(sources))
    case 'data':
      return replayResponse(new Uint8Array(replayed.body), replayed.type, REPLAY_PART_CSP)
    case 'too_large':
      return { status: 200, title: 'Too large to show', text: 'Download the body from its details.', liveUrl: url }
    case 'not_shown': {
      const text = `This is a file of the type ${replayed.type || 'unknown'}. Download the body from its details.`
      return { status: 200, title: 'Not a page', text, liveUrl: url }
    }
  }
}

function toPickResponse(replayed: Replayed, url: string, sources: string[]): Response | FailedReplay {
  if (replayed.kind !== 'html') return toResponse(replayed, url, sources)
  const csp = replayCsp(sources, PICK_SCRIPT_HASH)
  return replayResponse(withPickScript(replayed.body), 'text/html; charset=utf-8', csp)
}

function replayResponse(body: string | Uint8Array<ArrayBuffer>, type: string, csp: string): Response {
  return new Response(body, { headers: { ...REPLAY_HEADERS, 'content-type': type, 'content-security-policy': csp } })
}

function messageResponse({ status, ...message }: FailedReplay): Response {
  const headers = { ...REPLAY_HEADERS, 'content-type': 'text/html; charset=utf-8' }
  return new Response(messagePage(message), {
    status,
    headers: { ...headers, 'content-security-policy': REPLAY_MESSAGE_CSP },
  })
}

/** Hosts are matched with the scheme of the page. A policy cannot name an IPv6 address; then it allows the origin. */
function sourceList(hosts: string[], path: string): string[] {
  return hosts.flatMap((host) => (host === '' ? [] : /^[\w.-]+(?::\d+)?$/.test(host) ? `${host}${path}` : "'self'"))
}

const EXPIRED: FailedReplay = {
  status: 403,
  title: 'This view has expired',
  text: 'Archived pages can be viewed for an hour. Reload the page to continue.',
  liveUrl: null,
}
const UNKNOWN_ADDRESS: FailedReplay = {
  status: 404,
  title: 'Not found',
  text: 'This address is not valid. Open the archived page again.',
  liveUrl: null,
}
const BAD_ADDRESS: FailedReplay = { ...UNKNOWN_ADDRESS, status: 400 }

function notArchived(url: string): FailedReplay {
  return { status: 404, title: 'Not archived', text: 'This crawl has no archived copy of this URL.', liveUrl: url }
}

function toMessage(error: unknown): FailedReplay {
  if (!(error instanceof AppError)) throw error
  return { status: ERRORS[error.code].http, title: 'Cannot be shown', text: error.message, liveUrl: null }
}
