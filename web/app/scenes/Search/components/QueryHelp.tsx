import { Dialog } from '../../../components/dialogs/Dialog.tsx'

const ROWS = [
  ['red fox', 'Both words, in any form'],
  ['"red fox"', 'Exact phrase'],
  ['red OR fox', 'Either word'],
  ['red -fox', 'Without "fox"; same as red NOT fox'],
  ['(red OR grey) fox', 'Grouping'],
  ['cat*', 'Words with this prefix'],
  ['red NEAR/5 fox', 'At most five words apart'],
  ['title:fox', 'In the title'],
  ['heading:fox url:docs', 'In a heading, in the URL'],
  ['site:example.com', 'On this domain and its subdomains'],
  ['host:www.example.com', 'On exactly this host, with its port if it has one'],
  ['path:/docs', 'Under this path'],
  ['lang:de', 'In this language'],
  ['type:pdf', 'Of this content type'],
  ['status:200 depth:<3', 'By HTTP status and depth'],
  ['after:2026-01 before:2026-03-15', 'Visited in this period'],
  ['changed:<7d', 'Changed in the last 7 days; also changed:2026-11'],
  ['inlinks:>5 size:<100k', 'By incoming links and size'],
  ['person:"Ada Lovelace" place:London org:NASA', 'Mentions these names; needs --index-entities'],
  ['near-duplicate-of:12', 'Near-duplicates of the page with this ID'],
  ['crawl:ID', 'In this crawl'],
] as const

export function QueryHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Query syntax" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
        {ROWS.map(([query, meaning]) => (
          <div key={query} className="contents">
            <dt className="font-mono text-xs leading-5">{query}</dt>
            <dd className="text-muted">{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-muted">Anything else is searched for as plain words.</p>
    </Dialog>
  )
}
