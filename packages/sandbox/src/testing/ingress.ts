import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDoor, type SandboxDoor } from '../door/open-door.ts'
import type { SandboxEndpoint } from '../provider.ts'

const run = promisify(execFile)

/** The entrance to a provider's sandboxes elsewhere: https with a certificate of its own, and keys. */
export interface Ingress extends SandboxDoor {
  /** The requests that came without their key, which reached no sandbox. */
  readonly refused: readonly string[]
}

/** Leads to the endpoint that `inside` has for a sandbox; needs openssl for its certificate. */
export async function openIngress(
  inside: (external_id: string) => Promise<SandboxEndpoint | null>,
): Promise<Ingress> {
  const refused: string[] = []
  const door = await openDoor({
    ...{ hostname: '127.0.0.1', port: 0, listen_host: '127.0.0.1', tls: await newCertificate() },
    ...{ secret: randomBytes(32), inside, onRefused: (path) => refused.push(path) },
  })
  return { ...door, refused }
}

/** A certificate of its own for the loopback address. */
export async function newCertificate(): Promise<{ readonly key: string; readonly cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-ingress-'))
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const fresh = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
    const name = ['-subj', '/CN=ingress', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
    await run('openssl', [...fresh, ...name, '-keyout', key, '-out', cert])
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
