import { type FormEvent, type ReactNode, useState } from 'react'
import { isApiError } from '@svc/sdk'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { pastedToken } from './pasted-token.ts'

interface Props {
  readonly onSignIn: (token: string) => Promise<void>
  readonly children?: ReactNode
}

/** Takes a token only after the API has taken it. */
export function TokenForm({ onSignIn, children }: Props) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const token = pastedToken(text)
    if (token === null)
      return setError(new Error('That is not an access token: paste the whole of one line.'))
    setBusy(true)
    setError(null)
    try {
      await onSignIn(token)
    } catch (cause) {
      setError(cause)
      setBusy(false)
    }
  }

  return (
    <form className="grid gap-3" onSubmit={(event) => void submit(event)}>
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
