// Arguments that a command cannot do without; asked for before anything is opened.

import { AppError } from '../lib/errors.ts'
import { commandLine, type Place } from './hint.ts'
import type { Io } from './io.ts'

export function requiredId([id]: string[], place: Place, { program }: Io): string {
  if (id !== undefined) return id
  throw new AppError('USAGE', `Name a crawl by its id. List them with: ${commandLine(program, 'crawls', place)}`)
}

export function requiredUrl([url]: string[], command: string, { program }: Io): string {
  if (url !== undefined) return url
  throw new AppError('USAGE', `Name a url, for example: ${program} ${command} https://example.com/`)
}
