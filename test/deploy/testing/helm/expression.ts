// Parses the Go template expressions that the chart uses: fields, variables, literals, calls and pipes.

export type Expression =
  | { kind: 'literal'; value: string | number }
  /** `root` is '' for the dot, or a variable with its $. */
  | { kind: 'field'; root: string; path: string[] }
  | { kind: 'call'; name: string; args: Expression[] }

const TOKEN = /\s*(?:("(?:[^"\\]|\\.)*")|(\d+)|(\$\w*(?:\.\w+)*)|(\.(?:\w+(?:\.\w+)*)?)|([A-Za-z]\w*)|([()|]))/y

type Kind = 'string' | 'number' | 'variable' | 'dot' | 'word' | 'mark'
interface Token {
  kind: Kind
  text: string
}

const KINDS: Kind[] = ['string', 'number', 'variable', 'dot', 'word', 'mark']

export function parseExpression(source: string): Expression {
  const tokens = tokensOf(source)
  const expression = readPipe(tokens)
  if (tokens.length > 0) throw new Error(`not understood: ${source}`)
  return expression
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  const text = source.trimEnd()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex
    const groups = TOKEN.exec(text)?.slice(1)
    const index = groups?.findIndex((group) => group !== undefined) ?? -1
    const kind = KINDS[index]
    if (kind === undefined) throw new Error(`not understood from "${text.slice(at)}": ${source}`)
    tokens.push({ kind, text: groups?.[index] ?? '' })
  }
  return tokens
}

/** The value before a pipe is the last argument of the call after it. */
function readPipe(tokens: Token[]): Expression {
  let value = readCommand(tokens, [])
  while (tokens[0]?.text === '|') {
    tokens.shift()
    value = readCommand(tokens, [value])
  }
  return value
}

function readCommand(tokens: Token[], piped: Expression[]): Expression {
  const first = tokens.shift()
  if (first?.kind !== 'word') {
    if (piped.length > 0) throw new Error(`a value cannot be piped into "${first?.text ?? ''}"`)
    return readTerm(first, tokens)
  }
  const args: Expression[] = []
  while (tokens[0] !== undefined && tokens[0].text !== '|' && tokens[0].text !== ')') {
    args.push(readTerm(tokens.shift(), tokens))
  }
  return { kind: 'call', name: first.text, args: [...args, ...piped] }
}

function readTerm(token: Token | undefined, tokens: Token[]): Expression {
  switch (token?.kind) {
    case 'string':
      return { kind: 'literal', value: JSON.parse(token.text) as string }
    case 'number':
      return { kind: 'literal', value: Number(token.text) }
    case 'variable': {
      const [root = '$', ...path] = token.text.split('.')
      return { kind: 'field', root, path }
    }
    case 'dot':
      return { kind: 'field', root: '', path: token.text.split('.').filter((step) => step !== '') }
    case 'word':
      return { kind: 'call', name: token.text, args: [] }
    case 'mark': {
      if (token.text !== '(') break
      const inner = readPipe(tokens)
      if (tokens.shift()?.text !== ')') throw new Error('a parenthesis is not closed')
      return inner
    }
  }
  throw new Error(`"${token?.text ?? ''}" cannot stand here`)
}
