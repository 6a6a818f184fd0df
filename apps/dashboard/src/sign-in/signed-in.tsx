import { type Client, isApiError } from '@svc/sdk'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useState } from 'react'
import { clientAs } from './client.ts'
import type { SignedInAs } from './signed-in-as.ts'

const SignInContext = createContext<SignedInAs | null>(null)
const ClientContext = createContext<Client | null>(null)

/** The client of the signed-in person. */
export function useClient(): Client {
  const client = use(ClientContext)
  if (client === null) throw new Error('No person is signed in here')
  return client
}

/** The sign-in itself, for what has a client of its own. */
export function useSignInAs(): SignedInAs {
  const as = use(SignInContext)
  if (as === null) throw new Error('No person is signed in here')
  return as
}

interface Props {
  readonly as: SignedInAs
  /** Called when the API takes the sign-in no more. */
  readonly onEnd: () => void
  readonly children: ReactNode
}

/** Everything below belongs to one sign-in: data that was read with it goes when it goes. */
export function SignedIn({ as, onEnd, children }: Props) {
  const [client] = useState(() => clientAs(as))
  const [queries] = useState(() => {
    const onError = (error: Error) => {
      if (isApiError(error) && error.status === 401) onEnd()
    }
    return new QueryClient({
      queryCache: new QueryCache({ onError }),
      mutationCache: new MutationCache({ onError }),
      // The SDK repeats reads by itself, and a page never changes while a person reads it.
      // Whether it answers is asked of the platform, which may be on this machine, not of the browser.
      defaultOptions: {
        queries: { retry: false, refetchOnWindowFocus: false, staleTime: 0, networkMode: 'always' },
        mutations: { networkMode: 'always' },
      },
    })
  })
  return (
    <SignInContext value={as}>
      <ClientContext value={client}>
        <QueryClientProvider client={queries}>{children}</QueryClientProvider>
      </ClientContext>
    </SignInContext>
  )
}
