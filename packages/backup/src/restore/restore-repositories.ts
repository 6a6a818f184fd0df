import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type ManagedProject } from '@svc/db'
import { type Repositories, tipsDigest, unbundle } from '@svc/git'
import type { ObjectStore } from '@svc/objects'
import type { Manifest } from '../format/manifest.ts'

/** Makes each repository anew from its bundle. What a killed restore left of one is removed first. */
export async function restoreRepositories(
  repositories: Pick<Repositories, 'createManaged' | 'removeManaged' | 'open'>,
  backup: { readonly store: ObjectStore; readonly name: string; readonly manifest: Manifest },
  projects: readonly ManagedProject[],
  folder: string,
): Promise<void> {
  const branches = new Map(projects.map(({ project_id, default_branch }) => [project_id, default_branch]))
  const file = join(folder, 'restore.bundle')
  try {
    for (const { project_id, bundle, tips_sha256 } of backup.manifest.repositories) {
      const default_branch = branches.get(project_id)
      if (default_branch === undefined) continue
      await repositories.removeManaged(project_id)
      await repositories.createManaged(project_id, default_branch)
      if (bundle === null) continue
      const content = await backup.store.get(`${backup.name}/${bundle}`)
      if (content === null) throw new Error(`${bundle} is not in the backup any more`)
      await pipeline(content, createWriteStream(file, { mode: 0o600 }))
      const tips = await unbundle(await repositories.open({ kind: 'managed', project_id }), file)
      if (tipsDigest(tips) !== tips_sha256)
        throw new Error(`${bundle} has other references than the backup says`)
    }
  } finally {
    await rm(file, { force: true })
  }
}
