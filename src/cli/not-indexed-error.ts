import type { Config } from '../config/schema.ts'
import { AppError } from '../lib/errors.ts'
import { formatCommand } from './format/format-command.ts'
import type { Io } from './io.ts'

export function notIndexedError(config: Config, io: Io): AppError {
  const next = formatCommand(io.program, 'index run', config)
  return new AppError('INDEX_OFF', `Nothing is indexed yet. Run: ${next}`)
}
