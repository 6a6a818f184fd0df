import { createHash } from 'node:crypto'
import { readObject, type ObjectStore } from '@svc/objects'
import { isSealerKeyId, type KeySealer, type Vault } from '@svc/vault'
import { z } from 'zod'
import { type Manifest, type Part, probeFile, readManifest } from '../format/manifest.ts'
import { probePlace } from '../take/take-backup.ts'

/** The manifest of a backup whose every part is what was written. Nothing is written before that. */
export async function verifyBackup(store: ObjectStore, name: string): Promise<Manifest> {
  const manifest = await readManifest(store, name)
  if (manifest === null) throw new Error(`${name} has no manifest.json: it is no backup that was finished`)
  const wrong: string[] = []
  for (const part of manifest.parts) {
    const problem = await problemOf(store, name, part)
    if (problem !== null) wrong.push(`${part.path} ${problem}`)
  }
  if (wrong.length > 0)
    throw new Error(`The backup ${name} is damaged; nothing was restored:\n  ${wrong.join('\n  ')}`)
  return manifest
}

async function problemOf(store: ObjectStore, name: string, part: Part): Promise<string | null> {
  const content = await store.get(`${name}/${part.path}`)
  if (content === null) return 'is missing'
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of content) {
    hash.update(chunk)
    bytes += chunk.length
  }
  if (bytes !== part.bytes) return `has ${bytes} bytes and not ${part.bytes}`
  return hash.digest('hex') === part.sha256 ? null : 'is not what was written'
}

/** Throws where the keys at hand do not open what the backup holds. */
export async function requireKeys(
  store: ObjectStore,
  name: string,
  manifest: Manifest,
  { vault, sealer }: { readonly vault: Vault; readonly sealer: KeySealer | undefined },
): Promise<void> {
  const bytes = await readObject(store, `${name}/${probeFile}`)
  const { sealed } = z.object({ sealed: z.string() }).parse(JSON.parse(bytes?.toString('utf8') ?? '{}'))
  const needed = sealed.split('.')[1] ?? ''
  try {
    vault.openDataKey(sealed, probePlace(manifest.backup_id))
  } catch {
    throw new Error(
      `Key ${needed} is needed: what is sealed in this backup opens with it. Give it (--master-key-file of svc self-host, else SVC_MASTER_KEY), or restore with --without-secrets.`,
    )
  }
  const ofProviders = manifest.key_ids.filter(isSealerKeyId)
  if (ofProviders.length > 0 && !ofProviders.some((key_id) => key_id === sealer?.key_id))
    throw new Error(
      `Key ${ofProviders.join(' or ')} is needed: the keys of model providers open with it. Give it as SVC_GATEWAY_MASTER_KEY, or restore with --without-secrets.`,
    )
}
