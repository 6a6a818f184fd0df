import { type ScimGroupRow, type scimGroups } from '@svc/db'
import { z } from 'zod'
import { groupDefinition, groupSchema } from '../documents/definitions.ts'
import { type JsonObject, objectsOf } from '../documents/json.ts'
import { readDocument } from '../documents/read-document.ts'
import { refused } from '../refuse.ts'
import { short } from '../users/user-document.ts'

/** A group, as a directory describes it. */
export interface GroupDocument {
  readonly display_name: string
  readonly external_id: string | null
  readonly user_ids: readonly string[]
}

const Id = z.uuid()

/** Throws `invalidValue` for what cannot be kept; groups in groups are not. */
export function readGroup(body: unknown): GroupDocument {
  const { displayName, externalId, members } = readDocument(groupDefinition, body)
  return {
    display_name: short('displayName', z.string().trim().min(1).max(256), displayName),
    external_id:
      externalId === undefined ? null : short('externalId', z.string().trim().min(1).max(512), externalId),
    user_ids: [...new Set(objectsOf(members).map(memberId))],
  }
}

function memberId({ value, type }: JsonObject): string {
  if (type === 'Group') throw refused('invalidValue', 'A group has people as members, and no groups')
  const read = Id.safeParse(value)
  if (read.success) return read.data
  throw refused('invalidValue', 'The value of a member must be the id of a user of this account')
}

export interface GroupResource {
  readonly resource: JsonObject
  readonly etag: string
  readonly location: string
}

/** The members are null when the request does not ask for them. */
export function presentGroup(
  group: ScimGroupRow,
  members: readonly scimGroups.GroupMember[] | null,
  base: string,
): GroupResource {
  const location = `${base}/Groups/${group.group_id}`
  const etag = `W/"${group.version}"`
  const resource = {
    schemas: [groupSchema],
    id: group.group_id,
    ...groupDocumentOf(group, members ?? [], base),
    meta: {
      resourceType: 'Group',
      created: group.created_at.toISOString(),
      lastModified: group.updated_at.toISOString(),
      location,
      version: etag,
    },
  }
  return { resource, etag, location }
}

/** The part of a group that a client may change, as it would write it. */
export function groupDocumentOf(
  { display_name, external_id }: Pick<ScimGroupRow, 'display_name' | 'external_id'>,
  members: readonly scimGroups.GroupMember[],
  base: string,
): JsonObject {
  const listed = members.map(({ user_id, name }) => ({
    value: user_id,
    $ref: `${base}/Users/${user_id}`,
    display: name,
    type: 'User',
  }))
  return {
    displayName: display_name,
    ...(external_id === null ? {} : { externalId: external_id }),
    ...(listed.length === 0 ? {} : { members: listed }),
  }
}
