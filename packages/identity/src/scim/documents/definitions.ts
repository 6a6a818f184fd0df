import { EnterpriseUser, Group, User } from 'scimmy/schemas'
import { Attribute, SchemaDefinition } from 'scimmy/types'

/** Attributes of RFC 7643 that are left out: credentials, and those that no client of ours would read. */
const left = new Set(['password', 'profileUrl', 'ims', 'photos', 'entitlements', 'roles', 'x509Certificates'])

/** Definitions of our own, made of the library's attributes: its own ones are shared by the whole process. */
function definition(base: SchemaDefinition): SchemaDefinition {
  const kept = base.attributes
    .filter((one) => one instanceof Attribute && one.config.shadow !== true && !left.has(one.name))
    .map(
      ({ type, name, config, subAttributes = [] }) =>
        new Attribute(type, name, config, subAttributes.map(open)),
    )
  return new SchemaDefinition(base.name, base.id, base.description, kept)
}

/** The RFC's canonical values are suggestions: a directory that calls an address `Work` or `billing` is not refused. */
function open({ type, name, config, subAttributes }: Attribute): Attribute {
  return new Attribute(type, name, { ...config, canonicalValues: false }, subAttributes)
}

export const enterpriseDefinition = EnterpriseUser.definition
export const userDefinition = definition(User.definition).extend(enterpriseDefinition)
export const groupDefinition = definition(Group.definition)

export const userSchema = userDefinition.id
export const groupSchema = groupDefinition.id
export const enterpriseSchema = enterpriseDefinition.id
