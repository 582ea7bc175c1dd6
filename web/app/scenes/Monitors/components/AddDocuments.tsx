import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { Button } from '../../../components/controls/Button.tsx'
import { Field } from '../../../components/controls/Field.tsx'
import { Input } from '../../../components/controls/Input.tsx'
import { client, errorMessage } from '../../../server/api.ts'
import { readDocumentFile } from '../read-document-file.ts'
import { refreshMonitors } from '../refresh.ts'

/** Adds documents from files, or pages of the archive by their URL. */
export function AddDocuments({ monitorId }: { monitorId: string }) {
  const params = { monitor_id: monitorId }
  const [url, setUrl] = useState('')
  const upload = useMutation({
    mutationFn: async (files: File[]) => {
      for (const file of files) {
        try {
          await client.addMonitorDocument({ params, body: await readDocumentFile(file) })
        } catch (error) {
          throw new Error(`${file.name}: ${errorMessage(error)}`, { cause: error })
        }
      }
    },
    // Refreshes even after an error, since files before the bad one were added.
    onSettled: refreshMonitors,
  })
  const addPage = useMutation({
    mutationFn: () => client.addMonitorDocument({ params, body: { url: url.trim() } }),
    onSuccess: () => {
      setUrl('')
      return refreshMonitors()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    addPage.mutate()
  }
  const choose = (event: ChangeEvent<HTMLInputElement>): void => {
    upload.mutate([...(event.target.files ?? [])])
    // Allows choosing the same file again.
    event.target.value = ''
  }
  return (
    <form onSubmit={submit} className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
      <Field
        label="Files"
        help={upload.isPending ? 'Adding…' : 'Text or HTML, up to 1 MB each.'}
        problem={upload.isError ? errorMessage(upload.error) : undefined}
      >
        {(ids) => (
          <input
            {...ids}
            type="file"
            multiple
            accept=".txt,.md,.html,.htm,text/plain,text/html"
            disabled={upload.isPending}
            onChange={choose}
            className="h-8 w-full min-w-0 rounded-md text-xs file:mr-2 file:h-8 file:rounded-md file:border file:border-solid file:border-line file:bg-surface file:px-2.5 file:text-body file:font-medium file:text-ink"
          />
        )}
      </Field>
      <Field
        label="Archived page"
        help="As it is now. Pages of its host are not reported."
        problem={addPage.isError ? errorMessage(addPage.error) : undefined}
      >
        {(ids) => (
          <span className="flex gap-2">
            <Input
              {...ids}
              type="url"
              placeholder="https://example.com/about"
              value={url}
              onChange={(event) => setUrl(event.target.value)}
            />
            <Button type="submit" disabled={url.trim() === '' || addPage.isPending}>
              Add
            </Button>
          </span>
        )}
      </Field>
    </form>
  )
}
