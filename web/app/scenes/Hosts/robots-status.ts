import type { RouteResponse } from '../../../../src/api/contract/routes.ts'
import type { Tone } from '../../components/display/Badge.tsx'
import { reasonText } from '../../text/reasons.ts'

export type Host = RouteResponse<'listHosts'>['items'][number]

/** The status of a robots.txt in a few words. A 5xx status disallows the whole origin. */
export function describeRobots(robots: Host['robots'][number]): { label: string; tone: Tone } {
  if (robots.problem !== null) return { label: reasonText(robots.problem), tone: 'bad' }
  if (robots.status === null) return { label: 'No response', tone: 'bad' }
  if (robots.status >= 500) return { label: `Unavailable (${robots.status})`, tone: 'bad' }
  if (robots.status >= 400) return { label: `No rules (${robots.status})`, tone: 'neutral' }
  return { label: `Found (${robots.status})`, tone: 'good' }
}
