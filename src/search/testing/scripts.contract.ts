// Words of every script, with spaces between them or without.

import assert from 'node:assert/strict'
import { assertFound, indexTexts, type TypedQueryCases } from './searched-site.ts'

export const SCRIPT_CASES: TypedQueryCases = {
  async 'Chinese without spaces is found by its words'(testIndex) {
    const texts = {
      phone: '苹果公司昨天发布了新手机。',
      fruit: '这家公司卖苹果和梨。',
      song: '周杰伦的新歌很好听。',
      capital: '我爱北京天安门。',
    }
    await assertFound(
      testIndex,
      { texts, lang: 'zh' },
      {
        苹果公司的新手机: ['phone'],
        苹果公司: ['fruit', 'phone'],
        '"苹果公司"': ['phone'],
        手机苹果: ['phone'],
        周杰伦: ['song'],
        天安门: ['capital'],
        '苹果 -梨': ['phone'],
        水: [],
        新: ['phone', 'song'],
        飞机苹果: ['fruit', 'phone'],
      },
    )
  },

  async 'a Japanese word is not found across the border of two others'(testIndex) {
    const texts = {
      tokyo: '東京都の水道について。',
      kyoto: '京都の歴史と茶の湯。',
      computer: 'ﾃﾞｰﾀﾍﾞｰｽとコンピュータシステムの評価。',
    }
    await assertFound(
      testIndex,
      { texts, lang: 'ja' },
      {
        京都: ['kyoto'],
        東京: ['tokyo'],
        '"京都"': ['kyoto', 'tokyo'],
        京都の茶: ['kyoto'],
        京都と海: ['kyoto'],
        データベース: ['computer'],
        システム評価: ['computer'],
        水: ['tokyo'],
      },
    )
  },

  async 'Thai without spaces is found by its words'(testIndex) {
    const texts = { language: 'ภาษาไทยเป็นภาษาราชการ', food: 'อาหารไทยอร่อยมาก' }
    await assertFound(
      testIndex,
      { texts, lang: 'th' },
      { ภาษาไทย: ['language'], ไทยอาหาร: ['food'], ไทย: ['food', 'language'] },
    )
  },

  async 'compatibility characters are what they stand for, in pages and queries'(testIndex) {
    const texts = { wide: 'ＬＩＮＵＸ　ｋｅｒｎｅｌ', ligature: 'The ﬁrst ﬂoor of 20 m²', accent: 'Cafe\u0301 noir' }
    await assertFound(
      testIndex,
      { texts },
      {
        linux: ['wide'],
        'ｌｉｎｕｘ kernel': ['wide'],
        'first floor': ['ligature'],
        'ﬁrst m2': ['ligature'],
        'm²': ['ligature'],
        café: ['accent'],
      },
    )
  },

  async 'words of ideographs are highlighted, and are keywords'(testIndex) {
    const { search } = await indexTexts(testIndex, { phone: '苹果公司昨天发布了新手机。手机很好。' }, 'zh')
    const { hits } = await search('新手机')
    const [hit] = hits
    assert.deepEqual(
      hit?.snippet.highlights.map(([from, to]) => hit.snippet.text.slice(from, to)),
      ['新手机', '手机'],
    )
    assert.deepEqual(await testIndex.index.wordsFrom('手', 5), [{ key: '手机', count: 1 }])
  },
}
