// Brings an export to its place: a file that appears whole or not at all, or a stream such as standard output.

import { randomBytes } from 'node:crypto'
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { AppError } from '../../lib/errors.ts'
import { errorCode, fileError } from './file-error.ts'

export type WriteTarget = string | (Writable & { isTTY?: boolean })

export async function writeChunks(chunks: AsyncIterable<string | Buffer>, writeTarget: WriteTarget): Promise<void> {
  if (typeof writeTarget === 'string') await writeToFile(chunks, writeTarget)
  else await writeToStream(chunks, writeTarget)
}

async function writeToFile(chunks: AsyncIterable<string | Buffer>, path: string): Promise<void> {
  const fileTarget = await resolveTarget(path)
  // Pipes and devices (/dev/null, /dev/stdout) must be written to; renaming a file over them would replace them.
  if (fileTarget.kind === 'special') {
    const handle = await nameFileInErrors(path, open(path, 'w'))
    return writeAll(chunks, { path, handle, durable: false })
  }
  const temporary = join(dirname(fileTarget.real), `.orbweaver-${randomBytes(6).toString('hex')}.part`)
  const handle = await nameFileInErrors(path, open(temporary, 'wx', fileTarget.mode))
  try {
    await writeAll(chunks, { path, handle, durable: true })
    await nameFileInErrors(path, rename(temporary, fileTarget.real))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

type FileTarget = { kind: 'file'; real: string; mode: number } | { kind: 'special' }

/** Follows links, so that the file behind one is replaced and not the link; keeps the mode of a file that is there. */
async function resolveTarget(path: string): Promise<FileTarget> {
  const info = await nameFileInErrors(path, stat(path).catch(nullIfMissing))
  if (info === null) return { kind: 'file', real: path, mode: 0o666 }
  if (info.isDirectory()) throw new AppError('FILE_UNREADABLE', `Cannot write ${path}: it is a directory.`)
  if (!info.isFile()) return { kind: 'special' }
  return { kind: 'file', real: await nameFileInErrors(path, realpath(path)), mode: info.mode & 0o777 }
}

function nullIfMissing(error: unknown): null {
  if (errorCode(error) === 'ENOENT') return null
  throw error
}

interface OutputFile {
  /** As the user wrote it, for messages. */
  path: string
  handle: FileHandle
  durable: boolean
}

async function writeAll(chunks: AsyncIterable<string | Buffer>, out: OutputFile): Promise<void> {
  try {
    for await (const chunk of chunks) await nameFileInErrors(out.path, out.handle.writeFile(chunk))
    if (out.durable) await nameFileInErrors(out.path, out.handle.sync())
  } finally {
    await out.handle.close()
  }
}

/** Errors of the file become sentences that name it; errors of the source pass as they are. */
async function nameFileInErrors<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw fileError('write', path, error)
  }
}

async function writeToStream(
  chunks: AsyncIterable<string | Buffer>,
  stream: Writable & { isTTY?: boolean },
): Promise<void> {
  let broken = false
  const onError = () => {
    broken = true
  }
  stream.on('error', onError)
  try {
    for await (const chunk of chunks) {
      const isForEyes = stream.isTTY === true && typeof chunk === 'string'
      await writeAndWait(stream, isForEyes ? printable(chunk) : chunk)
    }
  } catch (error) {
    const code = errorCode(error)
    // The reader went away, as `head` does: there is nobody left to tell.
    if (code !== 'EPIPE' && code !== 'ERR_STREAM_DESTROYED') throw error
    broken = true
  } finally {
    // A broken stream reports its error once more after the write; that report still needs a listener.
    if (!broken) stream.off('error', onError)
  }
}

/** Waits for each chunk, so that a slow reader slows the source down. */
function writeAndWait(stream: Writable, chunk: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
}

/** For a terminal only: a title must not be able to steer it. Files and pipes get every character. */
function printable(text: string): string {
  return text.replace(/[[\p{Cc}\p{Cf}]--[\t\r\n]]/gv, '\ufffd')
}
