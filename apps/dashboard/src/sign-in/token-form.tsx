import { type ReactNode, useState } from 'react'
import { isApiError } from '@svc/sdk'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { pastedToken } from './pasted-token.ts'
import { useSubmit } from './use-submit.ts'

interface Props {
  readonly onSignIn: (token: string) => Promise<void>
  readonly children?: ReactNode
}

/** Takes a token only after the API has taken it. */
export function TokenForm({ onSignIn, children }: Props) {
  const [text, setText] = useState('')
  const { busy, error, onSubmit } = useSubmit(async () => {
    const token = pastedToken(text)
    if (token === null) throw new Error('That is not an access token: paste the whole of one line.')
    await onSignIn(token)
  })

  return (
    <form className="grid gap-3" onSubmit={onSubmit}>
      <Field
        label="Access token"
        autoComplete="off"
        spellCheck={false}
        required
        value={text}
        onChange={setText}
        hint={
          <>
            Make one with <code>npx svc tokens new dashboard --expires 12h</code>.
          </>
        }
      />
      {children}
      <button type="submit" className="button primary" disabled={busy}>
        {busy ? 'Signing in…' : 'Use the token'}
      </button>
      {isApiError(error) && error.status === 401 && (
        <p className="hint">
          This token is wrong, was revoked or has ended: make another one and paste that.
        </p>
      )}
      <Failure error={error} />
    </form>
  )
}
