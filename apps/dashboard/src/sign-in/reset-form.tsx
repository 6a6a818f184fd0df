import { isApiError } from '@svc/sdk'
import { type ReactNode, useEffect, useState } from 'react'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { askForReset, recoveryToken, signInByReset } from './link.ts'
import { useSubmit } from './use-submit.ts'

interface Props {
  readonly onSignIn: (token: string) => Promise<void>
  readonly onBack: () => void
  readonly children: ReactNode
}

/** Sets a new password, by a code that is mailed to the address or by the link of that mail. */
export function ResetForm({ onSignIn, onBack, children }: Props) {
  const [link_token] = useState(() => recoveryToken(location.hash))
  const [email, setEmail] = useState('')
  const [sent, setSent] = useState(false)
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const [factor, setFactor] = useState('')
  const proved = link_token !== null || sent
  const { busy, error, onSubmit } = useSubmit(async () => {
    if (proved) {
      const proof = link_token === null ? { email: email.trim(), token: code.trim() } : { link_token }
      return onSignIn(await signInByReset(proof, password, factor.trim() === '' ? undefined : factor.trim()))
    }
    await askForReset(email.trim())
    setSent(true)
  })
  // The token stays in no history.
  useEffect(() => {
    if (link_token !== null) history.replaceState(history.state, '', location.pathname)
  }, [link_token])
  const needsFactor = isApiError(error) && (error.code === 'totp_required' || factor !== '')

  return (
    <form className="grid gap-3" onSubmit={onSubmit}>
      {link_token === null && (
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          required
          readOnly={sent}
          value={email}
          onChange={setEmail}
        />
      )}
      {sent && (
        <>
          <p role="status" className="notice">
            If this address is known here, a code is on its way to it.
          </p>
          <Field
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            autoFocus
            value={code}
            onChange={setCode}
          />
        </>
      )}
      {proved && (
        <Field
          label="New password"
          type="password"
          autoComplete="new-password"
          required
          value={password}
          onChange={setPassword}
          hint="Your other sign-ins end."
        />
      )}
      {needsFactor && (
        <Field
          label="Authenticator or recovery code"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={factor}
          onChange={setFactor}
        />
      )}
      {proved && children}
      <button type="submit" className="button primary" disabled={busy}>
        {proved ? 'Set password' : 'Send a code'}
      </button>
      <button type="button" className="button quiet" onClick={onBack}>
        Sign in instead
      </button>
      <Failure error={error} />
    </form>
  )
}
