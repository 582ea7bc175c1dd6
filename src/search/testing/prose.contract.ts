// Questions in prose: punctuation neither excludes pages nor keeps "any of the words" from being a fallback.

import assert from 'node:assert/strict'
import { assertFound, indexTexts, type TypedQueryCases } from './searched-site.ts'

const TEXTS = {
  hotel: 'Accommodation near the lake.',
  menu: 'The restaurant of the castle serves trout.',
  timeshare: 'A time-sharing system has many users.',
  timesharing: 'Timesharing came before personal computers.',
  time: 'The time of sharing a single computer.',
  science: 'Information science studies how people look for facts.',
  facts: 'The science of facts needs no information.',
}

export const PROSE_CASES: TypedQueryCases = {
  async 'prose finds pages with any of its words if none has all'(testIndex) {
    await assertFound(
      testIndex,
      { texts: TEXTS },
      {
        'accommodation (in a restaurant)': ['hotel', 'menu'],
        'trout; accommodation!': ['hotel', 'menu'],
        'e.g. trout - accommodation': ['hotel', 'menu'],
        'time-sharing': ['timeshare', 'timesharing'],
        'time-sharing trout': ['menu', 'time', 'timeshare', 'timesharing'],
        'what is "information science"?': ['science'],
        '"information science" trout': ['science'],
        'trout AND accommodation': [],
        'trout accommodation -lake': ['menu'],
      },
    )
  },

  async 'a long query is cut, with a warning'(testIndex) {
    const { search } = await indexTexts(testIndex, TEXTS, 'en')
    const { hits, warning } = await search(`trout ${'castle '.repeat(1000)}`)
    assert.deepEqual(
      [hits.map(({ title }) => title), warning],
      [['menu'], 'Only the first 1000 characters were used; only the first 64 words were used.'],
    )
  },
}
