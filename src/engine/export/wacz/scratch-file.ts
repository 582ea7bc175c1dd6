// A temporary file for what does not fit into memory. It has no name as soon as it is open, so that nothing is left
// behind, however the process ends.

import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { PRIVATE_FILE } from '../../../lib/private-files.ts'

export interface FileRange {
  start: number
  end: number
}

const READ_BYTES = 32 * 1024

export class ScratchFile {
  readonly #folder: string
  #handle: FileHandle | null = null
  #end = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  async append(text: string): Promise<FileRange> {
    this.#handle ??= await openUnnamed(this.#folder)
    const bytes = Buffer.from(text)
    const start = this.#end
    for (let done = 0; done < bytes.length; ) {
      done += (await this.#handle.write(bytes, done, bytes.length - done, start + done)).bytesWritten
    }
    this.#end = start + bytes.length
    return { start, end: this.#end }
  }

  async *read({ start, end }: FileRange): AsyncGenerator<Buffer> {
    for (let at = start; at < end; ) {
      const chunk = Buffer.allocUnsafe(Math.min(READ_BYTES, end - at))
      const bytesRead = (await this.#handle?.read(chunk, 0, chunk.length, at))?.bytesRead ?? 0
      if (bytesRead === 0) throw new Error('A temporary file is shorter than what was written to it.')
      yield chunk.subarray(0, bytesRead)
      at += bytesRead
    }
  }

  async *readLines(range: FileRange): AsyncGenerator<string> {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of this.read(range)) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      yield* lines
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close()
  }
}

async function openUnnamed(folder: string): Promise<FileHandle> {
  const path = join(folder, `orbweaver-${randomUUID()}`)
  const handle = await open(path, 'wx+', PRIVATE_FILE)
  await unlink(path)
  return handle
}
