import { type Client, isApiError } from '@svc/sdk'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useState } from 'react'
import { signedInClient } from './client.ts'

const ClientContext = createContext<Client | null>(null)

/** The client of the signed-in person. */
export function useClient(): Client {
  const client = use(ClientContext)
  if (client === null) throw new Error('No person is signed in here')
  return client
}

interface Props {
  /** Called when the API takes the token no more, and hands out no other. */
  readonly onEnd: () => void
  readonly children: ReactNode
}

/** Everything below belongs to one sign-in: data that was read with it goes when it goes. */
export function SignedIn({ onEnd, children }: Props) {
  const [client] = useState(signedInClient)
  const [queries] = useState(() => {
    const onError = (error: Error) => {
      if (isApiError(error) && error.status === 401) onEnd()
    }
    return new QueryClient({
      queryCache: new QueryCache({ onError }),
      mutationCache: new MutationCache({ onError }),
      // The SDK repeats reads by itself, and a page never changes while a person reads it.
      defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 0 } },
    })
  })
  return (
    <ClientContext value={client}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </ClientContext>
  )
}
