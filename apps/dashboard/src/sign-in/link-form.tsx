import { isApiError } from '@svc/sdk'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { signInByLink } from './link.ts'

interface Props {
  readonly link_token: string
  readonly onSignIn: (token: string) => Promise<void>
  readonly onOther: () => void
  readonly children: ReactNode
}

/** A link signs in once the person presses the button, so that a link from a stranger signs no person in unseen. */
export function LinkForm({ link_token, onSignIn, onOther, children }: Props) {
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await onSignIn(await signInByLink(link_token, code.trim() === '' ? undefined : code.trim()))
    } catch (cause) {
      setError(cause)
      setBusy(false)
    }
  }

  const needs_code = isApiError(error) && (error.code === 'totp_required' || code !== '')
  return (
    <form className="grid gap-3" onSubmit={(event) => void submit(event)}>
      <p>This link signs you in, once. Go on if you asked for it or started the platform yourself.</p>
      {needs_code && (
        <Field
          label="Authenticator or recovery code"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={setCode}
        />
      )}
      {children}
      <div className="flex gap-2">
        <button type="submit" className="button primary" disabled={busy}>
          {busy ? 'Signing in…' : 'Continue'}
        </button>
        <button type="button" className="button quiet" onClick={onOther}>
          Sign in another way
        </button>
      </div>
      <Failure error={error} />
      {isApiError(error) && error.code === 'otp_expired' && (
        <p className="hint">Starting the platform again prints another one; or sign in another way.</p>
      )}
    </form>
  )
}
