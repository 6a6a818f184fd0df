import type { Capability } from '@svc/facts'
import type { MintedToken, Token } from '@svc/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Confirm } from '../parts/dialog.tsx'
import { DataTable } from '../parts/data-table.tsx'
import { GuardedButton } from '../parts/guarded-button.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { NewToken } from './new-token.tsx'
import { RotateKey } from './rotate-key.tsx'
import { TokenRow } from './token-row.tsx'

/** The source of tokens of one kind. */
export interface TokenSource<Listed extends Token = Token> {
  readonly list: () => Promise<readonly Listed[]>
  readonly create: (input: { readonly name: string; readonly expires_at?: string }) => Promise<MintedToken>
  readonly revoke: (token_id: string) => Promise<void>
  /** Absent for those that are not rotated. */
  readonly rotate?: (token_id: string, input: { readonly grace_seconds: number }) => Promise<MintedToken>
}

interface Props<Listed extends Token> {
  readonly title: string
  /** The capability that a change of them takes, where they are a project's. */
  readonly needs?: Capability
  readonly hint: string
  readonly queryKey: readonly string[]
  readonly tokens: TokenSource<Listed>
  /** A column of what only this kind has. */
  readonly more?: { readonly column: string; readonly cell: (token: Listed) => ReactNode }
}

/** Tokens of one kind: known by their first characters, made, rotated, revoked. */
export function TokenList<Listed extends Token>({
  title,
  needs,
  hint,
  queryKey,
  tokens,
  more,
}: Props<Listed>) {
  const { rotate } = tokens
  const queries = useQueryClient()
  const [making, setMaking] = useState(false)
  const [ending, setEnding] = useState<Token | null>(null)
  const [rotating, setRotating] = useState<Token | null>(null)
  const list = useQuery({ queryKey, queryFn: tokens.list })
  const columns = [
    ...['Name', 'Begins with', ...(more === undefined ? [] : [more.column]), 'Used', 'Ends'],
    ...(rotate === undefined ? [] : ['Rotate']),
    'Revoke',
  ]
  const reread = () => queries.invalidateQueries({ queryKey })
  const revoke = useMutation({
    mutationFn: (token_id: string) => tokens.revoke(token_id),
    onSuccess: async () => {
      setEnding(null)
      await reread()
    },
  })
  return (
    <section className="grid gap-2">
      <div className="flex items-center gap-3">
        <h2>{title}</h2>
        <GuardedButton needs={needs} className="button small" onClick={() => setMaking(true)}>
          <Plus aria-hidden />
          {title === 'Gateway keys' ? 'New key' : 'New token'}
        </GuardedButton>
      </div>
      <p className="hint">{hint}</p>
      <Loaded query={list}>
        {(found) =>
          found.length === 0 ? (
            <p className="hint">None yet.</p>
          ) : (
            <DataTable caption={title} columns={columns}>
              {found.map((token) => (
                <TokenRow
                  key={token.token_id}
                  token={token}
                  needs={needs}
                  more={more?.cell(token)}
                  onRotate={rotate === undefined ? undefined : () => setRotating(token)}
                  onRevoke={() => setEnding(token)}
                />
              ))}
            </DataTable>
          )
        }
      </Loaded>
      {making && <NewToken tokens={tokens} onMade={reread} onClose={() => setMaking(false)} />}
      {rotating !== null && rotate !== undefined && (
        <RotateKey token={rotating} rotate={rotate} onMade={reread} onClose={() => setRotating(null)} />
      )}
      <Confirm
        title={`Revoke ${ending?.name ?? ''}?`}
        open={ending !== null}
        onOpenChange={(open) => open || setEnding(null)}
        verb="Revoke"
        busy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => ending !== null && revoke.mutate(ending.token_id)}
      >
        What uses it is refused from now on.
      </Confirm>
    </section>
  )
}
