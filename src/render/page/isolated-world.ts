import type { CdpSession } from '../cdp/connection.ts'

/** A world of its own, so that the page cannot replace what is called in it. */
export function openIsolatedWorld(session: CdpSession, frameId: string): Promise<{ executionContextId: number }> {
  return session.send('Page.createIsolatedWorld', { frameId, worldName: 'orbweaver' })
}
