// Writes the content of an element as Markdown blocks. Nested lists and quotes are indented up to a limit, since every
// level copies the lines inside; deeper ones continue at the last level.

import { BLOCK_TAGS } from '../../parse/element-names.ts'
import { formulaOf } from '../formula.ts'
import { attributeOf, childElements, isElement, type TreeElement, type TreeNode } from '../tree-nodes.ts'
import { codeLanguage, isLanguageLabel } from './code-language.ts'
import { doxygenCode } from './doxygen-code.ts'
import { codeBlock, escapeLineStart } from './escape-text.ts'
import { headingAnchor } from './heading-anchor.ts'
import { type InlineSettings, isLineNumber, linkAround, plainText, writeInline } from './write-inline.ts'
import { writeTable } from './write-table.ts'

export interface MarkdownBlock {
  lines: string[]
  /** Null if the block is not a heading. */
  heading: { level: number; text: string; anchor: string | null } | null
  isParagraph: boolean
}

const MAX_NESTING = 8
const LINE_BREAK = '\\'
const IMAGE = '!['

interface BlockSettings extends InlineSettings {
  /** Whether inline elements contain blocks; cached, so that nested elements are not searched again at every level. */
  hasBlocks: Map<TreeElement, boolean>
}

export function writeBlocks(nodes: readonly TreeNode[], settings: InlineSettings): MarkdownBlock[] {
  return new BlockWriter({ ...settings, hasBlocks: new Map() }, 0).write(nodes)
}

class BlockWriter {
  readonly #settings: BlockSettings
  readonly #nesting: number
  readonly #blocks: MarkdownBlock[] = []
  /** Inline nodes of the paragraph that is being collected. */
  #run: TreeNode[] = []
  /** Number of blocks that have the link around them. */
  #linked = 0

  constructor(settings: BlockSettings, nesting: number) {
    this.#settings = settings
    this.#nesting = nesting
  }

  write(nodes: readonly TreeNode[]): MarkdownBlock[] {
    this.#writeNodes(nodes)
    this.#endParagraph()
    return this.#blocks
  }

  #writeNodes(nodes: readonly TreeNode[]): void {
    for (const node of nodes) {
      if (!isElement(node)) this.#run.push(node)
      else if (this.#settings.dropped.has(node) || isLineNumber(node) || isLanguageLabel(node)) continue
      else if (isBlock(node)) {
        this.#endParagraph()
        this.#writeElement(node)
        this.#endParagraph()
      } else if (hasBlock(node, this.#settings.hasBlocks)) this.#writeAround(node)
      else this.#run.push(node)
    }
  }

  /** Writes an inline element that contains blocks. */
  #writeAround(element: TreeElement): void {
    const isLink = element.tagName === 'a' && attributeOf(element, 'href')?.startsWith('#') === false
    if (!isLink) return this.#writeNodes(element.childNodes)
    this.#endParagraph()
    const first = this.#blocks.length
    const linked = this.#linked
    this.#writeNodes(element.childNodes)
    this.#endParagraph()
    if (this.#linked === linked) this.#linkBlock(element, this.#blocks.slice(first))
  }

  /** Of several blocks in a link, the first heading has it, otherwise the first line of text. */
  #linkBlock(link: TreeElement, blocks: readonly MarkdownBlock[]): void {
    const block = blocks.find(({ heading }) => heading !== null) ?? blocks.find(isText)
    if (block === undefined) return
    const { heading, lines } = block
    const text = linkAround(heading?.text ?? lines.join(' '), link, this.#settings)
    block.lines = heading === null ? [text] : [headingLine(heading.level, text)]
    if (heading !== null) heading.text = text
    this.#linked += 1
  }

  #endParagraph(): void {
    if (this.#run.length === 0) return
    const lines = writeInline(this.#run, this.#settings)
    this.#run = []
    if (lines.length === 0) return
    const last = lines.length - 1
    this.#add(
      lines.map((line, i) => escapeLineStart(line) + (i < last ? LINE_BREAK : '')),
      true,
    )
  }

  #add(lines: string[], isParagraph = false): void {
    if (lines.length > 0) this.#blocks.push({ lines, heading: null, isParagraph })
  }

  #writeElement(element: TreeElement): void {
    switch (element.tagName) {
      case 'h1':
      case 'h2':
      case 'h3':
      case 'h4':
      case 'h5':
      case 'h6':
        this.#writeHeading(element, Number(element.tagName[1]))
        return
      case 'pre':
      case 'listing':
      case 'xmp':
      case 'plaintext':
        this.#writeCode(element)
        return
      case 'hr':
        this.#add(['---'])
        return
      case 'blockquote':
        this.#writeNested(element.childNodes, ['> ', '> '])
        return
      case 'ul':
      case 'ol':
      case 'menu':
      case 'dir':
        this.#writeList(element)
        return
      case 'dl':
        this.#writeDefinitions(element)
        return
      case 'table':
        this.#writeTable(element)
        return
      default:
        this.#writeOther(element)
    }
  }

  #writeOther(element: TreeElement): void {
    const code = doxygenCode(element, this.#settings.dropped)
    if (code !== null) this.#add(codeBlock(code, ''))
    else if (formulaOf(element) === null) this.#writeNodes(element.childNodes)
    else this.#run.push(element)
  }

  #writeHeading(element: TreeElement, level: number): void {
    const text = writeInline([element], this.#settings).join(' ')
    if (text === '') return
    const heading = { level, text, anchor: headingAnchor(element) }
    this.#blocks.push({ lines: [headingLine(level, text)], heading, isParagraph: false })
  }

  #writeCode(element: TreeElement): void {
    const text = plainText(element, this.#settings.dropped)
    if (text.trim() !== '') this.#add(codeBlock(text, codeLanguage(element)))
  }

  /** Adds the blocks of a list item or quote. `prefixes` are the prefix of its first line and that of the others. */
  #writeNested(nodes: readonly TreeNode[], prefixes: [first: string, others: string]): void {
    if (this.#nesting >= MAX_NESTING) {
      this.#writeNodes(nodes)
      this.#endParagraph()
      return
    }
    const blocks = new BlockWriter(this.#settings, this.#nesting + 1).write(nodes)
    this.#add(prefixLines(joinBlocks(blocks, isTight(blocks)), prefixes))
  }

  #writeList(list: TreeElement): void {
    if (this.#nesting >= MAX_NESTING) return this.#writeNodes(list.childNodes)
    let number = list.tagName === 'ol' ? startOf(list) : null
    const items: string[][] = []
    let isTightList = true
    for (const item of listItems(list)) {
      const blocks = new BlockWriter(this.#settings, this.#nesting + 1).write(item)
      if (blocks.length === 0) continue
      const marker = number === null ? '- ' : `${number++}. `
      const isTightItem = isTight(blocks)
      isTightList &&= isTightItem
      items.push(prefixLines(joinBlocks(blocks, isTightItem), [marker, ' '.repeat(marker.length)]))
    }
    this.#add(joinLines(items, isTightList))
  }

  /** A list of terms, each followed by its definitions. */
  #writeDefinitions(list: TreeElement): void {
    if (this.#nesting >= MAX_NESTING) return this.#writeNodes(list.childNodes)
    const items: string[][] = []
    let isTightList = true
    for (const { term, definitions } of definitionGroups(list)) {
      const terms = new BlockWriter(this.#settings, this.#nesting + 1).write(term)
      const blocks = new BlockWriter(this.#settings, this.#nesting + 1).write(definitions)
      const both = [...terms.map(emphasise), ...blocks]
      if (both.length === 0) continue
      const isShort = terms.length === 1 && blocks.length === 1 && both.every(isOneLine)
      const lines = isShort ? [`${both[0]?.lines[0]}: ${both[1]?.lines[0]}`] : joinBlocks(both, isTight(both))
      isTightList &&= isShort || isTight(both)
      items.push(prefixLines(lines, ['- ', '  ']))
    }
    this.#add(joinLines(items, isTightList))
  }

  #writeTable(table: TreeElement): void {
    const lines = writeTable(table, this.#settings, (nodes) =>
      new BlockWriter(this.#settings, MAX_NESTING).write(nodes),
    )
    if (lines === null) this.#writeNodes(table.childNodes)
    else {
      for (const caption of childElements(table)) {
        if (caption.tagName === 'caption') this.#writeNodes(caption.childNodes)
      }
      this.#endParagraph()
      this.#add(lines)
    }
  }
}

/** The lines of blocks, with an empty line between two of them unless they belong to a tight list. */
export function joinBlocks(blocks: readonly MarkdownBlock[], isTightJoin = false): string[] {
  return joinLines(
    blocks.map(({ lines }) => lines),
    isTightJoin,
  )
}

function joinLines(parts: readonly string[][], isTightJoin: boolean): string[] {
  const lines: string[] = []
  for (const part of parts) {
    if (lines.length > 0 && !isTightJoin) lines.push('')
    for (const line of part) lines.push(line)
  }
  return lines
}

function prefixLines(lines: readonly string[], [first, others]: [string, string]): string[] {
  return lines.map((line, i) => `${i === 0 ? first : others}${line}`.trimEnd())
}

/** Whether an item is one paragraph, perhaps with a list below it. */
function isTight(blocks: readonly MarkdownBlock[]): boolean {
  const [first, second, ...others] = blocks
  if (others.length > 0) return false
  return second === undefined || (first?.isParagraph === true && /^(?:[-] |\d+\. )/.test(second.lines[0] ?? ''))
}

function headingLine(level: number, text: string): string {
  return `${'#'.repeat(level)} ${text}`
}

function isText(block: MarkdownBlock): boolean {
  return isOneLine(block) && block.lines[0]?.startsWith(IMAGE) === false
}

function isOneLine({ lines, isParagraph }: MarkdownBlock): boolean {
  return lines.length === 1 && isParagraph
}

/** Makes a term bold, unless it contains emphasis already. */
function emphasise(block: MarkdownBlock): MarkdownBlock {
  const [line = ''] = block.lines
  return isOneLine(block) && !/[*`\\]/.test(line) ? { ...block, lines: [`**${line}**`] } : block
}

/** The nodes of each item. Content between items becomes an item, except for lists, which belong to the item before. */
function listItems({ childNodes }: TreeElement): TreeNode[][] {
  const items: TreeNode[][] = []
  for (const node of childNodes) {
    const last = items.at(-1)
    if (isElement(node) && node.tagName === 'li') items.push([...node.childNodes])
    else if (last !== undefined && isElement(node) && isList(node)) last.push(node)
    else items.push([node])
  }
  return items
}

function isList({ tagName }: TreeElement): boolean {
  return tagName === 'ul' || tagName === 'ol'
}

const MAX_START = 1_000_000

function startOf(list: TreeElement): number {
  const start = Number(attributeOf(list, 'start') ?? 1)
  return Number.isInteger(start) && start >= 0 && start <= MAX_START ? start : 1
}

interface DefinitionGroup {
  term: TreeNode[]
  definitions: TreeNode[]
}

function definitionGroups(list: TreeElement): DefinitionGroup[] {
  const groups: DefinitionGroup[] = []
  const parts = childElements(list).flatMap((child) => (child.tagName === 'div' ? childElements(child) : [child]))
  for (const part of parts) {
    const last = groups.at(-1)
    if (part.tagName === 'dt' && (last === undefined || last.definitions.length > 0)) {
      groups.push({ term: [part], definitions: [] })
    } else if (last === undefined) groups.push({ term: [], definitions: [part] })
    else (part.tagName === 'dt' ? last.term : last.definitions).push(part)
  }
  return groups
}

const INLINE_BLOCKS: ReadonlySet<string> = new Set(['br', 'button', 'canvas', 'object', 'select', 'option', 'optgroup'])

function isBlock({ tagName }: TreeElement): boolean {
  return BLOCK_TAGS.has(tagName) && !INLINE_BLOCKS.has(tagName)
}

function hasBlock(element: TreeElement, known: BlockSettings['hasBlocks']): boolean {
  const before = known.get(element)
  if (before !== undefined) return before
  const has = childElements(element).some((child) => isBlock(child) || hasBlock(child, known))
  known.set(element, has)
  return has
}
