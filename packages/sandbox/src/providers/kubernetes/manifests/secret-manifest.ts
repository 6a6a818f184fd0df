import type { V1PersistentVolumeClaim, V1Secret } from '@kubernetes/client-node'
import { SandboxError } from '../../../sandbox-error.ts'
import { metadataOf } from './labels.ts'

/** Names that a pod can take from a secret. */
const variableName = /^[-._a-zA-Z][-._a-zA-Z0-9]{0,252}$/

/** The most that a secret may hold in all. */
const maxBytes = 1_048_576

export interface SecretInput {
  readonly name: string
  readonly deployment: string
  readonly environment: Readonly<Record<string, string>>
  /** The cluster removes the secret with the claim that owns it. */
  readonly claim: V1PersistentVolumeClaim
}

/** The environment of a sandbox, apart from its pod, which more people may look at. */
export function secretManifest(input: SecretInput): V1Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'Opaque',
    metadata: {
      name: input.name,
      labels: { ...metadataOf(input.deployment, input.name).labels },
      ownerReferences: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          name: input.name,
          uid: input.claim.metadata?.uid ?? '',
        },
      ],
    },
    data: encode(input.environment),
  }
}

/** The environment that such a secret holds. */
export function environmentIn(secret: V1Secret | null): Record<string, string> {
  const entries = Object.entries(secret?.data ?? {})
  return Object.fromEntries(
    entries.map(([name, data]) => [name, Buffer.from(data, 'base64').toString('utf8')]),
  )
}

function encode(environment: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(environment).map(([name, value]) => {
    if (!variableName.test(name) || value.includes('\0')) {
      throw new SandboxError(
        'internal',
        `The environment variable ${JSON.stringify(name)} cannot be passed on; rename it, or leave it out.`,
      )
    }
    return [name, Buffer.from(value, 'utf8')] as const
  })
  const bytes = entries.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (bytes > maxBytes) {
    throw new SandboxError(
      'quota',
      `The environment of this sandbox has ${bytes} bytes; a Kubernetes secret holds ${maxBytes}. Give the session fewer or shorter secrets.`,
    )
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, value.toString('base64')]))
}
