import { Field } from '../../../components/controls/Field.tsx'
import { Input, TextArea } from '../../../components/controls/Input.tsx'
import { Card } from '../../../components/display/Card.tsx'
import type { NewCrawlBody } from '../useCrawlCheck.ts'
import { SizeEstimate } from './SizeEstimate.tsx'

export interface StartUrlsInput {
  url: string
  /** One per line. */
  more: string
}

/** The start URLs, the only input without a default. */
export function StartUrls({
  start,
  onChange,
  problem,
  body,
  isReady,
}: {
  start: StartUrlsInput
  onChange: (startUrlsInput: StartUrlsInput) => void
  problem: string | undefined
  body: NewCrawlBody
  isReady: boolean
}) {
  return (
    <Card>
      <div className="flex flex-col gap-3">
        <Field
          label="Start URL"
          problem={problem}
          help="Where the crawl begins. It stays on this host unless you change the scope."
        >
          {(ids) => (
            <Input
              {...ids}
              autoFocus
              className="h-10 text-sm"
              inputMode="url"
              placeholder="example.com"
              value={start.url}
              onChange={(event) => onChange({ ...start, url: event.target.value })}
            />
          )}
        </Field>
        <details>
          <summary className="w-fit rounded text-muted hover:text-ink">More start URLs</summary>
          <div className="pt-2">
            <Field label="More start URLs" help="One per line.">
              {(ids) => (
                <TextArea
                  {...ids}
                  rows={4}
                  value={start.more}
                  onChange={(event) => onChange({ ...start, more: event.target.value })}
                />
              )}
            </Field>
          </div>
        </details>
        <SizeEstimate body={body} isReady={isReady} />
      </div>
    </Card>
  )
}
