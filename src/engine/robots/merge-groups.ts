import type { RobotsFile, RobotsProduct, RobotsRule } from './parse-robots.ts'
import { ANY_AGENT, candidateTokens } from './product-token.ts'

export interface MergedGroup {
  rules: RobotsRule[]
  group: string | null
  crawlDelayMs: number | null
}

/** All groups of the most specific name in the file that matches this crawler, merged (RFC 9309 2.2.1). */
export function mergeGroups(file: RobotsFile, product: string): MergedGroup {
  for (const token of candidateTokens(product)) {
    const isOurs = (one: RobotsProduct) => one.token === token
    const groups = file.groups.filter(({ products }) => products.some(isOurs))
    const ours = groups.flatMap(({ products }) => products.filter(isOurs))
    const [first] = ours
    if (first === undefined) continue
    return {
      rules: groups.flatMap(({ rules }) => rules),
      group: token === ANY_AGENT ? ANY_AGENT : first.name,
      crawlDelayMs: ours.reduce(longerDelay, null),
    }
  }
  return { rules: [], group: null, crawlDelayMs: null }
}

function longerDelay(delayMs: number | null, { crawlDelayMs }: RobotsProduct): number | null {
  return delayMs === null || (crawlDelayMs !== null && crawlDelayMs > delayMs) ? crawlDelayMs : delayMs
}
