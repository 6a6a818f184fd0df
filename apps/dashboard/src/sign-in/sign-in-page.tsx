import { type FormEvent, useId, useState } from 'react'
import { isApiError } from '@svc/sdk'
import { Failure } from '../parts/failure.tsx'
import { clientWith } from './client.ts'
import { pastedToken } from './pasted-token.ts'

interface Props {
  /** The refusal that ended what was signed in before. */
  readonly ended: Error | null
  readonly onSignIn: (token: string) => void
}

/** Takes a token only after the API has taken it. */
export function SignInPage({ ended, onSignIn }: Props) {
  const field = useId()
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(ended)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const token = pastedToken(text)
    if (token === null)
      return setError(new Error('That is not an access token: paste the whole of one line.'))
    setBusy(true)
    setError(null)
    try {
      await clientWith(token).projects.list()
      onSignIn(token)
    } catch (cause) {
      setError(cause)
      setBusy(false)
    }
  }

  const refused = isApiError(error) && error.status === 401
  return (
    <main className="sign-in">
      <title>Sign in · svc</title>
      <h1>Sign in</h1>
      {ended !== null && <p role="status">You were signed out: your token was revoked or has ended.</p>}
      <form onSubmit={(event) => void submit(event)}>
        <label htmlFor={field}>Access token</label>
        <input
          id={field}
          type="password"
          autoComplete="off"
          spellCheck={false}
          required
          value={text}
          aria-describedby={`${field}-hint`}
          onChange={({ target }) => setText(target.value)}
        />
        <p id={`${field}-hint`} className="hint">
          Make one with <code>svc tokens new dashboard --expires 12h</code>. It is kept in this tab only,
          until you close it or sign out.
        </p>
        <button type="submit" disabled={busy}>
          {busy ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
      {refused && ended !== error && (
        <p className="hint">
          This token is wrong, was revoked or has ended: make another one and paste that.
        </p>
      )}
      <Failure error={error} />
    </main>
  )
}
