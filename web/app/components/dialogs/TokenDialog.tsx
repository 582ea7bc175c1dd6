import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useStore } from '../../page/store.ts'
import { client, errorMessage, refetchQueries } from '../../server/api.ts'
import { tokenRequiredStore } from '../../server/token-required.ts'
import { Button } from '../controls/Button.tsx'
import { Field } from '../controls/Field.tsx'
import { Input } from '../controls/Input.tsx'
import { Dialog } from './Dialog.tsx'

/** Asks for a token if the server requires one. The server stores it in an HttpOnly cookie. */
export function TokenDialog() {
  const isRequired = useStore(tokenRequiredStore)
  const [token, setToken] = useState('')
  const open = useMutation({
    mutationFn: (token: string) => client.openSession({ body: { token } }),
    onSuccess: () => {
      setToken('')
      tokenRequiredStore.set(false)
      void refetchQueries()
    },
  })
  if (!isRequired) return null
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    open.mutate(token.trim())
  }
  return (
    <Dialog title="Sign in with a token" onClose={() => tokenRequiredStore.set(false)}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field
          label="Token"
          problem={open.isError ? errorMessage(open.error) : undefined}
          help={
            <>
              Create one on the server: <code className="font-mono">./orbweaver token create my-browser admin</code>
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
          <Button type="submit" variant="primary" disabled={token.trim() === '' || open.isPending}>
            Sign in
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
