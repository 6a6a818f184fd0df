import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { licencesOf } from '@svc/harness'
import {
  detachInstalled,
  findInstalled,
  harnessStore,
  harnessTarget,
  InstallError,
  installHarness,
  licencesOf as licencesIn,
  sweepScratch,
} from '@svc/sandbox/providers'
import { HarnessInstallError, type HarnessInstaller, type HarnessWish } from '@svc/services'

/** The folder of the lock files, which are built with this app. */
export function harnessLocks(app_dir: string): string {
  return join(app_dir, '../sandbox-worker/dist/locks')
}

/** Installs harnesses beside the sandboxes of this machine. */
export function openHarnessInstaller(parts: {
  readonly sandboxes: string
  readonly locks: string
  readonly env: NodeJS.ProcessEnv
}): HarnessInstaller {
  const { sandboxes, locks, env } = parts
  const store = harnessStore(sandboxes)
  const target = harnessTarget()
  const versionOf = ({ harness, version }: HarnessWish) => ({ store, name: harness, version, target })
  const lockOf = ({ harness, version }: HarnessWish) => join(locks, harness, version)

  return {
    store: createHash('sha256').update(`${hostname()}\0${store}`).digest('hex').slice(0, 32),
    root: store,
    target,
    install: async (wish, { progress, signal }) => {
      try {
        const options = { ...versionOf(wish), lock_folder: lockOf(wish), env, signal, onProgress: progress }
        const { folder, digest, bytes } = await installHarness(options)
        await requireKnownTexts(wish, folder)
        return { digest, bytes }
      } catch (error) {
        if (!(error instanceof InstallError)) throw error
        const said = error.output_tail === '' ? '' : `; npm said: ${error.output_tail}`
        throw new HarnessInstallError(`${error.message}${said}`, error.kind === 'integrity')
      }
    },
    folder: async (wish, digest) => {
      const found = await findInstalled({ ...versionOf(wish), lock_folder: lockOf(wish) })
      return found?.digest === digest ? found.folder : null
    },
    remove: (wish, of_target) => detachInstalled({ ...versionOf(wish), target: of_target }),
    sweepScratch: async (now) => {
      await sweepScratch(store, now)
    },
  }
}

/** An acceptance is of one text: a package that brings another is not started on the strength of it. */
async function requireKnownTexts({ harness, version }: HarnessWish, folder: string): Promise<void> {
  const known = new Set(licencesOf(harness, version).map(({ sha256 }) => sha256))
  const unknown = (await licencesIn(folder)).find(
    ({ proprietary, licence }) => proprietary && !known.has(licence?.sha256 ?? ''),
  )
  if (unknown === undefined) return
  throw new HarnessInstallError(
    `${unknown.name} ${unknown.version} has a proprietary licence whose text this version of the platform does not know`,
    true,
  )
}
