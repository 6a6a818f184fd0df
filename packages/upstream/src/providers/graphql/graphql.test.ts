import { riskOfCall } from '../../risk-of-call.ts'
import { buildSchema, introspectionFromSchema } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { serve } from '../../testing/service.ts'
import { connectorOf, localProviders, optionsOf, targetOf } from '../../testing/target.ts'
import { yogaOf } from '../../testing/yoga.mjs'

const typeDefs = /* GraphQL */ `
  enum Size {
    SMALL
    LARGE
  }
  scalar When
  interface Named {
    name: String!
  }
  type Owner implements Named {
    name: String!
    friends(first: Int!): [Owner!]
    pets: [Pet!]
    address: Address
  }
  type Address {
    street: String
  }
  type Pet implements Named {
    id: ID!
    name: String!
    size: Size
    owner: Owner
    any: Thing
  }
  union Thing = Pet | Owner
  input Filter {
    name: String
    sizes: [Size!]
    and: [Filter!]
    since: When
  }
  type Query {
    "Finds pets."
    pets(filter: Filter, first: Int = 10): [Pet!]!
    pet(id: ID!): Pet
    query: String
    search(fields: String!): [Thing]
    version: String @deprecated(reason: "old")
    fails: Pet
  }
  type Mutation {
    putPet(id: ID!, name: String!): Pet!
    deletePet(id: ID!): Boolean
    pet(id: ID!): Pet
  }
  type Subscription {
    changed: Pet
  }
`
const mutations: string[] = []
const rex = { id: '7', name: 'Rex', size: 'LARGE', owner: { name: 'Ann', address: { street: 'S' } } }
const yoga = yogaOf(typeDefs, {
  Query: {
    pets: (_, args: object) => [{ ...rex, name: JSON.stringify(args) }],
    pet: (_, { id }: { id: string }) => (id === '7' ? rex : null),
    query: () => 'plain',
    search: () => [{ __typename: 'Pet', ...rex }],
    version: (_, __, { request }: { request: Request }) => request.headers.get('authorization'),
    fails: (_, __, { request }: { request: Request }) => {
      throw new Error(`no pets for ${request.headers.get('authorization')}`)
    },
  },
  Mutation: {
    putPet: (_, { id, name }: { id: string; name: string }) => {
      mutations.push(`put ${id}`)
      return { id, name }
    },
    deletePet: (_, { id }: { id: string }) => mutations.push(`delete ${id}`) > 0,
  },
})
let instead: string | null = null
const service = serve((req, res) => {
  if (instead !== null) return void res.setHeader('content-type', 'application/json').end(instead)
  void yoga(req, res)
})

const graphql = localProviders().graphql ?? expect.fail()
const target = (more = {}) =>
  targetOf(connectorOf({ provider: 'graphql', endpoint: `${service.url}/graphql`, ...more }))
const signal = AbortSignal.timeout(60_000)
const answering = async (body: unknown) => {
  instead = JSON.stringify(body)
  try {
    return await graphql.list(target(), signal)
  } finally {
    instead = null
  }
}
let actions: Awaited<ReturnType<typeof graphql.list>> = []
beforeAll(async () => void (actions = await graphql.list(target(), signal)))
const action = (name: string) => actions.find((each) => each.action === name) ?? expect.fail(name)
const call = (name: string, args: object, more = {}) =>
  graphql.call({ ...target(), ...more }, action(name), { ...args }, optionsOf().options)

describe('the catalogue', () => {
  test('has each root field once, and one action for a whole document', async () => {
    expect(actions.map(({ action: name, risk }) => `${name} ${risk}`)).toEqual([
      'query destructive',
      'pets read',
      'pet read',
      'query_2 read',
      'search read',
      'version read',
      'fails read',
      'putPet write',
      'deletePet destructive',
      'pet_2 write',
    ])
    expect(await graphql.origin(target())).toBe(service.url)
    expect(action('pets').description).toBe('Finds pets.')
    expect(action('version').description).toMatch(/^Deprecated\./)
  })
  test('has schemas of arguments, with those that hold themselves', () => {
    expect(action('pets').input_schema).toEqual({
      type: 'object',
      properties: {
        filter: { $ref: '#/$defs/Filter' },
        first: { type: 'integer' },
        fields: expect.objectContaining({ type: 'string' }),
      },
      additionalProperties: false,
      $defs: {
        Filter: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            sizes: { type: 'array', items: { type: 'string', enum: ['SMALL', 'LARGE'] } },
            and: { type: 'array', items: { $ref: '#/$defs/Filter' } },
            since: {},
          },
          additionalProperties: false,
        },
      },
    })
    expect(action('search').input_schema).toMatchObject({ required: ['arg.fields'] })
    expect(Object.keys(Object(action('deletePet').input_schema['properties']))).toEqual(['id'])
  })
  test('selects scalars two levels deep', () => {
    expect(action('pet').binding['selection']).toBe('{ id name size owner { name } }')
    expect(action('search').binding['selection']).toBe('{ __typename }')
    expect(action('deletePet').binding['selection']).toBeNull()
  })
})

describe('a call', () => {
  test('of a field passes arguments as variables', async () => {
    const filter = { name: '") { id } } mutation { deletePet(id: 1) } #', and: [{ sizes: ['SMALL'] }] }
    const ended = await call('pets', { filter })
    expect(ended).toMatchObject({ ok: true, data: { data: { pets: [{ id: '7', owner: { name: 'Ann' } }] } } })
    const pets = ended.ok ? Object(ended.data).data.pets : []
    expect(JSON.parse(pets[0].name)).toEqual({ filter, first: 10 })
    expect(mutations).toEqual([])
  })
  test('selects what `fields` says', async () => {
    expect(await call('pet', { id: '7', fields: 'name owner { address { street } }' })).toMatchObject({
      data: { data: { pet: { name: 'Rex', owner: { address: { street: 'S' } } } } },
    })
    expect(await call('search', { 'arg.fields': 'x', fields: '... on Pet { id }' })).toMatchObject({
      data: { data: { search: [{ id: '7' }] } },
    })
    expect(await call('query_2', {})).toMatchObject({ data: { data: { query: 'plain' } } })
  })
  test.each([
    'id } } mutation { deletePet(id: 1)',
    'id } mutation { deletePet(id: 1) }',
    'id } query x { pet',
    'id } fragment F on Pet { id',
    '',
    'id {',
    '# ',
    `${'a{'.repeat(9_000)}b${'}'.repeat(9_000)}`,
    'id '.repeat(30_000),
  ])('with `fields` %j is refused', async (fields) => {
    const before = service.requests
    const ended = await call('pet', { id: '7', fields })
    expect(ended).toMatchObject({ ok: false, reason: 'invalid_arguments', sent: false })
    expect([service.requests, mutations]).toEqual([before, []])
  })
  test('of a document runs it', async () => {
    const query = 'query A($id: ID!) { pet(id: $id) { name } } mutation B { putPet(id: 1, name: "x") { id } }'
    const ended = await call('query', { query, variables: { id: '7' }, operation_name: 'A' })
    expect(ended).toMatchObject({ ok: true, data: { data: { pet: { name: 'Rex' } } } })
    expect(await call('query', { query })).toMatchObject({ reason: 'invalid_arguments', sent: false })
    expect(await call('query', { query, operation_name: 'C' })).toMatchObject({ reason: 'invalid_arguments' })
    expect(mutations).toEqual([])
  })
  test.each([
    'subscription { changed { id } }',
    'query A { version } subscription B { changed { id } }',
    'fragment F on Pet { id }',
    '{',
    '',
  ])('of %j is refused', async (query) => {
    const ended = await call('query', { query, operation_name: 'A' })
    expect(ended).toMatchObject({ ok: false, reason: 'invalid_arguments', sent: false })
  })
  test('errors without data are a failure, beside data they are told; no credential is said', async () => {
    const withToken = {
      connector: { ...target().connector, auth: { type: 'bearer' } },
      credential: { token: 'token-of-pets' },
    }
    const failed = await call('fails', {}, withToken)
    expect(failed).toMatchObject({
      ok: false,
      reason: 'upstream_error',
      sent: true,
      upstream_status: 200,
      message: expect.stringContaining('[redacted]'),
      data: { data: { fails: null }, errors: [{ path: ['fails'] }] },
    })
    const partly = await call('query', { query: '{ version fails { id } }' }, withToken)
    expect(partly).toMatchObject({ ok: true, data: { data: { version: 'Bearer [redacted]' }, errors: [{}] } })
    expect(JSON.stringify([failed, partly])).not.toContain('token-of-pets')
  })
})

describe('the risk of a document', () => {
  const riskOf = (query: unknown) => riskOfCall('graphql', action('query'), { query })
  test.each([
    ['{ pet(id: 1) { id } }', 'read'],
    ['query delete { pet(id: 1) { id } }', 'read'],
    ['mutation { putPet(id: 1, name: "delete") { id } }', 'write'],
    ['query A { version } mutation B { putPet(id: 1, name: "x") { id } }', 'write'],
    ['mutation { fine: deletePet(id: 1) }', 'destructive'],
    ['mutation { deletePet: putPet(id: 1, name: "x") { id } }', 'write'],
    ['mutation { ...F } fragment F on Mutation { ... on Mutation { purge_all } }', 'destructive'],
    ['mutation { ...F } fragment F on Mutation { ...G putPet } fragment G on Mutation { ...F }', 'write'],
    ['query A { version } mutation B { user_remove }', 'destructive'],
    ['fragment F on Pet { id }', 'destructive'],
    ['{ broken', 'destructive'],
    [7, 'destructive'],
  ])('%j is %s', (query, risk) => {
    expect(riskOf(query)).toBe(risk)
  })
  test('of a field is its own', () => {
    expect(riskOfCall('graphql', action('pet'), { query: 'mutation { deletePet }' })).toBe('read')
  })
})

describe('a service that does not describe itself', () => {
  test.each([
    [{ errors: [{ message: 'introspection is off' }] }, 'introspection is off'],
    [{ data: {} }, 'Invalid or incomplete introspection'],
    [[], 'no schema'],
    [
      {
        data: {
          __schema: {
            types: [{ kind: 'OBJECT', name: '__proto__', fields: [] }],
            queryType: { name: 'Q' },
            directives: [],
          },
        },
      },
      '',
    ],
  ])('%j is refused', async (answer, words) => {
    await expect(answering(answer)).rejects.toMatchObject({
      reason: 'connector_unusable',
      message: expect.stringContaining(words),
    })
  })
  test('with too many fields or too large schemas is refused', async () => {
    const many = buildSchema(
      `type Query { ${Array.from({ length: 5_000 }, (_, n) => `f${n}: Int`).join(' ')} }`,
    )
    await expect(answering({ data: introspectionFromSchema(many) })).rejects.toThrow('5000')
    const inputs = Array.from(
      { length: 1_000 },
      (_, n) => `input I${n} { a: I${(n + 1) % 1_000} b: [Int!] }`,
    ).join(' ')
    const large = buildSchema(
      `type Query { ${Array.from({ length: 400 }, (_, n) => `f${n}(i: I0): Int`).join(' ')} } ${inputs}`,
    )
    await expect(answering({ data: introspectionFromSchema(large) })).rejects.toThrow('500000')
  })
})
