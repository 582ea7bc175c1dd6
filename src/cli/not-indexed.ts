import type { Config } from '../config/schema.ts'
import { AppError } from '../lib/errors.ts'
import { commandLine } from './hint.ts'
import type { Io } from './io.ts'

export function notIndexed(config: Config, io: Io): AppError {
  const next = commandLine(io.program, 'index run', config)
  return new AppError('INDEX_OFF', `Nothing is indexed here yet. Run: ${next}`)
}
