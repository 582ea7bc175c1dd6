import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isValidHreflang } from '../hreflang.ts'
import { auditSite } from '../testing/audited-site.ts'
import { hreflangErrors } from './hreflang-errors.ts'

const named = (versions: Record<string, string>) =>
  Object.entries(versions)
    .map(([lang, href]) => `<link rel=alternate hreflang="${lang}" href="${href}">`)
    .join('')

it('accepts versions that name each other and themselves', async () => {
  const versions = named({ en: '/', 'de-AT': '/de', 'zh-Hans': 'https://elsewhere.test/', 'x-default': '/' })
  const { found } = await auditSite(hreflangErrors, {
    '/': `${versions}<a href=/de>de</a>`,
    '/de': versions,
    'https://elsewhere.test/': versions.replaceAll('href="/', 'href="https://site.test/'),
  })
  assert.deepEqual(found, [])
})

it('lists wrong codes, broken and redirected versions, and missing return links', async () => {
  const { found } = await auditSite(hreflangErrors, {
    '/': `${named({ en: '/', 'en-UK': '/uk', fr: '/fr', it: '/it', de: '/de' })}<a href=/fr>f</a><a href=/it>i</a><a href=/de>d</a><a href=/uk>u</a>`,
    '/uk': named({ en: '/', 'en-gb': '/uk' }),
    '/it': { to: '/' },
    '/de': 'Deutsch',
  })
  assert.deepEqual(found, [
    '/ | /uk | "en-UK" is not a language code',
    '/ | /fr | The version for fr is broken: Status 404',
    '/ | /it | The version for it redirects',
    '/ | /de | The other version does not name this page',
  ])
})

it('lists pages that do not name themselves, or name two URLs for a language', async () => {
  const { found } = await auditSite(hreflangErrors, {
    '/': `<link rel=alternate hreflang=en href=/a><link rel=alternate hreflang=EN href=/b>`,
    '/a': named({ en: '/a', fr: '/' }),
    '/b': named({ en: '/b', fr: '/' }),
  })
  assert.deepEqual(found, ['/ | en has 2 different URLs', '/ | The page does not name itself'])
})

it('says nothing about pages that could not be read, or use a header', async () => {
  const { found } = await auditSite(hreflangErrors, {
    '/': `${named({ en: '/', de: '/de', fr: '/fr' })}<a href=/de>d</a><a href=/fr>f</a>`,
    '/de': { html: 'Deutsch', isUnreadable: true },
    '/fr': { html: 'Français', headers: [['Link', '</>; rel=alternate; hreflang=en']] },
  })
  assert.deepEqual(found, [])
})

it('languages need their ISO codes', () => {
  for (const code of ['en', 'EN-gb', 'pt-BR', 'zh-Hant-TW', 'es-419', 'x-default'])
    assert.ok(isValidHreflang(code), code)
  for (const code of ['', 'xx', 'en_US', 'us', 'jp', 'en-UK', 'english', 'en-EU', 'de-', 'en-XX', 'gb-en'])
    assert.ok(!isValidHreflang(code), code)
})
