import { createClient } from '@svc/sdk'
import { type ReactNode, useState } from 'react'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { signInByCode } from './link.ts'
import { useSubmit } from './use-submit.ts'

interface Props {
  readonly onSignIn: (token: string) => Promise<void>
  readonly onBack: () => void
  readonly children: ReactNode
}

/** An address and a password; then the code that was mailed there. */
export function SignUpForm({ onSignIn, onBack, children }: Props) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState<string | null>(null)
  const { busy, error, onSubmit } = useSubmit(async () => {
    if (code !== null) return onSignIn(await signInByCode(email.trim(), code.trim()))
    await createClient({ api_url: `${location.origin}/v1` }).auth.signUp({ email: email.trim(), password })
    setCode('')
  })

  return (
    <form className="grid gap-3" onSubmit={onSubmit}>
      <Field label="Email" type="email" autoComplete="username" required value={email} onChange={setEmail} />
      <Field
        label="Password"
        type="password"
        autoComplete="new-password"
        required
        value={password}
        onChange={setPassword}
      />
      {code !== null && (
        <>
          <p role="status" className="notice">
            A code is on its way to this address.
          </p>
          <Field
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={setCode}
          />
        </>
      )}
      {children}
      <button type="submit" className="button primary" disabled={busy}>
        {code === null ? 'Create account' : 'Confirm'}
      </button>
      <button type="button" className="button quiet" onClick={onBack}>
        Sign in instead
      </button>
      <Failure error={error} />
    </form>
  )
}
