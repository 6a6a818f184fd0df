import { useState } from 'react'
import { Link, Redirect, Route, Router, Switch } from 'wouter'
import { Empty } from './parts/empty.tsx'
import { forgetDrafts } from './parts/use-draft.ts'
import { ProjectPage } from './projects/project-page.tsx'
import { ProjectsPage } from './projects/projects-page.tsx'
import { type Beginning, keepSignIn } from './sign-in/begin.ts'
import { end } from './sign-in/client.ts'
import { type Credential, keepCredential, keptCredential } from './sign-in/credential.ts'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { SignedIn } from './sign-in/signed-in.tsx'

/** The reason why a person meets the sign-in. */
interface Here {
  readonly ended: boolean
  readonly problem: unknown
  readonly link_token: string | null
}

const platformUnreached =
  'This tab forgot its sign-in, but the platform was not reached to end it there. It ends by itself once nothing uses it.'

/** A person who is not signed in meets the sign-in at every address, and is where they meant to go after it. */
export function App({ beginning }: { readonly beginning: Beginning }) {
  const [signedIn, setSignedIn] = useState(beginning.credential !== null)
  const [leaving, setLeaving] = useState(false)
  const [here, setHere] = useState<Here>({ ...beginning, ended: false })
  const signIn = async (given: Credential) => {
    await keepSignIn(given)
    setSignedIn(true)
  }
  const forget = (why: Omit<Here, 'link_token'>) => {
    keepCredential(null)
    setHere({ ...why, link_token: null })
    setSignedIn(false)
    setLeaving(false)
  }
  const signOut = async () => {
    setLeaving(true)
    forgetDrafts()
    try {
      await end(keptCredential())
      forget({ ended: false, problem: null })
    } catch (cause) {
      const problem = new Error(platformUnreached, { cause })
      forget({ ended: false, problem })
    }
  }
  if (!signedIn) return <SignInPage {...here} onSignIn={(given) => void signIn(given)} />
  return (
    <SignedIn onEnd={() => forget({ ended: true, problem: null })}>
      <Router base="/dashboard">
        <a className="skip" href="#content">
          Skip to the content
        </a>
        <header className="top">
          <Link href="/" className="brand">
            svc
          </Link>
          <button type="button" className="quiet" disabled={leaving} onClick={() => void signOut()}>
            {leaving ? 'Signing out…' : 'Sign out'}
          </button>
        </header>
        <main id="content" tabIndex={-1}>
          <Switch>
            <Route path="/" component={ProjectsPage} />
            <Route path="/projects">
              <Redirect to="/" replace />
            </Route>
            <Route path="/projects/:project_id" nest>
              {({ project_id }) => <ProjectPage key={project_id} project_id={project_id} />}
            </Route>
            <Route>
              <Empty title="There is no such page">
                <Link href="/">All projects</Link>
              </Empty>
            </Route>
          </Switch>
        </main>
      </Router>
    </SignedIn>
  )
}
