import { randomBytes } from 'node:crypto'
import type { Context } from '@svc/context'
import { channelMails, channels } from '@svc/db/channels'
import { ServiceError } from '@svc/errors'
import { reservedLocals } from '@svc/mail-channel'

type Settings = Readonly<Record<string, unknown>>

interface Wish {
  readonly slug: string
  readonly settings: Settings
}

const shape = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/

/** The settings of a channel whose address is at the deployment's domain, with the part before the `@`, which no other has. */
export async function mailSettings(
  { db }: Pick<Context, 'db'>,
  { project_id, name }: { readonly project_id: string; readonly name: string },
  { slug, settings }: Wish,
): Promise<Settings> {
  const earlier = await channels.find(db, { project_id, slug })
  const before = earlier?.platform === 'email' ? earlier.settings['local'] : undefined
  const wished = settings['local'] ?? before
  if (typeof wished !== 'string') return { ...settings, local: await freeLocal(db, slug, name) }
  const local = wished.toLowerCase()
  if (!shape.test(local) || local.includes('..'))
    throw refused(`${wished} cannot stand before the @: small letters, digits, dots and dashes, at most 64`)
  if (reservedLocals.has(local))
    throw refused(`${local} is a name of who runs a mail domain; choose another one`)
  const owner = await channelMails.findByLocal(db, local)
  if (owner !== undefined && owner.channel_id !== earlier?.channel_id)
    throw new ServiceError('conflict', `Another channel has the address ${local}; choose another one`)
  return { ...settings, local }
}

/** The slug where it is free and says something, else the name of the project with signs that no other has. */
async function freeLocal(db: Context['db'], slug: string, name: string): Promise<string> {
  const plain = slug.replaceAll('_', '-')
  const isOwn = !slug.startsWith('svc_') && shape.test(plain) && !reservedLocals.has(plain)
  if (isOwn && (await channelMails.findByLocal(db, plain)) === undefined) return plain
  const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const begin = words.slice(0, 40).replaceAll(/^-+|-+$/g, '')
  return `${begin === '' ? 'agents' : begin}-${randomBytes(4).toString('hex')}`
}

const refused = (message: string): ServiceError =>
  new ServiceError('invalid_request', message, { issues: [{ path: 'settings.local', message }] })
