import { type AdminClient, createAdminClient } from '@svc/sdk/admin'
import { useMemo } from 'react'
import { optionsAs } from '../../sign-in/client.ts'
import { useSignInAs } from '../../sign-in/signed-in.tsx'

/** The operator's surface, as the person who is signed in. */
export function useAdmin(): AdminClient {
  const as = useSignInAs()
  return useMemo(() => createAdminClient(optionsAs(as)), [as])
}
