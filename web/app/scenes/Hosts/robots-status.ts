import type { RouteResponse } from '../../../../src/api/contract/routes.ts'
import type { Tone } from '../../components/display/Badge.tsx'

export type Host = RouteResponse<'listHosts'>['items'][number]

/** What is known of a robots.txt, in a few words. */
export function describeRobots(robots: Host['robots'][number]): { word: string; tone: Tone } {
  if (robots.problem !== null) return { word: robots.problem.replaceAll('_', ' '), tone: 'bad' }
  if (robots.status === null) return { word: 'no answer', tone: 'bad' }
  if (robots.status >= 500) return { word: `${robots.status}: everything refused`, tone: 'bad' }
  if (robots.status >= 400) return { word: `${robots.status}: no rules`, tone: 'neutral' }
  return { word: `${robots.status}: read`, tone: 'good' }
}
