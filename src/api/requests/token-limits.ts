// What the operator of a server lets tokens of the scope `crawl` ask for. An admin may ask for more.

import type { CrawlConfig, CrawlSettingName } from '../../config/crawl-settings.ts'
import { type Config, fileKeyOf, flagOf } from '../../config/schema.ts'
import { AUTO_FLOOR_MS } from '../../engine/politeness/gap.ts'
import type { Scope } from '../contract/route.ts'
import type { FieldProblem } from './request-error.ts'

export type TokenLimits = Pick<Config, 'tokenMinDelay' | 'tokenMaxConcurrency' | 'tokenMaxPerHost' | 'tokenMaxBody'>

type LimitedSetting = 'delay' | 'concurrency' | 'perHost' | 'maxBody'

const TOKEN_LIMITS: readonly { name: LimitedSetting; limit: keyof TokenLimits; isLeast: boolean; unit: string }[] = [
  { name: 'delay', limit: 'tokenMinDelay', isLeast: true, unit: ' ms' },
  { name: 'concurrency', limit: 'tokenMaxConcurrency', isLeast: false, unit: '' },
  { name: 'perHost', limit: 'tokenMaxPerHost', isLeast: false, unit: '' },
  { name: 'maxBody', limit: 'tokenMaxBody', isLeast: false, unit: ' bytes' },
]

interface RequestedSettings {
  values: CrawlConfig
  limits: TokenLimits
  scope: Scope | null
}

/** A problem for each of these settings that asks for more than there is. */
export function findLimitProblems(
  names: readonly CrawlSettingName[],
  { values, limits, scope }: RequestedSettings,
): FieldProblem[] {
  if (scope === 'admin') return []
  return TOKEN_LIMITS.flatMap(({ name, limit, isLeast, unit }) => {
    const bound = limits[limit]
    if (bound === null || !names.includes(name) || isWithin(values[name], bound, isLeast)) return []
    const given = values[name] === 'auto' ? `"auto", which may be ${AUTO_FLOOR_MS} ms` : `${values[name]}${unit}`
    const message = `A token of the scope crawl may ask for ${isLeast ? 'no less' : 'no more'} than ${bound}${unit} here (--${flagOf(limit)} of the server); it is ${given}.`
    return [{ field: `settings.${fileKeyOf(name)}`, message }]
  })
}

/** Clamps defaults to the ceilings; explicit values are left for `beyondCeilings` to reject. */
export function clampToLimits(
  given: readonly CrawlSettingName[],
  { values, limits, scope }: RequestedSettings,
): CrawlConfig {
  if (scope === 'admin') return values
  const lowered: Partial<Record<LimitedSetting, number>> = {}
  for (const { name, limit, isLeast } of TOKEN_LIMITS) {
    const bound = limits[limit]
    if (bound !== null && !given.includes(name) && !isWithin(values[name], bound, isLeast)) lowered[name] = bound
  }
  return { ...values, ...lowered }
}

function isWithin(value: number | 'auto', bound: number, isLeast: boolean): boolean {
  const asked = value === 'auto' ? AUTO_FLOOR_MS : value
  return isLeast ? asked >= bound : asked <= bound
}
