// Office Open XML (ECMA-376): the text of a Word document and of its notes; links are named by their relationships.

import type { DocumentLimits } from '../heavy.ts'
import { type Extracted, NOTHING } from '../type.ts'
import { readDescription } from './described.ts'
import { Gathered } from './gathered.ts'
import { openZip, type Zip } from './unzip.ts'
import { readXml } from './xml.ts'

const MAIN = 'document'
const PARTS = [MAIN, 'footnotes', 'endnotes']

export function readDocx(body: Buffer, limits: DocumentLimits): Extracted {
  const zip = openZip(body, limits.maxUnpackedBytes)
  if (typeof zip === 'string') return { ...NOTHING, problem: `docx_${zip}` }
  if (!zip.has(`word/${MAIN}.xml`)) return { ...NOTHING, problem: 'docx_broken' }
  const gathered = new Gathered(limits)
  for (const part of PARTS) readPart(zip, part, gathered)
  const { text, links } = gathered
  const described = readDescription(zip.read('docProps/core.xml'))
  return { ...NOTHING, ...described, text, links, problem: gathered.isCut || zip.isCut ? 'cut' : null }
}

function readPart(zip: Zip, part: string, gathered: Gathered): void {
  const file = zip.read(`word/${part}.xml`)
  if (file === null) return
  const targets = targetsOf(zip.read(`word/_rels/${part}.xml.rels`))
  let isText = false
  let link: { href: string; start: number } | null = null
  readXml(file, {
    onText(text) {
      if (isText) gathered.add(text)
    },
    onTag(tag) {
      if (tag.name === 'w:t') isText = !tag.isEnd && !tag.isSelfClosing
      else if (tag.name === 'w:tab' && !tag.isEnd) gathered.add('\t')
      else if (tag.name === 'w:br' && !tag.isEnd) gathered.add('\n')
      else if (tag.name === 'w:p' && (tag.isEnd || tag.isSelfClosing)) gathered.add('\n')
      else if (tag.name === 'w:hyperlink') {
        if (link !== null) gathered.addLink({ href: link.href, rel: '', text: gathered.textFrom(link.start) })
        const href = tag.isEnd ? undefined : targets.get(tag.attribute('r:id'))
        link = href === undefined ? null : { href, start: gathered.length }
      }
    },
  })
}

/** Where links lead, by the id of their relationship; those into the file itself are left out. */
function targetsOf(relationships: Buffer | null): Map<string, string> {
  const targets = new Map<string, string>()
  if (relationships === null) return targets
  readXml(relationships, {
    onText: () => undefined,
    onTag(tag) {
      if (tag.local === 'relationship' && tag.attribute('targetmode').toLowerCase() === 'external') {
        targets.set(tag.attribute('id'), tag.attribute('target'))
      }
    },
  })
  return targets
}
