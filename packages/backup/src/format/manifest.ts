import { sha256Pattern } from '@svc/facts'
import { readObject, type ObjectStore } from '@svc/objects'
import { z } from 'zod'

const digest = z.string().regex(sha256Pattern)

/** The list of all that a backup holds. It is written last: a folder without it is no backup. */
export const Manifest = z.object({
  format: z.literal(1),
  backup_id: z.uuid(),
  version: z.string(),
  schema_level: z.number().int().positive(),
  rows_at: z.coerce.date(),
  finished_at: z.coerce.date(),
  /** The master keys that open what is sealed in it, that of keys of model providers included. */
  key_ids: z.array(z.string()),
  parts: z.array(z.object({ path: z.string(), bytes: z.number().int().min(0), sha256: digest })),
  repositories: z.array(
    z.object({
      project_id: z.uuid(),
      /** Null for a repository that has no reference yet, or that was not there. */
      bundle: z.string().nullable(),
      tips_sha256: digest.nullable(),
    }),
  ),
})

export type Manifest = z.infer<typeof Manifest>
export type Part = Manifest['parts'][number]

export const manifestFile = 'manifest.json'
export const sequencesFile = 'rows/sequences.json'
export const probeFile = 'probe.json'
export const masterKeyFile = 'master.key'
export const gatewayKeyFile = 'gateway.key'
export const rowsFile = (table: string): string => `rows/${table}.copy.gz`
export const bundleFile = (project_id: string): string => `repositories/${project_id}.bundle`
export const objectFile = (key: string): string => `objects/${key}`

/** A part of a backup; null where it has none of that path. */
export const readPart = (store: ObjectStore, name: string, path: string): Promise<Buffer | null> =>
  readObject(store, `${name}/${path}`)

/** Null where the folder holds no backup that was finished. */
export async function readManifest(store: ObjectStore, name: string): Promise<Manifest | null> {
  const bytes = await readPart(store, name, manifestFile)
  return bytes === null ? null : Manifest.parse(JSON.parse(bytes.toString('utf8')))
}
