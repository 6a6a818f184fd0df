import { recordAudit } from '@svc/context'
import { accountDomains, accounts, type Db, members, scimUsers, userCredentials } from '@svc/db'
import { domainOfAddress } from '../../domains/mail-domain.ts'
import { auditTarget, directoryUrl, requireDirectory, type ScimContext } from '../context.ts'
import { findUser, settleRoles } from './membership.ts'
import { refused } from '../refuse.ts'
import {
  addressOf,
  nameOf,
  presentUser,
  readUser,
  type UserDocument,
  type UserResource,
} from './user-document.ts'

/**
 * Makes a person a member: the one with that mail address, else a new one, who has no password and signs in as every
 * reader of that mail may. Nothing of a person who exists changes. Throws `uniqueness` (409).
 */
export async function createScimUser(
  ctx: ScimContext,
  input: { readonly account_id: string; readonly body: unknown },
): Promise<UserResource> {
  const { account_id } = input
  await requireDirectory(ctx, account_id)
  const document = readUser(input.body)
  const email = addressOf(document)
  return ctx.db.transaction().execute(async (tx) => {
    await accounts.lock(tx, account_id)
    await requireFreeName(tx, account_id, document.user_name)
    const person = await userCredentials.findByEmail(tx, email)
    const user_id = person?.user_id ?? ctx.newId()
    if (person && (await scimUsers.find(tx, { account_id, user_id }))) throw userTaken('mail address')
    await requireOwnDomain(tx, account_id, email)
    if (!person) await insertPerson(ctx, tx, { user_id, email, name: nameOf(document) })
    const { user_name, external_id, attributes, active = true } = document
    const key = { account_id, user_id }
    await scimUsers.put(tx, { ...key, user_name, external_id, attributes }, ctx.now())
    if (!person) await scimUsers.markMade(tx, key)
    if (active) await members.add(tx, { ...key, role: 'member', created_at: ctx.now() })
    await settleRoles(ctx, tx, account_id, [user_id])
    await recordAudit(ctx, tx, {
      account_id,
      action: 'createScimUser',
      target: auditTarget(account_id, 'Users', user_id),
      details: { user_name, active },
    })
    return presentUser(await findUser(tx, key), directoryUrl(ctx, account_id))
  })
}

/** People of a domain that another account has proved are not taken by its directory: they come by invitation. */
async function requireOwnDomain(tx: Db, account_id: string, email: string): Promise<void> {
  const domain = domainOfAddress(email)
  const owner = domain === null ? undefined : await accountDomains.findOwner(tx, domain)
  if (owner === undefined || owner === account_id) return
  throw refused('invalidValue', `${domain} belongs to another account; invite people of it instead`)
}

async function insertPerson(
  ctx: ScimContext,
  tx: Db,
  person: { readonly user_id: string; readonly email: string; readonly name: string },
): Promise<void> {
  if (!(await accounts.insertUser(tx, { ...person, created_at: ctx.now() }))) throw userTaken('mail address')
}

/** A user name belongs to one person in the account, whatever its case. */
export async function requireFreeName(
  tx: Db,
  account_id: string,
  user_name: UserDocument['user_name'],
  user_id?: string,
): Promise<void> {
  const named = await scimUsers.list(tx, account_id, { user_name })
  if (named.some((one) => one.user_id !== user_id)) throw userTaken('userName')
}

function userTaken(what: string) {
  return refused('uniqueness', `The account has a user with this ${what} already`)
}
