export { authenticateDirectory } from './authenticate.ts'
export { patchScimUser, replaceScimUser } from './users/change-user.ts'
export { createScimUser } from './users/create-user.ts'
export {
  groupDefinition as scimGroupDefinition,
  userDefinition as scimUserDefinition,
} from './documents/definitions.ts'
export { deleteScimUser } from './users/delete-user.ts'
export { describeDirectory } from './documents/discovery.ts'
export { listGroups, setGroupRoles } from './groups/group-roles.ts'
export { readListQuery } from './documents/list-response.ts'
export { getScimGroup, listScimGroups } from './groups/read-groups.ts'
export { getScimUser, listScimUsers } from './users/read-users.ts'
export { selectAttributes as selectScimAttributes } from './documents/select-attributes.ts'
export { createScimToken, listScimTokens, revokeScimToken } from './tokens.ts'
export { createScimGroup, deleteScimGroup, patchScimGroup, replaceScimGroup } from './groups/write-group.ts'
