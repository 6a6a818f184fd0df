import { type ReactNode, useState } from 'react'
import { Failure } from '../parts/failure.tsx'
import { beginSignIn } from './authorization.ts'
import { LinkForm } from './link-form.tsx'
import { PasswordForm } from './password-form.tsx'
import { ResetForm } from './reset-form.tsx'
import { SignUpForm } from './sign-up-form.tsx'
import { TokenForm } from './token-form.tsx'

interface Props {
  /** The reason why a person is here who was signed in before, or who wanted to be. */
  readonly ended: boolean
  readonly problem: unknown
  /** The token of a link that was opened, which signs in once. */
  readonly link_token: string | null
  readonly onSignIn: (token: string, keep: boolean) => Promise<void>
}

/** Sign-in with a password, by the pages of the platform, by a link that works once, or with a token. */
export function SignInPage({ ended, problem, link_token, onSignIn }: Props) {
  const [link, setLink] = useState(link_token)
  const [way, setWay] = useState(wayOf(location.pathname))
  const [keep, setKeep] = useState(false)
  const signIn = (token: string) => onSignIn(token, keep)
  const keepMe = (
    <label className="flex items-center gap-2 text-13">
      <input type="checkbox" checked={keep} onChange={({ target }) => setKeep(target.checked)} />
      Keep me signed in
    </label>
  )
  const title = titles[way]
  return (
    <main id="content" className="mx-auto grid w-full max-w-96 gap-4 px-4 py-16">
      <title>{`${title} · svc`}</title>
      <p className="text-16 font-semibold" aria-hidden>
        svc
      </p>
      <h1>{title}</h1>
      {ended && (
        <p role="status" className="notice">
          You were signed out: your sign-in or your token was revoked or has ended.
        </p>
      )}
      <Failure error={problem} />
      {link !== null ? (
        <LinkForm link_token={link} onSignIn={signIn} onOther={() => setLink(null)}>
          {keepMe}
        </LinkForm>
      ) : way === 'sign-up' ? (
        <SignUpForm onSignIn={signIn} onBack={() => setWay('sign-in')}>
          {keepMe}
        </SignUpForm>
      ) : way === 'reset' ? (
        <ResetForm onSignIn={signIn} onBack={() => setWay('sign-in')}>
          {keepMe}
        </ResetForm>
      ) : (
        <Ways keep={keep} keepMe={keepMe} onSignIn={signIn}>
          <WayLink to="sign-up" onChoose={setWay}>
            Create an account
          </WayLink>
          <WayLink to="reset" onChoose={setWay}>
            Forgot your password?
          </WayLink>
        </Ways>
      )}
    </main>
  )
}

type Way = 'sign-in' | 'sign-up' | 'reset'

const titles: Readonly<Record<Way, string>> = {
  'sign-in': 'Sign in',
  'sign-up': 'Create an account',
  reset: 'Set a new password',
}

function wayOf(path: string): Way {
  return path === '/dashboard/sign-up' ? 'sign-up' : path === '/dashboard/reset' ? 'reset' : 'sign-in'
}

interface WayLinkProps {
  readonly to: Exclude<Way, 'sign-in'>
  readonly onChoose: (way: Way) => void
  readonly children: string
}

/** Stays at the address, which is where the person goes on after it. */
function WayLink({ to, onChoose, children }: WayLinkProps) {
  return (
    <a
      href={`/dashboard/${to}`}
      onClick={(event) => {
        event.preventDefault()
        onChoose(to)
      }}
    >
      {children}
    </a>
  )
}

interface WaysProps {
  readonly keep: boolean
  readonly keepMe: ReactNode
  readonly onSignIn: (token: string) => Promise<void>
  readonly children: ReactNode
}

function Ways({ keep, keepMe, onSignIn, children }: WaysProps) {
  const [token, setToken] = useState(false)
  // Without TLS a password would be read on the way, and the browser computes no proof for a code.
  if (!isSecureContext)
    return (
      <>
        <p className="hint">Signing in needs https, or a browser on the platform's own computer.</p>
        <TokenForm onSignIn={onSignIn}>{keepMe}</TokenForm>
      </>
    )
  return (
    <>
      <PasswordForm onSignIn={onSignIn}>{keepMe}</PasswordForm>
      <p className="flex flex-wrap justify-between gap-2 text-13">{children}</p>
      <div className="grid gap-3 border-t border-n6 pt-4">
        <ProviderButton keep={keep} />
        {token ? (
          <TokenForm onSignIn={onSignIn} />
        ) : (
          <button type="button" className="button" onClick={() => setToken(true)}>
            Use a token instead
          </button>
        )}
      </div>
      <p className="hint">
        New here, and the platform runs on your computer? <code>npm start</code> prints a link that signs you
        in.
      </p>
    </>
  )
}

/** Leaves for the pages of the platform, where providers and a browser that is known sign in. */
function ProviderButton({ keep }: { readonly keep: boolean }) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const leave = async () => {
    setBusy(true)
    setError(null)
    try {
      await beginSignIn(keep)
    } catch (cause) {
      setError(cause)
      setBusy(false)
    }
  }
  return (
    <>
      <button type="button" className="button" disabled={busy} onClick={() => void leave()}>
        Continue with your provider
      </button>
      <Failure error={error} />
    </>
  )
}
