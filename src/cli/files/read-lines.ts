import { createReadStream } from 'node:fs'
import { fileError } from './file-error.ts'

/** Yields the lines of a text file. Unlike node:readline, it does not split at U+2028, which JSON strings may contain. */
export async function* readLines(path: string): AsyncGenerator<string, void, undefined> {
  let rest = ''
  for await (const chunk of textChunks(path)) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

async function* textChunks(path: string): AsyncGenerator<string, void, undefined> {
  try {
    yield* createReadStream(path, { encoding: 'utf8', highWaterMark: 262_144 }) as AsyncIterable<string>
  } catch (cause) {
    throw fileError('read', path, cause)
  }
}
