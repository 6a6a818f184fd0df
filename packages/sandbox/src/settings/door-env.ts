import { readFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createFile } from '@svc/files'
import { z } from 'zod'
import { behindDoor } from '../door/behind-door.ts'
import { openDoor } from '../door/open-door.ts'
import type { SandboxProvider } from '../provider.ts'

/** Settings of the way to sandboxes from other machines. */
export const doorEnv = {
  SVC_SANDBOX_LISTEN: z
    .url({ protocol: /^https$/ })
    .refine((url) => new URL(url).pathname === '/', 'must be https://host or https://host:port')
    .optional()
    .describe('where api and scheduler of other machines reach the sandboxes of this one'),
  SVC_SANDBOX_TLS_CERT_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('the certificate of SVC_SANDBOX_LISTEN, as PEM'),
  SVC_SANDBOX_TLS_KEY_FILE: z.string().min(1).optional().describe('its private key, as PEM'),
}

export type DoorSettings = z.infer<z.ZodObject<typeof doorEnv>> & { readonly SVC_SANDBOXES_DIR: string }

/** Settings of the door that lack another one; null where they are whole. */
export function doorProblem(env: DoorSettings): string | null {
  const files = [env.SVC_SANDBOX_TLS_CERT_FILE, env.SVC_SANDBOX_TLS_KEY_FILE]
  return env.SVC_SANDBOX_LISTEN === undefined || files.every((file) => file !== undefined)
    ? null
    : 'SVC_SANDBOX_LISTEN needs SVC_SANDBOX_TLS_CERT_FILE and SVC_SANDBOX_TLS_KEY_FILE: give both files, or leave it out'
}

/** The provider as other machines reach its sandboxes; as it is where no door is wished for. */
export async function providerBehindDoor(
  provider: SandboxProvider,
  env: DoorSettings,
  onRefused: (path: string) => void,
): Promise<{ readonly provider: SandboxProvider; close(): Promise<void> }> {
  const { SVC_SANDBOX_LISTEN: listen, SVC_SANDBOX_TLS_CERT_FILE: cert, SVC_SANDBOX_TLS_KEY_FILE: key } = env
  if (listen === undefined || cert === undefined || key === undefined)
    return { provider, close: async () => undefined }
  const { hostname, port } = new URL(listen)
  const door = await openDoor({
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || 443),
    tls: { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') },
    secret: await secretOf(join(env.SVC_SANDBOXES_DIR, 'door.key')),
    inside: (external_id) => provider.endpoint(external_id),
    onRefused,
  })
  return { provider: behindDoor(provider, door), close: () => door.close() }
}

/** Made once for each machine, so that endpoints outlive their worker. */
async function secretOf(file: string): Promise<Buffer> {
  await createFile(file, `${randomBytes(32).toString('hex')}\n`)
  return Buffer.from((await readFile(file, 'utf8')).trim(), 'hex')
}
