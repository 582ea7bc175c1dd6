// Writes an export to a file, atomically, or to a stream such as standard output.

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

/** Pipes and devices are no files that could be lost. */
export async function refuseExistingFile(path: string): Promise<void> {
  const info = await nameFileInErrors(path, stat(path).catch(nullIfMissing))
  if (info?.isFile() !== true) return
  throw new AppError('FILE_UNREADABLE', `${path} exists. Choose another file, or overwrite it with --force.`)
}

async function writeToFile(chunks: AsyncIterable<string | Buffer>, path: string): Promise<void> {
  const fileTarget = await resolveTarget(path)
  // Pipes and devices (/dev/null, /dev/stdout) are written in place; a rename would replace them.
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

/** Resolves symbolic links, so that the target is replaced and not the link, and keeps the mode of an existing file. */
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
  /** The path as typed by the user, for messages. */
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

/** Wraps file errors with the path; errors of the source pass through unchanged. */
async function nameFileInErrors<T>(path: string, operation: Promise<T>): Promise<T> {
  try {
    return await operation
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
      const isTerminalText = stream.isTTY === true && typeof chunk === 'string'
      await writeAndWait(stream, isTerminalText ? printable(chunk) : chunk)
    }
  } catch (error) {
    const code = errorCode(error)
    // The reader has gone, as with `head`: not an error.
    if (code !== 'EPIPE' && code !== 'ERR_STREAM_DESTROYED') throw error
    broken = true
  } finally {
    // A broken stream emits its error again after the write, so the listener must stay.
    if (!broken) stream.off('error', onError)
  }
}

/** Waits for each write, so that a slow reader applies backpressure. */
function writeAndWait(stream: Writable, chunk: string | Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
}

/** Removes control characters for terminals. Files and pipes get every character. */
function printable(text: string): string {
  return text.replace(/[[\p{Cc}\p{Cf}]--[\t\r\n]]/gv, '\ufffd')
}
