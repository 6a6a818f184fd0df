export { authenticateDirectory } from './authenticate.ts'
export { patchScimUser, replaceScimUser } from './change-user.ts'
export { createScimUser } from './create-user.ts'
export {
  groupDefinition as scimGroupDefinition,
  userDefinition as scimUserDefinition,
} from './definitions.ts'
export { deleteScimUser } from './delete-user.ts'
export { describeDirectory } from './discovery.ts'
export { listGroups, setGroupRoles } from './group-roles.ts'
export { readListQuery } from './list-response.ts'
export { getScimGroup, listScimGroups } from './read-groups.ts'
export { getScimUser, listScimUsers } from './read-users.ts'
export { selectAttributes as selectScimAttributes } from './select-attributes.ts'
export { createScimToken, listScimTokens, revokeScimToken } from './tokens.ts'
export { createScimGroup, deleteScimGroup, patchScimGroup, replaceScimGroup } from './write-group.ts'
