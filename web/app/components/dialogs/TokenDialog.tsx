import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useStore } from '../../page/store.ts'
import { client, errorMessage, queryClient } from '../../server/api.ts'
import { tokenRequiredStore } from '../../server/token-required.ts'
import { Button } from '../controls/Button.tsx'
import { Field } from '../controls/Field.tsx'
import { Input } from '../controls/Input.tsx'
import { Dialog } from './Dialog.tsx'

/** Asks for a token when the server wants one, and keeps it as a cookie that no script can read. */
export function TokenDialog() {
  const isWanted = useStore(tokenRequiredStore)
  const [token, setToken] = useState('')
  const open = useMutation({
    mutationFn: (token: string) => client.openSession({ body: { token } }),
    onSuccess: () => {
      setToken('')
      tokenRequiredStore.set(false)
      void queryClient.invalidateQueries()
    },
  })
  if (!isWanted) return null
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    open.mutate(token.trim())
  }
  return (
    <Dialog title="This server wants a token" onClose={() => tokenRequiredStore.set(false)}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field
          label="Token"
          problem={open.isError ? errorMessage(open.error) : undefined}
          help={
            <>
              Make one on the server with <code className="font-mono">./orbweaver token create my-browser admin</code>.
            </>
          }
        >
          {(ids) => (
            <Input
              {...ids}
              type="password"
              autoFocus
              value={token}
              onChange={(event) => setToken(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end">
          <Button type="submit" look="primary" disabled={token.trim() === '' || open.isPending}>
            Sign in
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
