import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { formatDefinition, wrapText } from './wrap-text.ts'

describe('a paragraph', () => {
  it('is wrapped at spaces into full lines', () => {
    assert.deepEqual(wrapText('aa bb ccc d', 5), ['aa bb', 'ccc d'])
    assert.deepEqual(wrapText('aa bb', 80), ['aa bb'])
  })

  it('is measured in display columns', () => {
    assert.deepEqual(wrapText('\u001b[1maa\u001b[22m bb', 5), ['\u001b[1maa\u001b[22m bb'])
    assert.deepEqual(wrapText('日本 bb', 6), ['日本', 'bb'])
  })

  it('keeps a word that is longer than a line whole', () => {
    assert.deepEqual(wrapText('a bbbbbbbb c', 4), ['a', 'bbbbbbbb', 'c'])
  })
})

describe('a term with its meaning', () => {
  it('has the meaning in a column beside it', () => {
    assert.deepEqual(
      formatDefinition('resume [id]', 'Resume an unfinished crawl, the newest one or another one.', 60),
      [
        '  resume [id]               Resume an unfinished crawl, the',
        '                            newest one or another one.',
      ],
    )
  })

  it('has the meaning below if the term is too long', () => {
    assert.deepEqual(formatDefinition('index <status|run|rebuild>', 'Fill it.', 80), [
      '  index <status|run|rebuild>',
      '                            Fill it.',
    ])
  })

  it('has the meaning below if the terminal is narrow', () => {
    assert.deepEqual(formatDefinition('crawls', 'List the crawls of a data directory.', 40), [
      '  crawls',
      '      List the crawls of a data',
      '      directory.',
    ])
  })
})
