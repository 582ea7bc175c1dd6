import { splitUrl } from '../../text/format.ts'

/**
 * A URL in one line. Without enough room, its middle is left out: the URLs of a site often differ only at the end. The
 * two parts are boxes, between which screen readers would pause, so links need a label.
 */
export function UrlText({ text, className = '' }: { text: string; className?: string }) {
  const [head, tail] = splitUrl(text)
  return (
    <span className={`flex min-w-0 ${className}`}>
      <span className="truncate">{head}</span>
      {tail === '' ? null : <span className="max-w-full shrink-0 truncate">{tail}</span>}
    </span>
  )
}
