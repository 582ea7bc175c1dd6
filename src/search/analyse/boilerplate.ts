// Reclassifies body blocks as boilerplate: lists of links, and lines that many pages of the host share.

import type { Block, BlockReader } from './block-reader.ts'

/** A block with a larger share of words in links is a list of links. */
const MAX_LINKED_SHARE = 0.6
/** A longer paragraph is not a menu; if it is repeated, it is probably a quotation. */
const MAX_REPEATED_WORDS = 60
/**
 * If less than this share of the words outside link lists would be left as body, the others are body as well: all lines
 * of the page are on other pages too, or its tags are unclosed. A short page may have a much longer menu.
 */
const MIN_BODY_SHARE = 0.1
/** A menu beside a short text has at least this share of words in links; text in a header or an aside has not. */
const MIN_MENU_SHARE = 0.2

/**
 * Changes the kind of blocks in place. A list of links is about other pages, even if there is nothing else on its page:
 * a table of contents must not be found instead of the chapter.
 */
export function markBoilerplate(
  { blocks, hasUnclosedBoilerplate }: Pick<BlockReader, 'blocks' | 'hasUnclosedBoilerplate'>,
  repeated: readonly number[],
): void {
  const isRepeated = new Set(repeated)
  let [own, shared, tagged] = [0, 0, 0]
  for (const block of blocks) {
    const words = block.end - block.start
    if (isLinkList(block)) block.kind = 'boilerplate'
    else if (block.kind === 'boilerplate') tagged += words
    else if (isRepeatedLine(block, isRepeated)) shared += words
    else own += words
  }
  const dropsRepeated = own >= shared * MIN_BODY_SHARE
  const body = dropsRepeated ? own : own + shared
  const dropsTagged = body >= tagged * MIN_BODY_SHARE
  const isMenu = ({ linkedWords, start, end }: Block) =>
    !hasUnclosedBoilerplate && body > 0 && linkedWords > (end - start) * MIN_MENU_SHARE
  for (const block of blocks) {
    if (isLinkList(block)) continue
    if (block.kind === 'boilerplate') block.kind = dropsTagged || isMenu(block) ? 'boilerplate' : 'body'
    else if (dropsRepeated && isRepeatedLine(block, isRepeated)) block.kind = 'boilerplate'
  }
}

/** Whether the block is short enough to be repeated on other pages. */
export function isShort({ start, end }: Block): boolean {
  return end - start <= MAX_REPEATED_WORDS
}

function isLinkList({ kind, start, end, linkedWords }: Block): boolean {
  return kind !== 'heading' && linkedWords > (end - start) * MAX_LINKED_SHARE
}

function isRepeatedLine(block: Block, repeated: ReadonlySet<number>): boolean {
  return block.kind === 'body' && isShort(block) && repeated.has(block.hash)
}
