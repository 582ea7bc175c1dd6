import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatDefinition, wrapText } from './wrap-text.ts'

describe('a paragraph', () => {
  it('is broken at blanks, and fills its lines', () => {
    assert.deepEqual(wrapText('aa bb ccc d', 5), ['aa bb', 'ccc d'])
    assert.deepEqual(wrapText('aa bb', 80), ['aa bb'])
  })

  it('is measured as it is seen', () => {
    assert.deepEqual(wrapText('\u001b[1maa\u001b[22m bb', 5), ['\u001b[1maa\u001b[22m bb'])
    assert.deepEqual(wrapText('日本 bb', 6), ['日本', 'bb'])
  })

  it('keeps a word that is longer than a line', () => {
    assert.deepEqual(wrapText('a bbbbbbbb c', 4), ['a', 'bbbbbbbb', 'c'])
  })
})

describe('a term with its meaning', () => {
  it('has the meaning beside it, in a column', () => {
    assert.deepEqual(
      formatDefinition('resume [id]', 'Go on with an unfinished crawl, the newest one or another.', 60),
      [
        '  resume [id]               Go on with an unfinished crawl,',
        '                            the newest one or another.',
      ],
    )
  })

  it('has the meaning below when it is too long', () => {
    assert.deepEqual(formatDefinition('index <status|run|rebuild>', 'Fill it.', 80), [
      '  index <status|run|rebuild>',
      '                            Fill it.',
    ])
  })

  it('has the meaning below where the terminal is narrow', () => {
    assert.deepEqual(formatDefinition('crawls', 'List the crawls of a data directory.', 40), [
      '  crawls',
      '      List the crawls of a data',
      '      directory.',
    ])
  })
})
