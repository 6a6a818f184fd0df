import { type FormEvent, useId, useState } from 'react'
import { isApiError } from '@svc/sdk'
import { Failure } from '../parts/failure.tsx'
import { clientWith } from './client.ts'
import type { Credential } from './credential.ts'
import { pastedToken } from './pasted-token.ts'

/** Takes a token only after the API has taken it. */
export function TokenForm({ onSignIn }: { readonly onSignIn: (credential: Credential) => void }) {
  const field = useId()
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    const access_token = pastedToken(text)
    if (access_token === null)
      return setError(new Error('That is not an access token: paste the whole of one line.'))
    setBusy(true)
    setError(null)
    try {
      await clientWith(access_token).projects.list()
      onSignIn({ kind: 'token', access_token })
    } catch (cause) {
      setError(cause)
      setBusy(false)
    }
  }

  return (
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
        Make one with <code>npx svc tokens new dashboard --expires 12h</code>. It is kept in this tab only,
        until you close it or sign out.
      </p>
      <button type="submit" disabled={busy}>
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
