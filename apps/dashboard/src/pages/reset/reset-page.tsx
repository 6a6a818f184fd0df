import { Link, useNavigate } from '@tanstack/react-router'
import { recoveryToken } from '../../sign-in/link.ts'
import { ResetForm } from '../../sign-in/reset-form.tsx'
import { exchange } from '../../sign-in/exchange.ts'
import { keep } from '../../sign-in/signed-in-as.ts'
import { useState } from 'react'
import { Page } from '../../parts/page.tsx'

/** The page of a forgotten password where a person is signed in already: the link of a mail works, or the profile. */
export function ResetPage() {
  const navigate = useNavigate()
  const [byLink] = useState(() => recoveryToken(location.hash) !== null)
  return (
    <Page title="Set a new password" narrow>
      {byLink ? (
        <div className="max-w-96">
          <ResetForm
            onSignIn={async (token) => {
              keep(await exchange(token, false))
              location.assign('/dashboard/')
            }}
            onBack={() => void navigate({ to: '/' })}
          >
            {null}
          </ResetForm>
        </div>
      ) : (
        <p className="hint">
          You are signed in: change it in your{' '}
          <Link to="/account/$part" params={{ part: 'profile' }}>
            profile
          </Link>
          . If you have forgotten it, sign out and come back here.
        </p>
      )}
    </Page>
  )
}
