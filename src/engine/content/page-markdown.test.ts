import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageVersion } from '../../ports/pages.ts'
import { splitContent } from './chunks.ts'
import { contentOfMarkdown } from './page-content.ts'
import { pageMarkdown } from './page-markdown.ts'

const DOCUMENT = `# A *title*

One [link](b.md)
and two.

- item

      code

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
    assert.equal(markdownOf(version, DOCUMENT), DOCUMENT.replace('## Next\n', '## Next\n\n'))
  }
  assert.equal(markdownOf({}, '# a\nb'), '\\# a\n\nb\n')
})

test('chunks of a document in Markdown have its headings, and code stays code', () => {
  const chunks = splitContent(contentOfMarkdown(DOCUMENT), 'https://example.com/a', 30)
  const code = chunks.find(({ markdown }) => markdown.includes('ls'))
  assert.equal(code?.markdown, '```sh\n# no heading\n\nls\n```')
  assert.deepEqual(chunks.at(-1)?.headings, ['A *title*', 'Next'])
})

test('code without an end, and code inside a list item, stay whole', () => {
  assert.deepEqual(
    contentOfMarkdown('- a\n  ```\n  # b\n\n  c\n  ```\n\n~~~\n# d\n').map(({ lines }) => lines),
    [
      ['- a', '  ```', '  # b', '', '  c', '  ```'],
      ['~~~', '# d', ''],
    ],
  )
})
