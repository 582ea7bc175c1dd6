import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageVersion } from '../../ports/pages.ts'
import { splitContent } from './chunks.ts'
import { blocksOfMarkdown } from './page-content.ts'
import { pageMarkdown } from './page-markdown.ts'

const DOCUMENT = `# A *title*

One [link](b.md)
and two.

- item

      code


      # code

\`\`\`sh
# no heading

ls
\`\`\`

## Next
End
`

function markdownOf(version: Partial<PageVersion>, text: string): string {
  const about = { url: 'https://example.com/a', contentType: 'text/plain', ...version } as PageVersion
  return pageMarkdown({ html: null, text, version: about })
}

test('a document in Markdown stays as it is', () => {
  const contentTypes = ['text/markdown', 'text/markdown; charset=utf-8', 'text/x-markdown']
  for (const version of [
    ...contentTypes.map((contentType) => ({ contentType })),
    { url: 'https://example.com/README.md?x' },
  ]) {
    assert.equal(markdownOf(version, DOCUMENT), DOCUMENT)
  }
  assert.equal(markdownOf({}, '# a\nb'), '\\# a\n\nb\n')
})

test('chunks of a document in Markdown have its headings, and code stays code', () => {
  const chunks = splitContent(blocksOfMarkdown(DOCUMENT), 'https://example.com/a', 30)
  const code = chunks.find(({ markdown }) => markdown.includes('ls'))
  assert.equal(code?.markdown, '```sh\n# no heading\n\nls\n```')
  assert.deepEqual(chunks.at(-1)?.headings, ['A *title*', 'Next'])
})

test('code without an end, and code inside a list item, stay whole', () => {
  assert.deepEqual(
    blocksOfMarkdown('- a\n  ```\n  # b\n\n  c\n  ```\n\n~~~\n# d\n').map(({ lines }) => lines),
    [
      ['- a', '  ```', '  # b', '', '  c', '  ```'],
      ['~~~', '# d', ''],
    ],
  )
})

test('a fence of backticks has no backtick in the rest of its line', () => {
  const blocks = blocksOfMarkdown('```make``` builds.\n# a\n\n~~~ `b`\n# c\n~~~\n')
  assert.deepEqual(
    blocks.map(({ lines }) => lines),
    [['```make``` builds.'], ['# a'], ['~~~ `b`', '# c', '~~~']],
  )
})

test('there are no headings in front matter, comments and preformatted HTML', () => {
  const headings = (text: string) => blocksOfMarkdown(text).flatMap(({ heading }) => heading?.text ?? [])
  for (const text of [
    '---\ntitle: a\n# b\n---\n# c',
    '<!--\n# a\n\n# b\n-->\n# c',
    '<PRE class=x>\n\n# a\n</pre>\n# c',
    '<pre>a</pre>\n# c',
    '<!-- a -->\n# c',
    '---\n\n# c',
  ]) {
    assert.deepEqual(headings(text), ['c'], text)
  }
})
