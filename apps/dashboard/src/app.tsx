import { useState } from 'react'
import { Link, Redirect, Route, Router, Switch } from 'wouter'
import { Empty } from './parts/empty.tsx'
import { ProjectPage } from './projects/project-page.tsx'
import { ProjectsPage } from './projects/projects-page.tsx'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { SignedIn } from './sign-in/signed-in.tsx'
import { keepToken, keptToken } from './sign-in/token.ts'

/** Who is not signed in meets the sign-in at every address, and is where they meant to go after it. */
export function App() {
  const [token, setToken] = useState(keptToken)
  const [ended, setEnded] = useState<Error | null>(null)
  const signIn = (given: string) => {
    keepToken(given)
    setToken(given)
    setEnded(null)
  }
  const signOut = (why: Error | null) => {
    keepToken(null)
    setToken(null)
    setEnded(why)
  }
  if (token === null) return <SignInPage ended={ended} onSignIn={signIn} />
  return (
    <SignedIn key={token} token={token} onEnd={signOut}>
      <Router base="/dashboard">
        <a className="skip" href="#content">
          Skip to the content
        </a>
        <header className="top">
          <Link href="/" className="brand">
            svc
          </Link>
          <button type="button" className="quiet" onClick={() => signOut(null)}>
            Sign out
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
