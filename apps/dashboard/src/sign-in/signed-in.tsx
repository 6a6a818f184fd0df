import { type Client, isApiError } from '@svc/sdk'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useState } from 'react'
import { clientWith } from './client.ts'

const ClientContext = createContext<Client | null>(null)

/** The client of whoever is signed in. */
export function useClient(): Client {
  const client = use(ClientContext)
  if (client === null) throw new Error('Nobody is signed in here')
  return client
}

interface Props {
  readonly token: string
  /** Called with the refusal when the API does not take the token any more. */
  readonly onEnd: (why: Error) => void
  readonly children: ReactNode
}

/** Everything below belongs to one token: what was read with it goes when it goes. */
export function SignedIn({ token, onEnd, children }: Props) {
  const [client] = useState(() => clientWith(token))
  const [queries] = useState(() => {
    const onError = (error: Error) => {
      if (isApiError(error) && error.status === 401) onEnd(error)
    }
    return new QueryClient({
      queryCache: new QueryCache({ onError }),
      mutationCache: new MutationCache({ onError }),
      // The SDK repeats reads by itself, and a page changes under nobody's eyes.
      defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 0 } },
    })
  })
  return (
    <ClientContext value={client}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </ClientContext>
  )
}
