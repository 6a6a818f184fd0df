import { isApiError } from '@svc/sdk'
import { type ReactNode, useState } from 'react'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { signInByPassword } from './link.ts'
import { useSubmit } from './use-submit.ts'

interface Props {
  readonly onSignIn: (token: string) => Promise<void>
  readonly children: ReactNode
}

/** Email, password and, where the person has a second factor, its code. */
export function PasswordForm({ onSignIn, children }: Props) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const { busy, error, onSubmit } = useSubmit(async () => {
    const totp_code = code.trim() === '' ? undefined : code.trim()
    await onSignIn(await signInByPassword({ email: email.trim(), password, totp_code }))
  })
  const needsCode = isApiError(error) && (error.code === 'totp_required' || code !== '')

  return (
    <form className="grid gap-3" onSubmit={onSubmit}>
      <Field label="Email" type="email" autoComplete="username" required value={email} onChange={setEmail} />
      <Field
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
      />
      {needsCode && (
        <Field
          label="Authenticator or recovery code"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          value={code}
          onChange={setCode}
        />
      )}
      {children}
      <button type="submit" className="button primary" disabled={busy}>
        {busy ? 'Signing in…' : 'Sign in'}
      </button>
      <Failure error={error} />
    </form>
  )
}
