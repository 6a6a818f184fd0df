import { createRouter, RouterProvider } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { forgetDrafts } from './drafts/use-draft.ts'
import { BrokenPage } from './frame/broken-page.tsx'
import { Frame } from './frame/frame.tsx'
import { frameRoute } from './frame/routes.ts'
import { routeTree } from './pages/index.ts'
import type { Beginning } from './sign-in/begin.ts'
import { endAtPlatform } from './sign-in/client.ts'
import { exchange } from './sign-in/exchange.ts'
import { SignInPage } from './sign-in/sign-in-page.tsx'
import { SignedIn } from './sign-in/signed-in.tsx'
import { forget, keep, kept, onOtherTab } from './sign-in/signed-in-as.ts'

/** The reason why a person meets the sign-in. */
interface Here {
  readonly ended: boolean
  readonly problem: unknown
  readonly link_token: string | null
}

/** Addresses of the sign-in itself, which lead on to Home. */
const places = ['/dashboard/sign-up', '/dashboard/sign-in', '/dashboard/reset']

const platformUnreached =
  'This browser forgot its sign-in, but the platform was not reached to end it there. It ends by itself once nothing uses it.'

let leave: () => void = () => undefined
frameRoute.update({ component: () => <Frame onSignOut={() => leave()} /> })

const router = createRouter({
  routeTree,
  basepath: '/dashboard',
  defaultPreload: 'intent',
  defaultErrorComponent: BrokenPage,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

/** A person who is not signed in meets the sign-in at every address, and is where they meant to go after it. */
export function App({ beginning }: { readonly beginning: Beginning }) {
  const [as, setAs] = useState(() => (beginning.signed_in ? kept() : null))
  const [here, setHere] = useState<Here>({ ...beginning, ended: false })
  // Another tab signed in or out: this one follows.
  useEffect(() => onOtherTab(() => setAs(kept())), [])
  const signIn = async (token: string, keepMe: boolean) => {
    const now = await exchange(token, keepMe)
    keep(now)
    if (places.includes(location.pathname)) await router.navigate({ to: '/', replace: true })
    setAs(now)
  }
  const out = (why: Omit<Here, 'link_token'>) => {
    setHere({ ...why, link_token: null })
    setAs(null)
  }
  leave = () => {
    if (as === null) return
    forgetDrafts()
    forget(as)
    void endAtPlatform(as).then(
      () => out({ ended: false, problem: null }),
      (cause: unknown) => out({ ended: false, problem: new Error(platformUnreached, { cause }) }),
    )
  }
  const onEnd = () => {
    if (as !== null) forget(as)
    out({ ended: true, problem: null })
  }
  if (as === null) return <SignInPage {...here} onSignIn={signIn} />
  return (
    <SignedIn key={as.kind === 'browser' ? as.page_key : as.token} as={as} onEnd={onEnd}>
      <RouterProvider router={router} />
    </SignedIn>
  )
}
