// Words written together, apart or with other letters.

import assert from 'node:assert/strict'
import { assertFound, indexTexts, type TypedQueryCases } from './searched-site.ts'

export const FORM_CASES: TypedQueryCases = {
  async 'a word is found written together, with a hyphen or apart'(testIndex) {
    const texts = {
      hyphen: 'The Wi-Fi of the hotel.',
      together: 'Free wifi everywhere.',
      apart: 'Set up wi fi at home.',
      rfc: 'Read RFC 9309 about robots.',
      rfc9309: 'It is specified by RFC9309.',
      dom: 'Call document.getElementById(name).',
      prose: 'How to get element by id in a page.',
      snake: 'Names in snake_case are common.',
      node: 'A server on Node.js.',
      nodejs: 'Nodejs runs it.',
      carpet: 'A carpet for the floor.',
    }
    const wifi = ['apart', 'hyphen', 'together']
    await assertFound(
      testIndex,
      { texts },
      {
        wifi,
        'wi-fi': wifi,
        'wi fi': wifi,
        RFC9309: ['rfc', 'rfc9309'],
        'RFC 9309': ['rfc', 'rfc9309'],
        'rfc-9309': ['rfc', 'rfc9309'],
        getElementById: ['dom', 'prose'],
        'get element by id': ['dom', 'prose'],
        snake_case: ['snake'],
        'snake case': ['snake'],
        snakecase: ['snake'],
        'node.js': ['node', 'nodejs'],
        nodejs: ['node', 'nodejs'],
        carpet: ['carpet'],
        'hotel wi fi': ['hyphen'],
        'hotel wifi': ['hyphen'],
      },
    )
  },

  async 'words that one page happens to write together are not worth more there'(testIndex) {
    const texts = Object.fromEntries([
      ['joined', 'A table of the field methodnames, and of a special one.'],
      ['article', 'Special method names: a class has special methods with method names of their own.'],
      ...[1, 2, 3, 4].map((n) => [`other${n}`, `Number ${n} of the names, a method and something special.`] as const),
    ])
    const { search } = await indexTexts(testIndex, texts, 'en')
    assert.equal((await search('special method names')).hits[0]?.title, 'article')
  },

  async 'a form that few pages have is not worth more than the one that many have'(testIndex) {
    const texts = Object.fromEntries([
      ['hook', 'The hook set_name of a class. Python calls set_name with the owner.'],
      ['camel', 'Then it calls setName.'],
      ['guide', 'PEP 8 is a guide to style. PEP 8 names the length of lines.'],
      ['mention', 'Names of constants, as in PEP8.'],
      ...[1, 2, 3, 4].map((n) => [`set${n}`, `PEP ${n} has a set of 8 rules and a name.`]),
      ...Array.from({ length: 20 }, (_, n) => [`other${n}`, `Page ${n} is about something else.`]),
    ])
    const { search } = await indexTexts(testIndex, texts, 'en')
    for (const [query, title] of [
      ['set_name', 'hook'],
      ['pep8', 'guide'],
    ] as const) {
      assert.equal((await search(query)).hits[0]?.title, title, query)
    }
  },

  async 'a name of several words comes before pages that have its words apart'(testIndex) {
    const texts = Object.fromEntries([
      ['reference', 'To replace text, call re.sub with a pattern.'],
      ...[1, 2, 3].map((n) => [`notes${n}`, `Notes ${n}, re: the list of a sub folder.`]),
      ['folders', `${'The list, re: others. '.repeat(20)}${'A sub folder. '.repeat(20)}`],
      ...Array.from({ length: 20 }, (_, n) => [`other${n}`, `Page ${n} is about something else.`]),
    ])
    const { search } = await indexTexts(testIndex, texts, 'en')
    assert.equal((await search('re.sub')).hits[0]?.title, 'reference')
  },

  async 'languages with signs in their names are told apart'(testIndex) {
    const texts = {
      plain: 'Written in C for Unix.',
      plus: 'Written in C++ for Unix.',
      sharp: 'Written in C# for Windows.',
    }
    await assertFound(
      testIndex,
      { texts },
      {
        'C++': ['plus'],
        'c#': ['sharp'],
        C: ['plain', 'plus', 'sharp'],
        '"in C++ for"': ['plus'],
        '"in C for"': ['plain'],
      },
    )
  },

  async 'a name with a leading dot is a word, and pages without the dot follow'(testIndex) {
    const texts = {
      platform: 'A library for .NET on Windows.',
      core: 'Tools of (.NET Core) and F#.',
      asp: 'A site with ASP.NET pages.',
      lint: 'Rules are in .eslintrc.json or below /.well-known/security.txt.',
      fish: 'The fish in the net.',
      access: 'Put the rule into .htaccess files.',
    }
    await assertFound(
      testIndex,
      { texts },
      {
        '.NET': ['core', 'platform'],
        '.net windows': ['platform'],
        '".NET core"': ['core'],
        '"net core"': ['core'],
        'F#': ['core'],
        net: ['asp', 'core', 'fish', 'platform'],
        'ASP.NET': ['asp'],
        '.eslintrc.json': ['lint'],
        '/.well-known/security.txt': ['lint'],
        '.htaccess': ['access'],
        htaccess: ['access'],
        '.fish': ['fish'],
      },
    )
    const { search } = await indexTexts(testIndex, texts, 'en')
    const { hits } = await search('.NET')
    assert.deepEqual(
      hits
        .map(({ title }) => title)
        .slice(2)
        .sort(),
      ['asp', 'fish'],
    )
  },

  async 'German umlauts may be written as two letters, and compounds apart'(testIndex) {
    const texts = {
      apfel: 'Die Äpfel und die Birnen sind reif, und wir essen sie.',
      müller: 'Herr Müller ist nicht da, aber seine Frau ist es.',
      mueller: 'Herr Mueller ist auch nicht da, und das ist schade.',
      haustür: 'Der Schlüssel für die Haustür ist weg.',
      zusammen: 'Das Wohnzimmerfenster ist offen.',
      poet: 'Ein Poet und eine Pot Suppe ist noch keine Mahlzeit.',
    }
    await assertFound(
      testIndex,
      { texts, lang: 'de' },
      {
        Aepfel: ['apfel'],
        Äpfel: ['apfel'],
        Apfel: ['apfel'],
        Mueller: ['mueller', 'müller'],
        Müller: ['mueller', 'müller'],
        Muller: ['müller'],
        Haustürschlüssel: ['haustür'],
        'Haustür Schlüssel': ['haustür'],
        'Wohnzimmer Fenster': ['zusammen'],
        Poet: ['poet'],
      },
    )
  },

  async 'a stem of a rare language matches no pages in others'(testIndex) {
    const english = Array.from({ length: 30 }, (_, i) => [
      `en${i}`,
      `A page for readers, number ${i}, and a non-issue.`,
    ])
    const texts = {
      ...Object.fromEntries(english),
      ship: 'The fore part of the ship is for none of the readers.',
      forêt: 'Les arbres de la forêt sont grands, et nous les avons vus hier avec les enfants de la ville.',
      cabane: 'Nous sommes dans la forêt depuis hier, et les enfants construisent une cabane avec des branches.',
      häuser: 'Die Häuser der Stadt sind alt, und wir haben sie gestern mit den Kindern gesehen.',
    }
    await assertFound(
      testIndex,
      { texts },
      {
        fore: ['ship'],
        none: ['ship'],
        '"fore"': ['ship'],
        'fore*': ['cabane', 'forêt', 'ship'],
        'fore lang:en': ['ship'],
        forêts: ['cabane', 'forêt'],
        '"grande forêts"': [],
        '"forêt sont grande"': ['forêt'],
        Hauses: ['häuser'],
      },
    )
  },

  async 'a question in a rare language is stemmed and ranked in it'(testIndex) {
    const english = Array.from({ length: 30 }, (_, i) => [
      `en${i}`,
      `How to install the red archive of the library, and what all the teachers of the school say, number ${i}.`,
    ])
    const texts = {
      ...Object.fromEntries(english),
      escuela: 'La red está lista, y ahora se instala el programa en todos los equipos de la escuela.',
      libro: 'El libro es de la biblioteca, y los niños lo han leído con su maestra esta mañana.',
    }
    const { search } = await indexTexts(testIndex, texts, 'en')
    assert.equal((await search('cómo se instala la red')).hits[0]?.title, 'escuela')
  },

  async 'a word is stemmed in the language of the reader'(testIndex) {
    const english = Array.from({ length: 30 }, (_, i) => [`en${i}`, `A page about the dynamic parts of number ${i}.`])
    const texts = {
      ...Object.fromEntries(english),
      tableau: 'Un tableau dynamique est agrandi quand il est plein, et les valeurs sont copiées dans le nouveau.',
      chien: 'Le chien est dans le jardin avec les enfants, et nous les avons vus hier depuis la fenêtre.',
    }
    const { search } = await indexTexts(testIndex, texts, 'en')
    const { hits, fullMatches } = await search('tableaux dynamiques', 'fr')
    assert.deepEqual([hits[0]?.title, fullMatches], ['tableau', 1])
  },

  async 'a stem of another language is not used for a reader of that language if the word is in the index'(testIndex) {
    const english = Array.from({ length: 30 }, (_, i) => [`en${i}`, `A page for the readers of number ${i}.`])
    const texts = {
      ...Object.fromEntries(english),
      ship: 'The fore part of the ship is lower than the rest of it, and the crew sleeps there.',
      chien: 'Le chien est dans le jardin avec les enfants, et nous les avons vus hier depuis la fenêtre.',
    }
    const { search } = await indexTexts(testIndex, texts, 'en')
    const { hits, fullMatches } = await search('fore', 'fr')
    assert.deepEqual([hits[0]?.title, fullMatches], ['ship', 1])
  },

  async 'an ending is no part of a compound'(testIndex) {
    const texts = { fore: 'The fore part of a ship.', example: 'Fruits, for e.g. apples.' }
    await assertFound(testIndex, { texts }, { foreing: ['fore'] })
  },

  async 'ideographs that no page has as a word are found across words'(testIndex) {
    const texts = { tokyo: '東京都の水道について。' }
    await assertFound(testIndex, { texts, lang: 'ja' }, { 京都: ['tokyo'], 道に: ['tokyo'] })
  },
}
