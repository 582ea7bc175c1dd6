// The segments that a moved store points at, in the archive folder that it will be read with. A closed segment never
// changes, so both folders can share one file; one that a dead process left open may yet be cut, and is copied.

import { constants, existsSync, realpathSync } from 'node:fs'
import { chmod, copyFile, link, open, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { listSegments, OPEN_SUFFIX, syncFolder } from '../archive/segment-files.ts'
import { makePrivateFolder, PRIVATE_FILE } from '../lib/private-files.ts'

export interface CopiedSegments {
  /** Both stores have the same folder. */
  isSameFolder: boolean
  linked: number
  copied: number
  copiedBytes: number
}

export function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path)
}

/** Those of the names that have no file in the folder. */
export async function findMissingSegments(folder: string, names: string[]): Promise<string[]> {
  const there = new Set((await listSegments(folder)).map(({ name }) => name))
  return names.filter((name) => !there.has(name))
}

/** What is there already stays: it was carried by a move that was cut off. */
export async function copySegments(from: string, to: string, names: string[]): Promise<CopiedSegments> {
  const carried: CopiedSegments = { isSameFolder: false, linked: 0, copied: 0, copiedBytes: 0 }
  const wanted = new Set(names)
  const segments = (await listSegments(from)).filter(({ name }) => wanted.has(name))
  if (segments.length === 0) return carried
  if (realPath(from) === realPath(to)) return { ...carried, isSameFolder: true }
  makePrivateFolder(to)
  for (const { name, isOpen } of segments) {
    const target = join(to, name)
    if (!isOpen) {
      // Of a move that was cut off before the segment was closed.
      await rm(target + OPEN_SUFFIX, { force: true })
      if (existsSync(target)) continue
      if (await tryHardLink(join(from, name), target)) {
        carried.linked += 1
        continue
      }
    }
    const suffix = isOpen ? OPEN_SUFFIX : ''
    carried.copiedBytes += await copyDurably(join(from, name + suffix), target + suffix)
    carried.copied += 1
  }
  await syncFolder(to)
  return carried
}

/** False where the two folders cannot share a file: on two disks, or on a file system without links. */
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

/** Under another name until it is whole and on disk. Answers how many bytes. */
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
