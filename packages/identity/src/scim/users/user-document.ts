import { etagOf } from '@svc/context'
import type { scimUsers } from '@svc/db'
import { z } from 'zod'
import { enterpriseSchema, userDefinition, userSchema } from '../documents/definitions.ts'
import { type JsonObject, objectsOf } from '../documents/json.ts'
import { readDocument } from '../documents/read-document.ts'
import { refused } from '../refuse.ts'

/** A person, as a directory describes them. */
export interface UserDocument {
  readonly user_name: string
  readonly external_id: string | null
  /** Undefined: it did not say. */
  readonly active: boolean | undefined
  readonly attributes: JsonObject
}

const Text = (max: number) => z.string().trim().min(1).max(max)

/** Throws `invalidValue` for what cannot be kept. */
export function readUser(body: unknown): UserDocument {
  const { userName, externalId, active, ...attributes } = readDocument(userDefinition, body)
  return {
    user_name: short('userName', Text(320), userName),
    external_id: externalId === undefined ? null : short('externalId', Text(512), externalId),
    active: typeof active === 'boolean' ? active : undefined,
    attributes,
  }
}

export function short(name: string, schema: z.ZodType<string>, value: unknown): string {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw refused('invalidValue', `${name} must be text that is not empty and not too long`)
}

/** The primary address, else that of work, else the first, else the user name, if it is one. In lower case. */
export function addressOf({ user_name, attributes }: UserDocument): string {
  const emails = objectsOf(attributes['emails']).filter(
    ({ value }) => typeof value === 'string' && value !== '',
  )
  const chosen =
    emails.find(({ primary }) => primary === true) ?? emails.find(({ type }) => type === 'work') ?? emails[0]
  const read = z
    .email()
    .max(254)
    .safeParse(
      String(chosen?.['value'] ?? user_name)
        .trim()
        .toLowerCase(),
    )
  if (read.success) return read.data
  throw refused('invalidValue', 'A user needs a mail address: in emails, or as the userName')
}

export function nameOf({ user_name, attributes }: UserDocument): string {
  const name: JsonObject = Object(attributes['name'])
  const parts = [name['givenName'], name['familyName']].filter(
    (part) => typeof part === 'string' && part !== '',
  )
  const chosen = [attributes['displayName'], name['formatted'], parts.join(' ')].find(
    (one) => typeof one === 'string' && one.trim() !== '',
  )
  return (typeof chosen === 'string' ? chosen.trim() : user_name).slice(0, 100)
}

/**
 * The part of a user that a client may change, as it would write it. A user whom no directory described gets the
 * attributes that the platform knows.
 */
export function documentOf(user: scimUsers.DirectoryUser): JsonObject {
  return asDocument({ ...user, attributes: user.attributes ?? knownOf(user) }, user.role !== null)
}

export function asDocument(
  { user_name, external_id, attributes }: Pick<UserDocument, 'user_name' | 'external_id' | 'attributes'>,
  active: boolean,
): JsonObject {
  const external = external_id === null ? {} : { externalId: external_id }
  return { userName: user_name, ...external, ...attributes, active }
}

export function knownOf({ name, email }: Pick<scimUsers.DirectoryUser, 'name' | 'email'>): JsonObject {
  return {
    displayName: name,
    name: { formatted: name },
    emails: [{ value: email, type: 'work', primary: true }],
  }
}

export interface UserResource {
  readonly resource: JsonObject
  readonly etag: string
  readonly location: string
}

/** The resource as it is answered. Its tag stands for all of it, whatever part is asked for. */
export function presentUser(user: scimUsers.DirectoryUser, base: string): UserResource {
  const document = documentOf(user)
  const location = `${base}/Users/${user.user_id}`
  const schemas = enterpriseSchema in document ? [userSchema, enterpriseSchema] : [userSchema]
  const groups = user.groups.map(({ group_id, display_name }) => ({
    value: group_id,
    $ref: `${base}/Groups/${group_id}`,
    display: display_name,
    type: 'direct',
  }))
  const resource = { schemas, id: user.user_id, ...document, ...(groups.length === 0 ? {} : { groups }) }
  const etag = etagOf(resource)
  const meta = {
    resourceType: 'User',
    created: user.created_at.toISOString(),
    lastModified: user.updated_at.toISOString(),
    location,
    version: etag,
  }
  return { resource: { ...resource, meta }, etag, location }
}
