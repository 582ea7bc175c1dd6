import { Dialog } from '../../../components/dialogs/Dialog.tsx'

const ROWS = [
  ['red fox', 'both words, in any form'],
  ['"red fox"', 'exactly these words in a row'],
  ['red OR fox', 'one of them'],
  ['red -fox', 'red, but not fox; also NOT fox'],
  ['(red OR grey) fox', 'brackets group'],
  ['cat*', 'words that begin so'],
  ['red NEAR/5 fox', 'at most five words apart'],
  ['title:fox', 'in the title; also url: and heading:'],
  ['site:example.com', 'of this host and those below it'],
  ['host:www.example.com', 'of this host alone, with its port where there is one'],
  ['path:/docs', 'below this path'],
  ['lang:de', 'in this language'],
  ['type:pdf', 'of this type'],
  ['status:200 depth:<3', 'by status and depth'],
  ['after:2026-01 before:2026-03-15', 'visited in this time'],
  ['changed:<7d', 'changed in the last seven days; also changed:2026-11'],
  ['inlinks:>5 size:<100k', 'by links to it and by size'],
  ['near-duplicate-of:12', 'nearly like the page with this id'],
  ['crawl:ID', 'of one crawl'],
] as const

export function QueryHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="What a query can say" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
        {ROWS.map(([query, meaning]) => (
          <div key={query} className="contents">
            <dt className="font-mono text-xs leading-5">{query}</dt>
            <dd className="text-muted">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-muted">What cannot be read that way is searched for as plain words.</p>
    </Dialog>
  )
}
