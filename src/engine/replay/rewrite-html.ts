// An archived page as it is replayed: without scripts, forms and other active content, with links and parts that lead
// to archived copies. The rest is only made to work here; what it may do is decided by the content security policy of
// the response (api/auth/security-headers.ts), which applies even if a browser reads the page differently.

import { setImmediate as turn } from 'node:timers/promises'
import { type Token, type TokenHandler, TokenizerMode } from 'parse5'
import { escapeHtml } from '../../lib/escape-html.ts'
import { CountingTokenizer, MAX_ATTRIBUTES, TOKENIZER_CHUNK } from '../parse/counting-tokenizer.ts'
import { rewriteCssUrls } from '../parse/css-urls.ts'
import type { ReplayLinks } from './replay-links.ts'
import { rewriteAttributes } from './rewrite-attributes.ts'

/** Characters. Longer pages are not replayed. */
export const MAX_REPLAYED_LENGTH = 4 << 20
/** Chunks between two turns of the event loop: a few milliseconds. */
const CHUNKS_PER_TURN = 16

/** Elements that are left out with their text. */
const WITHOUT_CONTENT: ReadonlySet<string> = new Set(['script', 'noframes', 'noembed', 'xmp'])
/** Elements whose tags are left out while their content is shown. */
const WITHOUT_TAGS: ReadonlySet<string> = new Set([
  'applet',
  'base',
  'embed',
  'fencedframe',
  'form',
  'noscript',
  'object',
  'param',
  'plaintext',
  'portal',
])

const FOREIGN: ReadonlySet<string> = new Set(['math', 'svg'])

/** Null if the page is too long, or has too many attributes in one tag. */
export async function rewriteHtml(html: string, links: ReplayLinks): Promise<string | null> {
  if (html.length > MAX_REPLAYED_LENGTH) return null
  const writer = new ReplayWriter(links)
  let chunks = 0
  for (let start = 0; start < html.length; start += TOKENIZER_CHUNK) {
    if (!writer.write(html.slice(start, start + TOKENIZER_CHUNK))) return null
    chunks += 1
    if (chunks % CHUNKS_PER_TURN === 0) await turn()
  }
  return writer.end()
}

class ReplayWriter implements TokenHandler {
  readonly #links: ReplayLinks
  readonly #tokenizer: CountingTokenizer
  #html = ''
  /** The element whose text is being read, if the text is not written unchanged. */
  #rawElement: string | null = null
  #rawText = ''
  /** Open elements of SVG and MathML, where tags may close themselves. */
  #foreignDepth = 0

  constructor(links: ReplayLinks) {
    this.#links = links
    this.#tokenizer = new CountingTokenizer({}, this)
  }

  /** False if the page is given up. */
  write(chunk: string): boolean {
    this.#tokenizer.write(chunk, false)
    return this.#tokenizer.attributeCount <= MAX_ATTRIBUTES
  }

  end(): string {
    this.#tokenizer.write('', true)
    return this.#html
  }

  onStartTag(tag: Token.TagToken): void {
    const { tagName: name } = tag
    const isClosed = tag.selfClosing && this.#foreignDepth > 0
    if (FOREIGN.has(name) && !tag.selfClosing) this.#enterForeign(1)
    if (!isClosed) this.#switchMode(name)
    if (name === 'base') this.#setBase(tag)
    if (WITHOUT_CONTENT.has(name) || WITHOUT_TAGS.has(name)) return
    const attributes = rewriteAttributes(name, tag.attrs, this.#links)
    if (attributes === null) return
    this.#html += `<${name}${attributes}${tag.selfClosing ? '/' : ''}>`
  }

  onEndTag({ tagName: name }: Token.TagToken): void {
    if (FOREIGN.has(name) && this.#foreignDepth > 0) this.#enterForeign(-1)
    if (name === this.#rawElement) {
      if (name === 'style') this.#html += rewriteCssUrls(this.#rawText, (url) => this.#links.toPart(url))
      this.#rawElement = null
      this.#rawText = ''
    }
    if (!WITHOUT_CONTENT.has(name) && !WITHOUT_TAGS.has(name)) this.#html += `</${name}>`
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (this.#rawElement === null) this.#html += escapeHtml(chars)
    else if (this.#rawElement === 'style') this.#rawText += chars
  }

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token)
  }

  onDoctype({ name, publicId, systemId, forceQuirks }: Token.DoctypeToken): void {
    if (forceQuirks || name !== 'html') return
    const ids = publicId === null ? '' : ` PUBLIC "${escapeHtml(publicId)}" "${escapeHtml(systemId ?? '')}"`
    this.#html += `<!DOCTYPE html${ids}>`
  }

  onNullCharacter(): void {
    // Not written; comments neither.
  }

  onComment(): void {
    // May contain conditional scripts of old browsers.
  }

  onEof(): void {
    // Open elements end with the page.
  }

  #switchMode(name: string): void {
    if (name === 'title' || name === 'textarea') this.#tokenizer.state = TokenizerMode.RCDATA
    if (name !== 'style' && name !== 'iframe' && !WITHOUT_CONTENT.has(name)) return
    this.#rawElement = name
    this.#tokenizer.state = name === 'script' ? TokenizerMode.SCRIPT_DATA : TokenizerMode.RAWTEXT
  }

  #enterForeign(levels: 1 | -1): void {
    this.#foreignDepth += levels
    this.#tokenizer.inForeignNode = this.#foreignDepth > 0
  }

  #setBase({ attrs }: Token.TagToken): void {
    const href = attrs.find(({ name }) => name === 'href')?.value
    if (href !== undefined) this.#links.setBase(href)
  }
}
