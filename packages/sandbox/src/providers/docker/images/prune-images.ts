import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ProviderLog } from '../../../shared/provider-log.ts'
import { deploymentLabel, templateLabel } from '../containers/containers.ts'
import type { Engine } from '../../../engine/engine.ts'
import { statusCode } from '../../../engine/engine-errors.ts'

const dayMs = 24 * 3_600_000

/** Remembers when an image was last asked for: by a session, or by a default branch that declares it. */
export interface ImageUses {
  note(image: string): Promise<void>
  /** Null for one that was never asked for here. */
  lastUse(image: string): Promise<Date | null>
  forget(image: string): Promise<void>
}

export function createImageUses(folder: string): ImageUses {
  const path = (image: string) => join(folder, encodeURIComponent(image))
  return {
    note: async (image) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(path(image), '')
    },
    lastUse: (image) =>
      stat(path(image)).then(
        ({ mtime }) => mtime,
        () => null,
      ),
    forget: (image) => rm(path(image), { force: true }),
  }
}

export interface PruneParts {
  readonly engine: Engine
  readonly deployment: string
  readonly uses: ImageUses
  readonly days: number
  readonly log: ProviderLog
  readonly now?: number
}

/**
 * Removes the images that this deployment made and has not needed for so many days. The engine itself keeps one that a
 * container has, or that another image is made on.
 */
export async function pruneImages(parts: PruneParts): Promise<readonly string[]> {
  const { engine, deployment, uses, days, log, now = Date.now() } = parts
  const filters = { label: [`${deploymentLabel}=${deployment}`] }
  const images = await engine.call('Listing images', (abortSignal) =>
    engine.docker.listImages({ filters, abortSignal }),
  )
  const made = images.flatMap(({ RepoTags, Labels }) =>
    (RepoTags ?? []).map((name) => ({ name, template: Labels[templateLabel] })),
  )
  const removed: string[] = []
  const kept = new Set<string>()
  // An image with the tools carries the label of the template below it, and goes first.
  for (const { name, template } of made.toSorted((a, b) => order(a.name) - order(b.name))) {
    const last = await uses.lastUse(name)
    if (last === null) await uses.note(name)
    const old = last !== null && now - last.getTime() > days * dayMs
    if (old && !kept.has(template ?? '') && (await remove(engine, name))) {
      await uses.forget(name)
      removed.push(name)
    } else if (template !== undefined) kept.add(template)
  }
  if (removed.length > 0) log('info', 'old images of templates are removed', { images: removed.join(' ') })
  return removed
}

function order(name: string): number {
  return /^svc-(sandbox|program):/.test(name) ? 0 : 1
}

/** False while something has it. */
async function remove(engine: Engine, name: string): Promise<boolean> {
  return engine.call('Removing an image', (abortSignal) =>
    engine.docker
      .getImage(name)
      .remove({ abortSignal })
      .then(
        () => true,
        (error: unknown) => {
          if (statusCode(error) === 404) return true
          if (statusCode(error) === 409) return false
          throw error
        },
      ),
  )
}
