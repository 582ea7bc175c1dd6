import { createReadStream } from 'node:fs'
import { fileError } from './file-error.ts'

/** The lines of a text file. Not node:readline, which also splits at U+2028 and so inside JSON strings. */
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
