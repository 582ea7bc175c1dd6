// Redirects that lead in circles, too far, or where nobody should go.

import type { Answer, Traps } from './trap.ts'

const CHAIN = 30
/** The ten that a crawler follows, and the one it ends with. */
const FOLLOWED = 10

function to(location: string): Answer {
  return (response) => response.writeHead(302, { Location: location }).end()
}

function chain(): Traps {
  const links = Array.from({ length: CHAIN }, (_, i) => {
    const outcome = i < FOLLOWED ? 'redirected' : 'redirected too_many_redirects'
    return [`/redirect/chain-${i}`, [outcome, to(`/redirect/chain-${i + 1}`)]] as const
  })
  return Object.fromEntries(links)
}

/** Where the site's own links lead; the rest of a chain is found by following it. */
export function isEntrance(url: string): boolean {
  return positionIn(url) <= 0
}

/** Beyond the limit, so never asked for. */
export function isBeyond(url: string): boolean {
  return positionIn(url) > FOLLOWED
}

function positionIn(url: string): number {
  return Number(/\/redirect\/chain-(\d+)$/.exec(url)?.[1] ?? -1)
}

export const REDIRECTS: Traps = {
  ...chain(),
  '/redirect/self': ['redirected redirect_loop', to('/redirect/self')],
  '/redirect/loop': ['redirected redirect_loop', to('/redirect/loop-back')],
  '/redirect/loop-back': ['redirected redirect_loop', to('/redirect/loop')],
  '/redirect/metadata': ['redirected', to('http://169.254.169.254/latest/meta-data/')],
  '/redirect/private': ['redirected', to('http://10.0.0.1/')],
  '/redirect/file': ['redirected redirect_target_invalid', to('file:///etc/passwd')],
  '/redirect/ftp': ['redirected redirect_target_invalid', to('ftp://127.0.0.1/')],
  '/redirect/script': ['redirected redirect_target_invalid', to('javascript:alert(1)')],
  '/redirect/data': ['redirected redirect_target_invalid', to('data:text/html,<a href="/unseen">x</a>')],
  '/redirect/malformed': ['redirected redirect_target_invalid', to('http://[::bad')],
  '/redirect/bad-port': ['redirected redirect_target_invalid', to('http://127.0.0.1:99999/')],
  '/redirect/password': ['redirected redirect_target_invalid', to('http://me:secret@127.0.0.1/')],
  '/redirect/long': ['redirected redirect_target_invalid', to(`/${'long'.repeat(5000)}`)],
  '/redirect/nowhere': ['http_error redirect_without_target', (response) => response.writeHead(302).end()],
}
