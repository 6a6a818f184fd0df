import type { V1Secret } from '@kubernetes/client-node'
import { z } from 'zod'

const Logins = z.object({ auths: z.record(z.string(), z.object({ auth: z.string().optional() })) })

/** The `user:password` for a registry, of a secret of the type `kubernetes.io/dockerconfigjson`; null where it has none. */
export function loginIn(secret: V1Secret | null, host: string): string | null {
  const text = Buffer.from(secret?.data?.['.dockerconfigjson'] ?? '', 'base64').toString('utf8')
  try {
    const { auths } = Logins.parse(JSON.parse(text))
    const found = Object.entries(auths).find(([name]) => hostIn(name) === host)
    const auth = found?.[1].auth
    return auth === undefined ? null : Buffer.from(auth, 'base64').toString('utf8')
  } catch {
    return null
  }
}

/** Such files name Docker Hub by the address of an API that has gone. */
function hostIn(name: string): string {
  const host = name.replace(/^https?:\/\//, '').replace(/\/.*$/, '')
  return host === 'index.docker.io' ? 'registry-1.docker.io' : host
}
