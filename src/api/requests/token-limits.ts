// The limits that the operator sets for tokens with the scope `crawl`. They do not apply to admins.

import type { CrawlConfig, CrawlSettingName } from '../../config/crawl-settings.ts'
import { type Config, fileKeyOf, flagOf } from '../../config/schema.ts'
import { AUTO_FLOOR_MS } from '../../engine/politeness/gap.ts'
import type { Scope } from '../contract/route.ts'
import type { FieldProblem } from './request-error.ts'

export type TokenLimits = Pick<Config, 'tokenMinDelay' | 'tokenMaxConcurrency' | 'tokenMaxPerHost' | 'tokenMaxBody'>

type LimitedSetting = 'delay' | 'concurrency' | 'perHost' | 'maxBody'

const TOKEN_LIMITS: readonly { name: LimitedSetting; limit: keyof TokenLimits; isMinimum: boolean; unit: string }[] = [
  { name: 'delay', limit: 'tokenMinDelay', isMinimum: true, unit: ' ms' },
  { name: 'concurrency', limit: 'tokenMaxConcurrency', isMinimum: false, unit: '' },
  { name: 'perHost', limit: 'tokenMaxPerHost', isMinimum: false, unit: '' },
  { name: 'maxBody', limit: 'tokenMaxBody', isMinimum: false, unit: ' bytes' },
]

interface RequestedSettings {
  values: CrawlConfig
  limits: TokenLimits
  scope: Scope | null
}

/** Returns one problem per setting that exceeds its limit. */
export function findLimitProblems(
  names: readonly CrawlSettingName[],
  { values, limits, scope }: RequestedSettings,
): FieldProblem[] {
  if (scope === 'admin') return []
  return TOKEN_LIMITS.flatMap(({ name, limit, isMinimum, unit }) => {
    const bound = limits[limit]
    if (bound === null || !names.includes(name) || isWithin(values[name], bound, isMinimum)) return []
    const requested = values[name] === 'auto' ? `"auto", which may be ${AUTO_FLOOR_MS} ms` : `${values[name]}${unit}`
    const message = `Tokens with crawl scope may use ${isMinimum ? 'no less' : 'no more'} than ${bound}${unit} (--${flagOf(limit)} of the server), not ${requested}.`
    return [{ field: `settings.${fileKeyOf(name)}`, message }]
  })
}

/** Clamps defaults to the limits; `findLimitProblems` rejects explicit values. */
export function clampToLimits(
  explicitNames: readonly CrawlSettingName[],
  { values, limits, scope }: RequestedSettings,
): CrawlConfig {
  if (scope === 'admin') return values
  const clamped: Partial<Record<LimitedSetting, number>> = {}
  for (const { name, limit, isMinimum } of TOKEN_LIMITS) {
    const bound = limits[limit]
    if (bound !== null && !explicitNames.includes(name) && !isWithin(values[name], bound, isMinimum))
      clamped[name] = bound
  }
  return { ...values, ...clamped }
}

function isWithin(value: number | 'auto', bound: number, isMinimum: boolean): boolean {
  const effective = value === 'auto' ? AUTO_FLOOR_MS : value
  return isMinimum ? effective >= bound : effective <= bound
}
