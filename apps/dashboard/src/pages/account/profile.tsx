import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useMe } from '../../frame/use-me.ts'
import { Failure } from '../../parts/failure.tsx'
import { Field } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { toast } from '../../parts/toast.tsx'
import { useClient } from '../../sign-in/signed-in.tsx'
import { PersonalName } from './personal-name.tsx'
import { TwoFactor } from './two-factor.tsx'

/** The person as they are known here, their password, and their second factor. */
export function Profile() {
  const me = useMe()
  return (
    <Loaded query={me}>
      {(person) =>
        person === null ? (
          <p className="hint">This token is no person, so it has no profile.</p>
        ) : (
          <>
            <PersonalName key={person.user_id} name={person.name} email={person.email} />
            <Password />
            <TwoFactor />
          </>
        )
      }
    </Loaded>
  )
}

function Password() {
  const { auth } = useClient()
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const change = useMutation({
    mutationFn: () =>
      auth.changePassword({ password: next, ...(current === '' ? {} : { current_password: current }) }),
    onSuccess: () => {
      setCurrent('')
      setNext('')
      toast('Your password was changed; your other sign-ins have ended.')
    },
  })
  return (
    <form
      className="grid max-w-md gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate()
      }}
    >
      <h2>Password</h2>
      <Field
        label="Current password"
        type="password"
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
        hint="Empty where you have none yet."
      />
      <Field
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        value={next}
        onChange={setNext}
      />
      <Failure error={change.error} />
      <p>
        <button type="submit" className="button" disabled={change.isPending || next === ''}>
          Change password
        </button>
      </p>
    </form>
  )
}
