import { createHash } from 'node:crypto'
import { chmod, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Logger } from '@svc/boot'
import { closedFolder } from '@svc/sandbox/providers'
import { makeFolder, tightenFolder } from './make-folder.ts'
import { messageOf, StartError } from './start-error.ts'

export interface DataDir {
  readonly database: string
  readonly repositories: string
  readonly mirrors: string
  readonly objects: string
  readonly sandboxes: string
  /** The sandboxes of apps that run. */
  readonly programs: string
  readonly master_key: string
  readonly gateway_key: string
  readonly bootstrap: string
  readonly metrics_token: string
  readonly mail: string
}

/**
 * The folder in which root keeps data that other users must be able to walk to, when the data directory lies in a
 * private folder.
 */
const openRoot = '/var/lib/svc'

/**
 * Root runs sandboxes and PostgreSQL as users of their own, who walk through the data directory to what is theirs and
 * can list nothing on the way. Another user shares it with none.
 */
const passable = process.getuid?.() === 0 ? 0o711 : 0o700

/** The folders of one platform. A folder that is not said here to be passable is open to this user alone. */
export async function openDataDir(root: string, log: Logger): Promise<DataDir> {
  await makeFolder(root, passable).catch((cause: unknown) => {
    throw new StartError(`SVC_DATA_DIR: ${root} cannot be made (${messageOf(cause)})`, { cause })
  })
  if (await holdsOursAlone(root)) await tightenFolder(root, passable)
  const inside = (name: string) => join(root, name)
  const sandboxes = await sandboxesDir(root, log)
  return {
    database: inside('postgres'),
    repositories: inside('repositories'),
    mirrors: inside('mirrors'),
    objects: inside('objects'),
    sandboxes,
    programs: join(dirname(sandboxes), 'programs'),
    master_key: inside('master.key'),
    gateway_key: inside('gateway.key'),
    bootstrap: inside('bootstrap.json'),
    metrics_token: inside('metrics-token'),
    mail: inside('mail'),
  }
}

/**
 * The files that the platform and `svc self-host` keep; drafts and earlier ones of a file have its name and an ending.
 */
const ours =
  /^(postgres|repositories|mirrors|objects|backups|sandboxes|programs|mail|compose|((?:master|gateway)\.key|bootstrap\.json|settings\.env|compose\.env|self-host\.json|svc\.log)(\..*)?)$/

/** A folder that holds other things as well keeps the mode that its people gave it. */
async function holdsOursAlone(root: string): Promise<boolean> {
  return (await readdir(root)).every((name) => ours.test(name))
}

/**
 * The folder of the sandboxes, and the private folder that keeps it from lying in the data directory: started by root,
 * sandboxes run as users of their own, who cannot pass through one.
 */
export async function placeOfSandboxes(
  root: string,
): Promise<{ readonly folder: string; readonly closed: string | null }> {
  const closed = process.getuid?.() === 0 ? await closedFolder(root) : null
  if (closed === null) return { folder: join(root, 'sandboxes'), closed }
  const key = createHash('sha256').update(root).digest('hex').slice(0, 12)
  return { folder: join(openRoot, key, 'sandboxes'), closed }
}

async function sandboxesDir(root: string, log: Logger): Promise<string> {
  const { folder, closed } = await placeOfSandboxes(root)
  if (closed === null) return folder
  await makeFolder(folder, passable)
  await chmod(openRoot, passable)
  log.warn(
    { folder },
    `Sandboxes are kept outside the data directory, because their users may not enter ${closed}`,
  )
  return folder
}

/** The place where mails go: files, until the operator names a server. */
export const mailUrl = (
  { SVC_MAIL_URL }: { readonly SVC_MAIL_URL?: string | undefined },
  { mail }: Pick<DataDir, 'mail'>,
): string => SVC_MAIL_URL ?? pathToFileURL(mail).href
