// The names a name stands for. An address answer does not tell them, so each is asked for in turn.

export interface CnameChain {
  /** In order, without the name that was asked for. */
  names: readonly string[]
  /** `cut`: it goes on past the depth, or in a circle. `unknown`: not asked, being asked, or not answered. */
  end: 'whole' | 'cut' | 'unknown'
}

export const UNKNOWN_CHAIN: CnameChain = { names: [], end: 'unknown' }

export type CnameResult = { kind: 'alias'; target: string } | { kind: 'none' } | { kind: 'failed' }
export type QueryCname = (name: string, done: (cnameResult: CnameResult) => void) => void

/** Asks at most `maxDepth` + 1 questions: the last tells a chain of just that length from a longer one. */
export function followCnames(
  start: { name: string; maxDepth: number },
  ask: QueryCname,
  done: (cnameChain: CnameChain) => void,
): void {
  const names: string[] = []
  const step = (from: string) =>
    ask(from, (cnameResult) => {
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
