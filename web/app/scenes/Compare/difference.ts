import type { RouteResponse } from '../../../../src/api/contract/routes.ts'

export type Difference = RouteResponse<'compareCrawls'>['items'][number]

export const DIFFERENCE_STYLES = {
  added: { label: 'Added', tone: 'good' },
  removed: { label: 'Removed', tone: 'bad' },
  changed: { label: 'Changed', tone: 'warn' },
} as const
