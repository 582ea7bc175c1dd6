// What the operator of a server lets tokens of the scope `crawl` ask for. An admin may ask for more.

import type { CrawlConfig, CrawlSettingName } from '../../config/crawl-settings.ts'
import { type Config, fileKeyOf, flagOf } from '../../config/schema.ts'
import { AUTO_FLOOR_MS } from '../../engine/politeness/pace.ts'
import type { Scope } from '../contract/route.ts'
import type { FieldProblem } from './refusal.ts'

export type Ceilings = Pick<Config, 'tokenMinDelay' | 'tokenMaxConcurrency' | 'tokenMaxPerHost' | 'tokenMaxBody'>

type Limited = 'delay' | 'concurrency' | 'perHost' | 'maxBody'

const CEILINGS: readonly { name: Limited; limit: keyof Ceilings; isLeast: boolean; unit: string }[] = [
  { name: 'delay', limit: 'tokenMinDelay', isLeast: true, unit: ' ms' },
  { name: 'concurrency', limit: 'tokenMaxConcurrency', isLeast: false, unit: '' },
  { name: 'perHost', limit: 'tokenMaxPerHost', isLeast: false, unit: '' },
  { name: 'maxBody', limit: 'tokenMaxBody', isLeast: false, unit: ' bytes' },
]

interface Asked {
  values: CrawlConfig
  ceilings: Ceilings
  scope: Scope | null
}

/** A problem for each of these settings that asks for more than there is. */
export function beyondCeilings(names: readonly CrawlSettingName[], { values, ceilings, scope }: Asked): FieldProblem[] {
  if (scope === 'admin') return []
  return CEILINGS.flatMap(({ name, limit, isLeast, unit }) => {
    const bound = ceilings[limit]
    if (bound === null || !names.includes(name) || isWithin(values[name], bound, isLeast)) return []
    const given = values[name] === 'auto' ? `"auto", which may be ${AUTO_FLOOR_MS} ms` : `${values[name]}${unit}`
    const message = `A token of the scope crawl may ask for ${isLeast ? 'no less' : 'no more'} than ${bound}${unit} here (--${flagOf(limit)} of the server); it is ${given}.`
    return [{ field: `settings.${fileKeyOf(name)}`, message }]
  })
}

/** Clamps defaults to the ceilings; explicit values are left for `beyondCeilings` to reject. */
export function underCeilings(given: readonly CrawlSettingName[], { values, ceilings, scope }: Asked): CrawlConfig {
  if (scope === 'admin') return values
  const lowered: Partial<Record<Limited, number>> = {}
  for (const { name, limit, isLeast } of CEILINGS) {
    const bound = ceilings[limit]
    if (bound !== null && !given.includes(name) && !isWithin(values[name], bound, isLeast)) lowered[name] = bound
  }
  return { ...values, ...lowered }
}

function isWithin(value: number | 'auto', bound: number, isLeast: boolean): boolean {
  const asked = value === 'auto' ? AUTO_FLOOR_MS : value
  return isLeast ? asked >= bound : asked <= bound
}
