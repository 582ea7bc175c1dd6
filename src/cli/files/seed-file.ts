// Reads start URLs from a seed file or object: one per line with # comments, or a JSON array.

import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { SeedInput } from '../../engine/crawl/plan/seeds.ts'
import { AppError } from '../../lib/errors.ts'
import { isS3Url, readS3Object } from './s3-object.ts'

export interface SeedSources {
  stdin: Readable
  env: NodeJS.ProcessEnv
}

/** `path` is a file, an object such as s3://bucket/key, or - for standard input. */
export async function readSeedFile(path: string, sources: SeedSources): Promise<SeedInput[]> {
  let content = await readContent(path, sources)
  content = content.replace(/^\uFEFF/, '')
  const seeds = content.trimStart().startsWith('[') ? parseJsonSeeds(content, path) : parseLines(content, path)
  if (seeds.length === 0) throw new AppError('BAD_SEED', `The seed file ${path} contains no URLs.`)
  return seeds
}

async function readContent(path: string, { stdin, env }: SeedSources): Promise<string> {
  if (isS3Url(path)) return readS3Object(path, env)
  try {
    return path === '-' ? await text(stdin) : await readFile(path, 'utf8')
  } catch (cause) {
    throw new AppError('FILE_UNREADABLE', `Cannot read the seed file ${path}.`, { cause })
  }
}

function parseLines(content: string, path: string): SeedInput[] {
  return content
    .split(/\r?\n/)
    .map((line, i) => ({ text: line.trim(), place: `${path}, line ${i + 1}` }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
}

function parseJsonSeeds(content: string, path: string): SeedInput[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(content)
  } catch (cause) {
    throw new AppError('BAD_SEED', `The seed file ${path} starts like a JSON array but is not valid JSON.`, { cause })
  }
  if (Array.isArray(parsed) && parsed.every((entry) => typeof entry === 'string')) {
    return parsed.map((text, i) => ({ text, place: `${path}, entry ${i + 1}` }))
  }
  throw new AppError('BAD_SEED', `The seed file ${path} must be a JSON array of strings.`)
}
