// The bytes of one segment: a file, or an object.

import type { FileHandle } from 'node:fs/promises'
import type { SegmentObjects } from './objects/segment-objects.ts'
import { isMissingSegment, openSegment, readAt } from './segment-files.ts'

export interface SegmentSource {
  /** Size in bytes when it was opened. */
  size: number
  /** Fewer bytes only at the end. */
  read(offset: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

export async function fileSource(handle: FileHandle): Promise<SegmentSource> {
  const { size } = await handle.stat()
  return { size, read: (offset, length) => readAt(handle, offset, length), close: () => handle.close() }
}

export async function openFile(dir: string, segment: string): Promise<SegmentSource> {
  return fileSource(await openSegment(dir, segment))
}

export function objectSource(objects: SegmentObjects, segment: string, size: number): SegmentSource {
  return { size, read: (offset, length) => objects.read(segment, offset, length), close: async () => undefined }
}

/** Opens the file of the segment if there is one, otherwise its object. */
export async function openSource(dir: string, segment: string, objects: SegmentObjects | null): Promise<SegmentSource> {
  try {
    return await openFile(dir, segment)
  } catch (error) {
    const size = objects !== null && isMissingSegment(error) ? await objects.sizeOf(segment) : null
    if (objects === null || size === null) throw error
    return objectSource(objects, segment, size)
  }
}
