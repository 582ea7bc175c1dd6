import type { CdpSession } from '../cdp/connection.ts'

/** A separate JavaScript world, so that the page cannot replace the functions called in it. */
export function openIsolatedWorld(session: CdpSession, frameId: string): Promise<{ executionContextId: number }> {
  return session.send('Page.createIsolatedWorld', { frameId, worldName: 'orbweaver' })
}
