// Reads a judged collection in the format of BEIR: corpus.jsonl, queries.jsonl and the judgments, one per line with tabs.

import { existsSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'

export interface CollectionDocument {
  id: string
  title: string
  text: string
}

export interface JudgedQuery {
  id: string
  text: string
  /** The gain of each relevant document, by its id. Never empty. */
  gains: Map<string, number>
}

export interface Collection {
  name: string
  documents: CollectionDocument[]
  /** Queries with a relevant document: no search can do well or badly on the others. */
  queries: JudgedQuery[]
}

const JUDGMENT_FILES = ['qrels.tsv', 'qrels/test.tsv']

export function readCollection(folder: string): Collection {
  const documents = readJsonLines<{ _id: string; title?: string; text: string }>(join(folder, 'corpus.jsonl'))
  const queries = readJsonLines<{ _id: string; text: string }>(join(folder, 'queries.jsonl'))
  const gainsOf = readJudgments(folder)
  return {
    name: basename(resolve(folder)),
    documents: documents.map(({ _id: id, title = '', text }) => ({ id, title, text })),
    queries: queries.flatMap(({ _id: id, text }) => {
      const gains = gainsOf.get(id)
      return gains === undefined ? [] : [{ id, text, gains }]
    }),
  }
}

/** The texts of a file like queries.jsonl. */
export function readQueries(file: string): string[] {
  return readJsonLines<{ text: string }>(file).map(({ text }) => text)
}

function readJsonLines<Row>(file: string): Row[] {
  return readLines(file).map((line) => JSON.parse(line) as Row)
}

function readJudgments(folder: string): Map<string, Map<string, number>> {
  const file = JUDGMENT_FILES.map((name) => join(folder, name)).find((path) => existsSync(path))
  if (file === undefined) throw new Error(`${folder} has neither ${JUDGMENT_FILES.join(' nor ')}.`)
  const gainsOf = new Map<string, Map<string, number>>()
  for (const line of readLines(file)) {
    const [query = '', document = '', score] = line.split('\t')
    const gain = Number(score)
    // The first line names the columns, and a score of 0 means judged and not relevant.
    if (!(gain > 0)) continue
    const gains = gainsOf.get(query) ?? new Map<string, number>()
    gainsOf.set(query, gains.set(document, gain))
  }
  return gainsOf
}

function readLines(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
}
