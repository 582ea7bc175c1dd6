import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  CRAWL_SETTINGS,
  type CrawlSettingName,
  checkSettings,
  crawlKeyOf,
  isChangeable,
  maskedSettings,
  parseCrawlSettings,
  toCrawlSettings,
  toSettingsJson,
} from './crawl-settings.ts'
import { defaultConfig, loadConfig } from './load-config.ts'
import { SETTING_NAMES } from './schema.ts'

const config = defaultConfig()

describe('crawl settings', () => {
  it('convert to JSON and back', () => {
    const args = ['--depth', '3', '--delay', '250', '--keep', '0', '--header', 'A: b', '--archive-max', '5m']
    const more = ['--archive-max', 'image/*=1m', '--allow', '10.0.0.0/8', '--no-traps', '--scope', 'domain']
    for (const given of [[], [...args, ...more]]) {
      const settings = toCrawlSettings(loadConfig(given, {}, SETTING_NAMES).config)
      const { values, problems } = checkSettings(toSettingsJson(settings), config)
      assert.deepEqual(problems, [])
      assert.deepEqual(toCrawlSettings(values), settings)
    }
  })

  it('are shown without the values of headers', () => {
    const headers = ['Cookie: a=b: c', 'https://a.test Authorization: Bearer x', '* X-Key: k']
    const shown = maskedSettings({ ...toCrawlSettings(config), headers })
    assert.deepEqual(shown.header, ['Cookie: ***', 'https://a.test Authorization: ***', '* X-Key: ***'])
  })

  it('are exactly what a crawl stores', () => {
    const keys = new Set([...CRAWL_SETTINGS.map(crawlKeyOf), 'archiveMaxByType'])
    assert.deepEqual([...keys].sort(), Object.keys(toCrawlSettings(config)).sort())
  })

  it('can be changed later unless they decide which URLs exist', () => {
    const fixed: CrawlSettingName[] = ['scope', 'sitemaps', 'userAgent', 'archive', 'allowPrivate', 'maxLinks']
    assert.deepEqual(fixed.filter(isChangeable), [])
    const changeable: CrawlSettingName[] = ['maxPages', 'depth', 'include', 'delay', 'keep']
    assert.deepEqual(changeable.filter(isChangeable), changeable)
  })

  it('missing in the document of an older crawl have their defaults', () => {
    const { maxLinks, skipUgcSponsored, ...old } = toCrawlSettings(config)
    assert.deepEqual(parseCrawlSettings(JSON.stringify({ ...old, perHost: 3 })), {
      ...old,
      perHost: 3,
      maxLinks,
      skipUgcSponsored,
    })
  })
})

describe('given settings', () => {
  it('are not all checked once a hundred are invalid', () => {
    const given = Object.fromEntries(Array.from({ length: 80_000 }, (_, i) => [`n${i}`, 1]))
    assert.equal(checkSettings(given, config).problems.length, 100)
    const [problem] = checkSettings({ ['x'.repeat(900_000)]: 1 }, config).problems
    assert.equal(problem?.field.length, 100)
    const [pattern] = checkSettings({ exclude: ['x'.repeat(900_000)] }, config).problems
    assert.match(pattern?.message ?? '', /^It must be .{1,100}; it is "x{199}\.\.\. \(900002 characters\)\.$/)
  })

  it('report every problem under the given name', () => {
    const { problems } = checkSettings({ max_page: 3, delay: [], include: ['('] }, config)
    assert.deepEqual(
      problems.map(({ field }) => field),
      ['max_page', 'delay', 'include'],
    )
    assert.match(problems[0]?.message ?? '', /Did you mean max_pages/)
    assert.match(problems[2]?.message ?? '', /regular expression in JavaScript syntax; it is "\("/)
  })

  it('accept null for no limit where that is possible', () => {
    const limited = loadConfig(['--max-pages', '5'], {}, SETTING_NAMES).config
    assert.equal(checkSettings({ max_pages: null }, limited).values.maxPages, null)
    assert.equal(checkSettings({}, limited).values.maxPages, 5)
    assert.equal(checkSettings({ concurrency: null }, limited).problems.length, 1)
  })
})
