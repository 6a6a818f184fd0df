import { type ReactNode, useState } from 'react'
import { Failure } from '../parts/failure.tsx'
import { beginSignIn } from './authorization.ts'
import type { Credential } from './credential.ts'
import { LinkForm } from './link-form.tsx'
import { TokenForm } from './token-form.tsx'

interface Props {
  /** The reason why a person is here who was signed in before, or who wanted to be. */
  readonly ended: boolean
  readonly problem: unknown
  /** The token of a link that was opened, which signs in once. */
  readonly link_token: string | null
  readonly onSignIn: (credential: Credential) => void
}

/** Sign-in by the pages of the platform, by a link that works once, or with a token for a caller that is no person. */
export function SignInPage({ ended, problem, link_token, onSignIn }: Props) {
  const [link, setLink] = useState(link_token)
  return (
    <main className="sign-in">
      <title>Sign in · svc</title>
      <h1>Sign in</h1>
      {ended && (
        <p role="status">You were signed out: your sign-in or your token was revoked or has ended.</p>
      )}
      <Failure error={problem} />
      {link !== null ? (
        <LinkForm link_token={link} onSignIn={onSignIn} onOther={() => setLink(null)} />
      ) : (
        <Ways>
          <TokenForm onSignIn={onSignIn} />
        </Ways>
      )}
    </main>
  )
}

function Ways({ children }: { readonly children: ReactNode }) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  // Without TLS another computer's browser computes no proof for the code, and a password would be read on the way.
  if (!isSecureContext)
    return (
      <>
        <p className="hint">Signing in needs https, or a browser on the platform's own computer.</p>
        {children}
      </>
    )
  const leave = async () => {
    setBusy(true)
    setError(null)
    try {
      await beginSignIn()
    } catch (cause) {
      setError(cause)
      setBusy(false)
    }
  }
  return (
    <>
      <p className="hint">
        With your password, your provider or a token of yours; you come back to this page.
      </p>
      <button type="button" disabled={busy} onClick={() => void leave()}>
        {busy ? 'Signing in…' : 'Sign in'}
      </button>
      <Failure error={error} />
      <details>
        <summary>Use a token instead</summary>
        {children}
      </details>
      <p className="hint">
        New here, and the platform runs on your computer? <code>npm start</code> prints a link that signs you
        in.
      </p>
    </>
  )
}
