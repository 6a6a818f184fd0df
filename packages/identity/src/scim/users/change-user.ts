import { recordAudit } from '@svc/context'
import { scimUsers } from '@svc/db'
import { auditTarget, directoryUrl, requireDirectory, type ScimContext } from '../context.ts'
import { requireFreeName } from './create-user.ts'
import { userDefinition } from '../documents/definitions.ts'
import { type Precondition, requireMatch } from '../documents/etag.ts'
import { sameJson } from '../documents/json.ts'
import { activate, deactivate, findUser, lockUser, stopSessionsOf } from './membership.ts'
import { applyPatch } from '../patch/patch.ts'
import { readPatch } from '../patch/patch-syntax.ts'
import {
  asDocument,
  documentOf,
  nameOf,
  presentUser,
  readUser,
  type UserDocument,
  type UserResource,
} from './user-document.ts'

interface UserInput extends Precondition {
  readonly account_id: string
  readonly user_id: string
}

/**
 * Replaces everything that the directory may say. A document without `active` leaves the person active or not, as
 * before.
 */
export async function replaceScimUser(
  ctx: ScimContext,
  input: UserInput & { readonly body: unknown },
): Promise<UserResource> {
  return changeUser(ctx, input, 'replaceScimUser', () => readUser(input.body))
}

/** The operations of RFC 7644 section 3.5.2, all or none. */
export async function patchScimUser(
  ctx: ScimContext,
  input: UserInput & { readonly body: unknown },
): Promise<UserResource> {
  return changeUser(ctx, input, 'patchScimUser', (user) =>
    readUser(applyPatch(userDefinition, documentOf(user), readPatch(input.body))),
  )
}

async function changeUser(
  ctx: ScimContext,
  input: UserInput,
  action: string,
  change: (user: scimUsers.DirectoryUser) => UserDocument,
): Promise<UserResource> {
  const { account_id, user_id } = input
  const key = { account_id, user_id }
  await requireDirectory(ctx, account_id)
  const base = directoryUrl(ctx, account_id)
  const { answer, ended } = await ctx.db.transaction().execute(async (tx) => {
    const before = await lockUser(tx, key)
    const present = presentUser(before, base)
    requireMatch(input, present.etag)
    const document = change(before)
    const was_active = before.role !== null
    const { user_name, external_id, attributes, active = was_active } = document
    if (sameJson(documentOf(before), asDocument(document, active))) return { answer: present, ended: false }
    const ended = was_active && !active
    await requireFreeName(tx, account_id, user_name, user_id)
    await scimUsers.put(tx, { ...key, user_name, external_id, attributes }, ctx.now())
    if (ended) await deactivate(ctx, tx, key)
    if (!was_active && active) await activate(ctx, tx, key)
    if (nameOf(document) !== before.name) await scimUsers.renamePerson(tx, key, nameOf(document))
    await recordAudit(ctx, tx, {
      account_id,
      action,
      target: auditTarget(account_id, 'Users', user_id),
      details: { user_name, active, was_active },
    })
    return { answer: presentUser(await findUser(tx, key), base), ended }
  })
  if (ended) await stopSessionsOf(ctx, key)
  return answer
}
