// Follows the CNAME chain of a name. Address responses do not include it, so each alias is queried in turn.

export interface CnameChain {
  /** Names in order, without the queried name. */
  names: readonly string[]
  /** `cut`: it exceeds the depth or has a loop. `unknown`: not queried, pending, or failed. */
  end: 'whole' | 'cut' | 'unknown'
}

export const UNKNOWN_CHAIN: CnameChain = { names: [], end: 'unknown' }

export type CnameResult = { kind: 'alias'; target: string } | { kind: 'none' } | { kind: 'failed' }
export type QueryCname = (name: string, done: (cnameResult: CnameResult) => void) => void

/** Sends at most `maxDepth` + 1 queries: the last one tells a chain of exactly that length from a longer one. */
export function followCnames(
  start: { name: string; maxDepth: number },
  queryCname: QueryCname,
  done: (cnameChain: CnameChain) => void,
): void {
  const names: string[] = []
  const step = (from: string) =>
    queryCname(from, (cnameResult) => {
      if (cnameResult.kind === 'none') return done({ names, end: 'whole' })
      if (cnameResult.kind === 'failed') return done({ names, end: 'unknown' })
      const { target } = cnameResult
      if (names.length >= start.maxDepth || target === start.name || names.includes(target)) {
        return done({ names, end: 'cut' })
      }
      names.push(target)
      step(target)
    })
  step(start.name)
}
