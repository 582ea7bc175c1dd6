import { type FormEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../../components/controls/Button.tsx'
import { Field } from '../../../components/controls/Field.tsx'
import { Input } from '../../../components/controls/Input.tsx'
import { SampleSiteButton, useHasSampleSite } from '../../../components/crawl/SampleSiteButton.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { usePageTitle } from '../../../components/shell/SceneHeader.tsx'

/** What a newcomer sees: a field for an address, and a site to try it on that needs no internet. */
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
          <p className="text-muted">
            Give the address of a site, or try it on the sample site that comes with the program.
          </p>
        </div>
      </header>
      <Card title="Crawl a site">
        <form onSubmit={submit} className="flex flex-col gap-3">
          <Field label="Start url" help="The next page shows limits and pace before anything is fetched.">
            {(ids) => (
              <Input
                {...ids}
                autoFocus
                placeholder="https://example.com"
                value={url}
                onChange={(event) => setUrl(event.target.value)}
              />
            )}
          </Field>
          <Button type="submit" look="primary" className="self-start" disabled={url.trim() === ''}>
            Continue
          </Button>
        </form>
      </Card>
      {hasSampleSite ? (
        <Card title="Look around first">
          <p className="mb-3">
            The sample site is made by this program and served on this machine, so no internet is needed. It takes some
            ten seconds.
          </p>
          <SampleSiteButton />
        </Card>
      ) : null}
    </div>
  )
}
