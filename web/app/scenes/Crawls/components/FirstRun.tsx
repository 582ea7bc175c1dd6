import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../../components/controls/Button.tsx'
import { Field } from '../../../components/controls/Field.tsx'
import { Input } from '../../../components/controls/Input.tsx'
import { SampleSiteButton, useHasSampleSite } from '../../../components/crawl/SampleSiteButton.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { usePageTitle } from '../../../components/shell/SceneHeader.tsx'

/** Shown while there are no crawls: a field for a URL, and the sample site. */
export function FirstRun() {
  usePageTitle('Welcome')
  const [, navigate] = useLocation()
  const [url, setUrl] = useState('')
  const hasSampleSite = useHasSampleSite()
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    navigate(`/new?url=${encodeURIComponent(url.trim())}`)
  }
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-4 px-4 py-12">
      <header className="flex items-center gap-3">
        <img src="/icon.svg" alt="" width="36" height="36" />
        <div>
          <h1 className="text-lg font-semibold">No crawls yet</h1>
          <p className="text-muted">Enter the URL of a site, or try Orbweaver on its sample site.</p>
        </div>
      </header>
      <Card title="New crawl">
        <form onSubmit={submit} className="flex flex-col gap-3">
          <Field label="Start URL" help="You can review the settings before the crawl starts.">
            {(ids) => (
              <Input
                {...ids}
                autoFocus
                placeholder="example.com"
                value={url}
                onChange={(event) => setUrl(event.target.value)}
              />
            )}
          </Field>
          <Button type="submit" variant="primary" className="self-start" disabled={url.trim() === ''}>
            Continue
          </Button>
        </form>
      </Card>
      {hasSampleSite ? (
        <Card title="Sample site">
          <p className="mb-3">
            Orbweaver serves the sample site on this machine, so you do not need the internet. Crawling it takes about
            ten seconds.
          </p>
          <SampleSiteButton />
        </Card>
      ) : null}
    </div>
  )
}
