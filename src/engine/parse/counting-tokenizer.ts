// A tokenizer whose unfinished tag can be inspected: parse5 takes quadratic time for many attributes in one tag.

import { Tokenizer } from 'parse5'

export const MAX_ATTRIBUTES = 500
/** Characters to write at a time. The attributes of an unfinished tag are counted after each chunk. */
export const TOKENIZER_CHUNK = 4096

export class CountingTokenizer extends Tokenizer {
  get attributeCount(): number {
    const token = this.currentToken
    return token !== null && 'attrs' in token ? token.attrs.length : 0
  }
}
