import { createClient } from '@svc/sdk'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Failure } from '../parts/failure.tsx'
import { Field } from '../parts/field.tsx'
import { signInByCode } from './link.ts'

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
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      if (code === null) {
        await createClient({ api_url: `${location.origin}/v1` }).auth.signUp({
          email: email.trim(),
          password,
        })
        setCode('')
      } else await onSignIn(await signInByCode(email.trim(), code.trim()))
    } catch (cause) {
      setError(cause)
    }
    setBusy(false)
  }

  return (
    <form className="grid gap-3" onSubmit={(event) => void submit(event)}>
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
