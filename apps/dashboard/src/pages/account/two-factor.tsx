import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Copy } from '../../parts/copy.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'

/** A second factor: switched on with its secret and a code of it, off with a code. */
export function TwoFactor() {
  const { auth } = useClient()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const enrol = useMutation({
    mutationFn: () => auth.totp.enrol(password === '' ? {} : { password }),
    onSuccess: () => setPassword(''),
  })
  const confirm = useMutation({ mutationFn: () => auth.totp.confirm(code.trim()) })
  const disable = useMutation({
    mutationFn: () => auth.totp.disable(code.trim()),
    onSuccess: () => {
      setCode('')
      toast('Two-factor sign-in is off.')
    },
  })
  if (confirm.data !== undefined)
    return (
      <section className="grid gap-2">
        <h2>Recovery codes</h2>
        <p className="hint">Each signs you in once without your authenticator. They are shown this once.</p>
        <pre className="block" tabIndex={0} role="group" aria-label="Recovery codes">
          {confirm.data.join('\n')}
        </pre>
        <p>
          <Copy text={confirm.data.join('\n')} />
        </p>
      </section>
    )
  return (
    <section className="grid max-w-md gap-3">
      <h2>Two-factor sign-in</h2>
      {enrol.data === undefined ? (
        <Field
          label="Password (to switch it on)"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
        />
      ) : (
        <Field
          label="Secret for your authenticator"
          value={enrol.data.secret}
          onChange={() => undefined}
          readOnly
        />
      )}
      <Field
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
        hint="Of your authenticator: to confirm it, or to switch it off."
      />
      <Failure error={enrol.error ?? confirm.error ?? disable.error} />
      <p className="flex gap-2">
        {enrol.data === undefined ? (
          <button type="button" className="button" onClick={() => enrol.mutate()}>
            Switch on
          </button>
        ) : (
          <button type="button" className="button primary" onClick={() => confirm.mutate()}>
            Confirm
          </button>
        )}
        <button
          type="button"
          className="button"
          disabled={code.trim() === ''}
          onClick={() => disable.mutate()}
        >
          Switch off
        </button>
      </p>
    </section>
  )
}
