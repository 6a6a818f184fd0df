import type { Context } from '@svc/context'
import { directoryUrl, requireDirectory } from '../context.ts'
import {
  enterpriseDefinition,
  enterpriseSchema,
  groupDefinition,
  groupSchema,
  userDefinition,
  userSchema,
} from './definitions.ts'
import { type JsonObject } from './json.ts'
import { listResponse, maxResults } from './list-response.ts'

type DiscoveryContext = Pick<Context, 'db' | 'principal' | 'trail' | 'settings'>

const coreSchema = 'urn:ietf:params:scim:schemas:core:2.0'

/** The documents that a client reads before it asks for anything (RFC 7644 section 4). */
export async function describeDirectory(
  ctx: DiscoveryContext,
  input: { readonly account_id: string },
): Promise<Directory> {
  await requireDirectory(ctx, input.account_id)
  const base = directoryUrl(ctx, input.account_id)
  const schemas = [userDefinition, groupDefinition, enterpriseDefinition].map((definition): JsonObject => {
    const described: JsonObject = JSON.parse(JSON.stringify(definition.describe(`${base}/Schemas`)))
    return described
  })
  return {
    config: serviceProviderConfig(base),
    resource_types: resourceTypes(base),
    schemas,
    list: (resources) => listResponse(resources, { totalResults: resources.length, startIndex: 1 }),
  }
}

export interface Directory {
  readonly config: JsonObject
  readonly resource_types: readonly JsonObject[]
  readonly schemas: readonly JsonObject[]
  readonly list: (resources: readonly JsonObject[]) => JsonObject
}

function serviceProviderConfig(base: string): JsonObject {
  return {
    schemas: [`${coreSchema}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'Authorization: Bearer svc_scim_…, a token that an admin of the account mints',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  }
}

function resourceTypes(base: string): JsonObject[] {
  const type = (name: string, schema: string, extensions: readonly string[]): JsonObject => ({
    schemas: [`${coreSchema}:ResourceType`],
    id: name,
    name,
    endpoint: `/${name}s`,
    description: `${name}s of the account`,
    schema,
    schemaExtensions: extensions.map((extension) => ({ schema: extension, required: false })),
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  })
  return [type('User', userSchema, [enterpriseSchema]), type('Group', groupSchema, [])]
}
