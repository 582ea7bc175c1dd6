// Required arguments, checked before anything is opened.

import { AppError } from '../lib/errors.ts'
import { formatCommand, type StoreLocation } from './format/format-command.ts'
import type { Io } from './io.ts'

export function requireCrawlId([id]: string[], storeLocation: StoreLocation, { program }: Io): string {
  if (id !== undefined) return id
  throw new AppError(
    'USAGE',
    `Give the id of a crawl. List crawls with: ${formatCommand(program, 'crawls', storeLocation)}`,
  )
}

export function requireWorkerId([id]: string[], storeLocation: StoreLocation, { program }: Io): string {
  if (id !== undefined) return id
  throw new AppError(
    'USAGE',
    `Give the id of a worker. List workers with: ${formatCommand(program, 'workers', storeLocation)}`,
  )
}

export function requireUrl([url]: string[], command: string, { program }: Io): string {
  if (url !== undefined) return url
  throw new AppError('USAGE', `Give a URL, for example: ${program} ${command} https://example.com/`)
}
