import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/controls/Button.tsx'
import { Field } from '../../../components/controls/Field.tsx'
import { Input, Select } from '../../../components/controls/Input.tsx'
import { ConfirmDialog } from '../../../components/dialogs/ConfirmDialog.tsx'
import { Badge } from '../../../components/display/Badge.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { ErrorState } from '../../../components/display/EmptyState.tsx'
import { RelativeTime } from '../../../components/display/RelativeTime.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { ActionsHeader, Table, Td, Th, Tr } from '../../../components/display/Table.tsx'
import { showToast } from '../../../page/toasts.ts'
import { client, errorMessage, refetchQueries, useApi } from '../../../server/api.ts'
import { TOKEN_SCOPES, type TokenScope } from '../../../server/token-scopes.ts'
import { EXPIRY_CHOICES, SCOPE_DESCRIPTIONS, SCOPE_LABELS, type Token } from '../choice-labels.ts'
import { NewSecret } from './NewSecret.tsx'

const refresh = (): void => void refetchQueries({ queryKey: ['listTokens'] })

export function Tokens({ needsToken }: { needsToken: boolean }) {
  const tokens = useApi('listTokens', {})
  const [toRevoke, setToRevoke] = useState<Token | null>(null)
  const revoke = useMutation({
    mutationFn: (token: Token) => client.revokeToken({ params: { token_id: token.token_id } }),
    onSuccess: (_, token) => {
      showToast(`Token ${token.name} revoked.`)
      refresh()
    },
    onError: (error) => showToast(errorMessage(error), 'bad'),
    onSettled: () => setToRevoke(null),
  })
  const items = tokens.data?.items ?? []
  return (
    <Card title="Tokens" isFlush>
      <p className="px-3 pt-3 text-muted">
        {needsToken
          ? 'Every client of this server needs a token.'
          : 'This server is reachable only from this machine, so it requires no token.'}
      </p>
      <NewToken />
      {tokens.isPending ? <SkeletonRows rows={2} /> : null}
      {tokens.isError ? <ErrorState error={tokens.error} onRetry={() => void tokens.refetch()} /> : null}
      {tokens.data !== undefined && items.length === 0 ? <p className="p-3 text-muted">No tokens yet.</p> : null}
      {items.length > 0 ? (
        <Table label="Tokens">
          <thead>
            <tr>
              <Th>Name</Th>
              <Th>Scope</Th>
              <Th className="hidden sm:table-cell">Created</Th>
              <Th className="hidden sm:table-cell">Last used</Th>
              <Th className="hidden sm:table-cell">Expires</Th>
              <ActionsHeader />
            </tr>
          </thead>
          <tbody>
            {items.map((token) => (
              <Tr key={token.token_id}>
                <Td className="max-w-32 truncate font-medium sm:max-w-64">{token.name}</Td>
                <Td>
                  <Badge tone={token.scope === 'admin' ? 'warn' : 'neutral'}>{SCOPE_LABELS[token.scope]}</Badge>
                </Td>
                <Td className="hidden sm:table-cell">
                  <RelativeTime at={token.created_at} />
                </Td>
                <Td className="hidden sm:table-cell">
                  {token.last_used_at === null ? 'Never' : <RelativeTime at={token.last_used_at} />}
                </Td>
                <Td className="hidden sm:table-cell">
                  {token.expires_at === null ? 'Never' : <RelativeTime at={token.expires_at} />}
                </Td>
                <Td className="text-right">
                  <Button variant="danger" aria-label={`Revoke ${token.name}`} onClick={() => setToRevoke(token)}>
                    Revoke
                  </Button>
                </Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      ) : null}
      {toRevoke === null ? null : (
        <ConfirmDialog
          title={`Revoke ${toRevoke.name}?`}
          text="Clients that use this token lose access at once. This cannot be undone."
          action="Revoke token"
          isBusy={revoke.isPending}
          onConfirm={() => revoke.mutate(toRevoke)}
          onClose={() => setToRevoke(null)}
        />
      )}
    </Card>
  )
}

function expiryAfter(days: number | null): string | null {
  return days === null ? null : new Date(Date.now() + days * 86_400_000).toISOString()
}

function NewToken() {
  const [name, setName] = useState('')
  const [scope, setScope] = useState<TokenScope>('read')
  const [days, setDays] = useState<number | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const create = useMutation({
    mutationFn: () => client.createToken({ body: { name: name.trim(), scope, expires_at: expiryAfter(days) } }),
    onSuccess: ({ token }) => {
      setName('')
      setSecret(token)
      refresh()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <form onSubmit={submit} className="grid items-end gap-3 border-b border-line p-3 sm:grid-cols-[1fr_1fr_auto_auto]">
      <Field label="Name" problem={create.isError ? errorMessage(create.error) : undefined}>
        {(ids) => <Input {...ids} value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Field label="Scope">
        {(ids) => (
          <Select
            {...ids}
            value={scope}
            onChange={(event) => setScope(TOKEN_SCOPES.find((option) => option === event.target.value) ?? 'read')}
          >
            {TOKEN_SCOPES.map((option) => (
              <option key={option} value={option}>
                {SCOPE_DESCRIPTIONS[option]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Expires">
        {(ids) => (
          <Select {...ids} value={days ?? ''} onChange={(event) => setDays(Number(event.target.value) || null)}>
            {EXPIRY_CHOICES.map(({ days: after, label }) => (
              <option key={label} value={after ?? ''}>
                {label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Button type="submit" variant="primary" disabled={name.trim() === '' || create.isPending}>
        Create token
      </Button>
      {secret === null ? null : <NewSecret title="New token" secret={secret} onClose={() => setSecret(null)} />}
    </form>
  )
}
