import assert from 'node:assert/strict'
import { it } from 'node:test'
import { LanguageIdentifier, loadLanguageDetector } from './language-identifier.ts'

const detectLanguage = await loadLanguageDetector()

/** The identified language, and whether the detector ran. */
function check(declared: string | null, text: string): [string | string[], boolean] {
  let hasDetected = false
  const languages = new LanguageIdentifier((sample) => {
    hasDetected = true
    return detectLanguage(sample)
  })
  return [languages.identify(declared, text), hasDetected]
}

const TEXTS = {
  en: 'The museum opens at ten in the morning, and it is closed on the first Monday of every month. Tickets can be bought at the door or from our shop.',
  de: 'Das Museum öffnet um zehn Uhr morgens und ist am ersten Montag im Monat geschlossen. Karten gibt es an der Tür oder in unserem Laden zu kaufen.',
  nl: 'Het museum gaat om tien uur open en is op de eerste maandag van de maand gesloten. Kaartjes zijn te koop aan de deur of in onze winkel.',
  es: 'El museo abre a las diez de la mañana y está cerrado el primer lunes de cada mes. Las entradas se pueden comprar en la puerta o en nuestra tienda.',
  pt: 'O museu abre às dez da manhã e está fechado na primeira segunda-feira de cada mês. Os bilhetes podem ser comprados à porta ou na nossa loja.',
  fr: 'Le musée ouvre à dix heures du matin et il est fermé le premier lundi de chaque mois. Les billets sont en vente à la porte ou dans notre boutique.',
  da: 'Museet åbner klokken ti om morgenen og er lukket den første mandag i hver måned. Billetter kan købes ved døren eller i vores butik.',
  sv: 'Museet öppnar klockan tio på morgonen och är stängt den första måndagen i varje månad. Biljetter kan köpas vid dörren eller i vår butik.',
  ru: 'Музей открывается в десять часов утра и закрыт в первый понедельник каждого месяца. Билеты можно купить у входа или в нашем магазине.',
  uk: 'Музей відчиняється о десятій годині ранку і зачинений у перший понеділок кожного місяця. Квитки можна купити біля входу або в нашій крамниці.',
} as const

it('a text is in its own language, whichever other it declares', () => {
  for (const [lang, text] of Object.entries(TEXTS)) {
    for (const declared of [...Object.keys(TEXTS), null])
      assert.equal([check(declared, text)[0]].flat()[0], lang, `${lang} as ${declared}`)
  }
})

it('stop words confirm most correct declarations, and no wrong one', () => {
  for (const lang of ['en', 'de', 'es', 'fr', 'sv'] as const) assert.deepEqual(check(lang, TEXTS[lang]), [lang, false])
  assert.deepEqual(check('en-GB', TEXTS.en), ['en', false])
  assert.deepEqual(check('en', TEXTS.de), ['de', true])
  assert.deepEqual(check('es', TEXTS.pt), ['pt', true])
})

it('an undetectable text is in the declared language', () => {
  assert.deepEqual(check('de', 'Ok'), ['de', false])
  assert.deepEqual(check('sv', '1 2 3 4 5 6 7 8 9 10 11 12 13'), ['sv', false])
  assert.deepEqual(check(null, '1 2 3 4 5 6 7 8 9 10 11 12 13'), [[], false])
  assert.deepEqual(check(null, 'Ok'), [[], false])
})

it('a short text leaves open which of several languages it is in', () => {
  const [hose] = check(null, 'Garden hose, brass fitting, 20 m, rubber, green.')
  assert.ok(hose.length > 1 && hose.includes('en') && hose[0] !== 'en', String(hose))
  const [sign] = check(null, 'Index of the linux directory')
  assert.ok(Array.isArray(sign) && sign.includes('en'), String(sign))
  // Hangul identifies the language at once.
  assert.deepEqual(check(null, '이 페이지는 아직 준비 중입니다. 나중에 다시 오세요.')[0], 'ko')
})

it('a short text is in the declared language if it may be', () => {
  assert.deepEqual(check('en', 'Garden hose, brass fitting, 20 m, rubber, green.'), ['en', true])
  const [korean] = check('en', '이 페이지는 아직 준비 중입니다. 나중에 다시 오세요.')
  assert.equal(korean, 'ko')
})

it('the script of most letters decides, wherever the code of a page is', () => {
  const code = Array.from({ length: 40 }, (_, i) => `if (value > max) return the next line of output ${i}`).join('\n')
  const page = `${TEXTS.ru.repeat(12)}\n${code.slice(0, 1200)}\n${TEXTS.ru}`
  assert.equal(check(null, page)[0], 'ru')
  assert.equal(check('en', `${TEXTS.ru.repeat(4)}\n${code.slice(0, 400)}\n${TEXTS.ru.repeat(4)}`)[0], 'ru')
  assert.equal(check(null, `${TEXTS.en.repeat(3)}\n${TEXTS.ru}\n${TEXTS.en.repeat(3)}`)[0], 'en')
})

it('file names, numbers, URLs and names of variables say nothing', () => {
  const files = ['autocmd.html', 'README.Debian', 'changelog.gz', 'usr_01.html', 'pi_zip.html', 'if_tcl.html', 'html/']
  const listing = Array.from({ length: 40 }, (_, i) => files[i % files.length]).join('\n')
  assert.deepEqual(check(null, `Index of /vim\n${listing}`)[0], [])
  const directories =
    'adduser alsa apt bash bind debconf dpkg exim gawk grub kmod lsof mawk nano perl sed tar udev wget'
  assert.deepEqual(check(null, directories.replaceAll(' ', '\n'))[0], [])
  const table = Array.from({ length: 60 }, (_, i) => `kb${i} ${i * 1.5} ${i}% 0x${i}f`).join('\n')
  assert.deepEqual(check(null, table)[0], [])
  assert.equal(check('de', `Index of /vim\n${listing}`)[0], 'de')
  assert.equal(check(null, `${TEXTS.de}\n${listing}\n${TEXTS.de}`)[0], 'de')
})
