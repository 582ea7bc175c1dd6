// Copies the segments that a moved store refers to into its archive folder. Closed segments never change, so they are
// hard-linked; a segment left open by a dead process may still be truncated, so it is copied.

import { constants, existsSync, realpathSync } from 'node:fs'
import { chmod, copyFile, link, open, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { listSegments, OPEN_SUFFIX, syncFolder } from '../archive/segment-files.ts'
import { makePrivateFolder, PRIVATE_FILE } from '../lib/private-files.ts'

export interface CopiedSegments {
  /** Both stores use the same folder. */
  isSameFolder: boolean
  linked: number
  copied: number
  copiedBytes: number
}

export function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path)
}

/** The names without a file in the folder. */
export async function findMissingSegments(folder: string, names: string[]): Promise<string[]> {
  const existing = new Set((await listSegments(folder)).map(({ name }) => name))
  return names.filter((name) => !existing.has(name))
}

/** Keeps existing files: an interrupted move has copied them. */
export async function copySegments(from: string, to: string, names: string[]): Promise<CopiedSegments> {
  const result: CopiedSegments = { isSameFolder: false, linked: 0, copied: 0, copiedBytes: 0 }
  const needed = new Set(names)
  const segments = (await listSegments(from)).filter(({ name }) => needed.has(name))
  if (segments.length === 0) return result
  if (realPath(from) === realPath(to)) return { ...result, isSameFolder: true }
  makePrivateFolder(to)
  for (const { name, isOpen } of segments) {
    const target = join(to, name)
    if (!isOpen) {
      // Left by a move that was interrupted before the segment was closed.
      await rm(target + OPEN_SUFFIX, { force: true })
      if (existsSync(target)) continue
      if (await tryHardLink(join(from, name), target)) {
        result.linked += 1
        continue
      }
    }
    const suffix = isOpen ? OPEN_SUFFIX : ''
    result.copiedBytes += await copyDurably(join(from, name + suffix), target + suffix)
    result.copied += 1
  }
  await syncFolder(to)
  return result
}

/** False if the folders cannot share a file: different disks, or a file system without hard links. */
async function tryHardLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'EXDEV' || code === 'EPERM' || code === 'ENOTSUP' || code === 'EMLINK') return false
    throw error
  }
}

/** Copies under a temporary name until the data is on disk. Returns the size in bytes. */
async function copyDurably(from: string, to: string): Promise<number> {
  const part = `${to}.part`
  await copyFile(from, part, constants.COPYFILE_FICLONE)
  await chmod(part, PRIVATE_FILE)
  const handle = await open(part, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(part, to)
  return (await stat(to)).size
}
