// Redirects in circles, too long chains, and redirects to forbidden targets.

import type { HostilePaths, HostileResponder } from './hostile-responses.ts'

const CHAIN = 30
/** The ten redirects that a crawler follows. */
const FOLLOWED = 10

function redirectTo(location: string): HostileResponder {
  return (response) => response.writeHead(302, { Location: location }).end()
}

function makeRedirectChain(): HostilePaths {
  const links = Array.from({ length: CHAIN }, (_, i) => {
    const outcome = i < FOLLOWED ? 'redirected' : 'redirected too_many_redirects'
    return [`/redirect/chain-${i}`, [outcome, redirectTo(`/redirect/chain-${i + 1}`)]] as const
  })
  return Object.fromEntries(links)
}

/** URLs that the site links to; the rest of a chain is found by following it. */
export function isChainStart(url: string): boolean {
  return chainPosition(url) <= 0
}

/** Beyond the limit, so never requested. */
export function isBeyondRedirectLimit(url: string): boolean {
  return chainPosition(url) > FOLLOWED
}

function chainPosition(url: string): number {
  return Number(/\/redirect\/chain-(\d+)$/.exec(url)?.[1] ?? -1)
}

export const REDIRECTS: HostilePaths = {
  ...makeRedirectChain(),
  '/redirect/self': ['redirected redirect_loop', redirectTo('/redirect/self')],
  '/redirect/loop': ['redirected redirect_loop', redirectTo('/redirect/loop-back')],
  '/redirect/loop-back': ['redirected redirect_loop', redirectTo('/redirect/loop')],
  '/redirect/metadata': ['redirected', redirectTo('http://169.254.169.254/latest/meta-data/')],
  '/redirect/private': ['redirected', redirectTo('http://10.0.0.1/')],
  '/redirect/file': ['redirected redirect_target_invalid', redirectTo('file:///etc/passwd')],
  '/redirect/ftp': ['redirected redirect_target_invalid', redirectTo('ftp://127.0.0.1/')],
  '/redirect/script': ['redirected redirect_target_invalid', redirectTo('javascript:alert(1)')],
  '/redirect/data': ['redirected redirect_target_invalid', redirectTo('data:text/html,<a href="/unseen">x</a>')],
  '/redirect/malformed': ['redirected redirect_target_invalid', redirectTo('http://[::bad')],
  '/redirect/bad-port': ['redirected redirect_target_invalid', redirectTo('http://127.0.0.1:99999/')],
  '/redirect/password': ['redirected redirect_target_invalid', redirectTo('http://me:secret@127.0.0.1/')],
  '/redirect/long': ['redirected redirect_target_invalid', redirectTo(`/${'long'.repeat(5000)}`)],
  '/redirect/nowhere': ['http_error redirect_without_target', (response) => response.writeHead(302).end()],
}
