import type { Capability } from '@svc/facts'
import type { Token } from '@svc/sdk'
import type { ReactNode } from 'react'
import { GuardedButton } from '../parts/guarded-button.tsx'
import { Moment } from '../parts/moment.tsx'

interface Props {
  readonly token: Token
  readonly needs: Capability | undefined
  /** Of the column that only this kind has. */
  readonly more: ReactNode
  readonly onRotate: (() => void) | undefined
  readonly onRevoke: () => void
}

/** One token: its first characters, its use and its end. */
export function TokenRow({ token, needs, more, onRotate, onRevoke }: Props) {
  return (
    <tr>
      <th scope="row" dir="auto">
        {token.name}
      </th>
      <td>
        <code>{token.prefix}</code>
      </td>
      {more !== undefined && <td>{more}</td>}
      <td>{token.last_used_at === null ? 'never' : <Moment at={token.last_used_at} />}</td>
      <td>{token.expires_at === null ? 'when revoked' : <Moment at={token.expires_at} />}</td>
      {onRotate !== undefined && (
        <td>
          <GuardedButton needs={needs} className="button small" onClick={onRotate}>
            Rotate
          </GuardedButton>
        </td>
      )}
      <td>
        <GuardedButton needs={needs} className="button small danger" onClick={onRevoke}>
          Revoke
        </GuardedButton>
      </td>
    </tr>
  )
}
