// Two versions of a line that differ only in numbers have the same shape.

import { textHash } from '../../search/text-hash.ts'

const NUMBER = /\d(?:[.,\u00a0 ]?\d)*/g

/** The line without numbers. */
export function lineShape(line: string): string {
  return line.replace(NUMBER, '0')
}

/** A short name of a shape, to recognise it later. */
export function shapeKey(...shapes: string[]): string {
  return textHash(shapes.join('\n')).toString(36)
}
