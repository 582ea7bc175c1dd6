import assert from 'node:assert/strict'
import { it } from 'node:test'
import { decodeHtml, findEncoding } from './decode-html.ts'
import { guessEncoding } from './guess-encoding.ts'

// A sentence in encodings that old sites use without naming them.
const SENTENCES: readonly [charset: string, hex: string, sentence: string][] = [
  [
    'euc-jp',
    'c1b0a4cbbdd2a4d9a4bfa4e8a4a6a4cba1a2a4b3a4cea5e9a5a4a5d6a5e9a5eaa4cfc5c5bbd2a5d6a5c3a5afa4cebdf1c0d2a4cbc2d0b1fea4b7a4c6a4a4a4dea4b9a1a3',
    '前に述べたように、このライブラリは電子ブックの書籍に対応しています。',
  ],
  [
    'shift_jis',
    '914f82c98f7182d782bd82e682a482c9814182b182cc8389834383758389838a82cd93648e7183758362834e82cc8f9190d082c991ce899e82b582c482a282dc82b78142',
    '前に述べたように、このライブラリは電子ブックの書籍に対応しています。',
  ],
  [
    'iso-2022-jp',
    '1b24424130244b3d522459243f24682426244b21222433244e2569252425562569256a244f45453b5225562543252f244e3d714052244b4250317e243724462424245e243921231b2842',
    '前に述べたように、このライブラリは電子ブックの書籍に対応しています。',
  ],
  [
    'gb18030',
    'd7eed0a1bbafc7e9bff6cfc2a3acc4fabfc9d2d4d3d0d2bbb8f6b0fcbaacd5fbb8f6b2d9d7f7cfb5cdb3a1a2d3a6d3c3b3ccd0f2d2d4bcb0c4facbbdc8cbcafdbeddb5c4b7d6c7f8a1a3',
    '最小化情况下，您可以有一个包含整个操作系统、应用程序以及您私人数据的分区。',
  ],
  [
    'big5',
    'b17aa569a548a6b3a440add3a55da774bee3add3a740b77ea874b2cea142c0b3a5ceb57ba6a1a548a4ceb17aa870a448b8eaaec6aababacfbad0a4c0b3ceb0cfa143',
    '您可以有一個包含整個作業系統、應用程式以及您私人資料的磁碟分割區。',
  ],
  [
    'euc-kr',
    'c0cc20b9aebcadb4c220b5a5baf1bec820bdc3bdbac5dbc0bb20bcb3c4a1c7cfb4c220b9e6b9fdc0bb20bcb3b8edc7d5b4cfb4d92e20b4f520b8b9c0ba20c1a4bab8b4c220bec6b7a1bfa120c0d6bdc0b4cfb4d92e',
    '이 문서는 데비안 시스템을 설치하는 방법을 설명합니다. 더 많은 정보는 아래에 있습니다.',
  ],
  [
    'windows-1251',
    'ddf2eef220e4eeeaf3ece5edf220eeefe8f1fbe2e0e5f22c20eae0ea20f3f1f2e0edeee2e8f2fc20f1e8f1f2e5ecf320ede020edeee2fbe920eaeeeceffcfef2e5f020e820ede0f1f2f0eee8f2fc20e5b82e',
    'Этот документ описывает, как установить систему на новый компьютер и настроить её.',
  ],
  [
    'koi8-r',
    'fcd4cfd420c4cfcbd5cdc5ced420cfd0c9d3d9d7c1c5d42c20cbc1cb20d5d3d4c1cecfd7c9d4d820d3c9d3d4c5cdd520cec120cecfd7d9ca20cbcfcdd0d8c0d4c5d220c920cec1d3d4d2cfc9d4d820c5a32e',
    'Этот документ описывает, как установить систему на новый компьютер и настроить её.',
  ],
  [
    'iso-8859-7',
    'c1f5f4fc20f4ef20dde3e3f1e1f6ef20f0e5f1e9e3f1dcf6e5e920f0fef220ede120e5e3eae1f4e1f3f4def3e5f4e520f4ef20f3fdf3f4e7ece120f3e520ddede1ed20edddef20f5f0efebefe3e9f3f4de2e',
    'Αυτό το έγγραφο περιγράφει πώς να εγκαταστήσετε το σύστημα σε έναν νέο υπολογιστή.',
  ],
  [
    'windows-1250',
    '4ee1736c6564756aed63ed20e8e1737420706f706973756a652c206a616b206df99e657465206e61696e7374616c6f7661742073797374e96d206e61207376f96a206e6f76fd20706fe8ed7461e82c206b64799e20759e209ee1646efd20846a696efd93206e656de174652e',
    'Následující část popisuje, jak můžete nainstalovat systém na svůj nový počítač, když už žádný „jiný“ nemáte.',
  ],
  [
    'windows-1252',
    '566f757320706f7576657a206372e9657220756e6520706172746974696f6e2073e9706172e965206ff9206c657320646f6e6ee96573206465732064696666e972656e7473207574696c6973617465757273207365726f6e742067617264e965732e',
    'Vous pouvez créer une partition séparée où les données des différents utilisateurs seront gardées.',
  ],
  [
    'windows-1252',
    '46fc72206772f6df65726520c46e646572756e67656e206dfc7373656e20536965206e6174fc726c696368206df6676c6963687374206672fc682064696520fc62726967656e20476572e47465207072fc66656e3b206461732064fc726674652067656efc67656e2e',
    'Für größere Änderungen müssen Sie natürlich möglichst früh die übrigen Geräte prüfen; das dürfte genügen.',
  ],
  [
    'windows-1252',
    '4465737075e973206465206c6120696e7374616c616369f36e20706f6472e12061f161646972206de17320636f6e7472617365f161732c20736567fa6e20656c206efa6d65726f206465206de17175696e61732079206c6120636f6e6669677572616369f36e2e',
    'Después de la instalación podrá añadir más contraseñas, según el número de máquinas y la configuración.',
  ],
  [
    'windows-1252',
    '4974927320937468652072656164657292739420706167652c2069736e92742069743f2054686520617574686f729273209371756f7465739420646f6e9274206d616b65206974204a6170616e6573652c20616e6420776592726520737572652074686174927320937269676874942e',
    'It’s “the reader’s” page, isn’t it? The author’s “quotes” don’t make it Japanese, and we’re sure that’s “right”.',
  ],
]

for (const [charset, hex, sentence] of SENTENCES) {
  it(`a page that names no encoding is read as ${charset}: ${sentence.slice(0, 12)}`, () => {
    const html = Buffer.concat([Buffer.from('<title>Page</title><p>'), Buffer.from(hex, 'hex'), Buffer.from('</p>')])
    const decoded = decodeHtml(html, 'text/html')
    assert.equal(decoded.charset, charset)
    assert.equal(decoded.text, `<title>Page</title><p>${sentence}</p>`)
    assert.equal(decodeHtml(html, 'text/html; charset=koi8-u').charset, 'koi8-u')
  })
}

it('a few bytes above ASCII are windows-1252', () => {
  assert.equal(decodeHtml(Buffer.from('3c703e83658358836783670a', 'hex'), '').charset, 'windows-1252')
})

for (const sentence of SENTENCES.map(([, , text]) => text)) {
  it(`a page in UTF-8 with a stray byte is UTF-8: ${sentence.slice(0, 12)}`, () => {
    const page = Buffer.from(`<p>caf?</p><p>${sentence.repeat(3)}</p>`)
    page[page.indexOf('?')] = 0xe9
    const decoded = decodeHtml(page, 'text/html')
    assert.equal(decoded.charset, 'utf-8')
    assert.equal(decoded.text, `<p>caf\uFFFD</p><p>${sentence.repeat(3)}</p>`)
  })
}

it('a page of which little is UTF-8 is not UTF-8', () => {
  const [, , sentence] = SENTENCES.find(([charset]) => charset === 'windows-1252') ?? ['', '', '']
  const page = Buffer.concat([Buffer.from('<p>\u00A9 2026</p>'), Buffer.from(sentence.repeat(3), 'latin1')])
  assert.equal(decodeHtml(page, 'text/html').charset, 'windows-1252')
})

it('a guess takes linear time and never throws, whatever the bytes', () => {
  for (const piece of [
    '\x80',
    '<\x80',
    'a\x80',
    '\x1b$)C\x0e\xff',
    '\xff\xfea\0',
    '\x1b$A',
    'aaaaaaaaaaaaaaaaaaaaaaaa ',
    '<',
  ]) {
    const bytes = Buffer.concat([Buffer.alloc(1_000_000, piece, 'latin1'), Buffer.of(0xff)])
    const encoding = guessEncoding(bytes, findEncoding)
    assert.ok(encoding !== 'replacement' && !encoding.startsWith('utf-16'), encoding)
  }
})
