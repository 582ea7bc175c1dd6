import { BLOCK_TAGS } from './element-names.ts'

const SLOTS = 256
// Names that share a slot are in one list.
const names: readonly (readonly string[])[] = fillSlots()

/** Whether a tag of this name ends a word of visible text. Runs for every tag, so it compares in place. */
export function isBlockTag(codes: Uint16Array, start: number, end: number): boolean {
  const slot = slotOf((codes[start] ?? 0) | 32, (codes[end - 1] ?? 0) | 32, end - start)
  for (const name of names[slot] ?? []) {
    if (name.length === end - start && isName(codes, start, name)) return true
  }
  return false
}

function fillSlots(): string[][] {
  const slots = Array.from({ length: SLOTS }, (): string[] => [])
  for (const name of BLOCK_TAGS) {
    slots[slotOf(name.charCodeAt(0), name.charCodeAt(name.length - 1), name.length)]?.push(name)
  }
  return slots
}

function slotOf(first: number, last: number, length: number): number {
  return (first * 5 + last * 14 + length * 33) & (SLOTS - 1)
}

function isName(codes: Uint16Array, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    const code = codes[start + i] ?? 0
    const wanted = name.charCodeAt(i)
    if (code !== wanted && (code < 65 || code > 90 || (code | 32) !== wanted)) return false
  }
  return true
}
