import { authTypes } from '../schema/connector.ts'
import { accept, connector, reject, rejectBeyondSchema, top } from './case.ts'
import type { Case } from './case.ts'

const open = (fields: string) => connector(`slug: c, provider: openapi, ${fields}`)
const at = (path: string) => `connectors[0].${path}`
const policies = (fields: string) => open(`policies: [{ ${fields} }]`)
const clauses = (...fields: readonly string[]) =>
  policies(`match: x, action: block, when: [${fields.map((one) => `{ ${one} }`).join(', ')}]`)
const headers = (count: number) => Array.from({ length: count }, (_, index) => `X-${index}: v`).join(', ')

export const connectorCases: readonly Case[] = [
  accept('provider `aggregator_a` with its app', connector('slug: c, provider: aggregator_a, app: mail')),
  reject('provider `aggregator_a` needs `app`', connector('slug: c, provider: aggregator_a'), at('app')),
  accept('provider `aggregator_b` needs nothing more', connector('slug: c, provider: aggregator_b')),
  accept('provider `mcp` with its url', connector('slug: c, provider: mcp, url: https://c.test')),
  reject('provider `mcp` needs `url`', connector('slug: c, provider: mcp'), at('url')),
  accept('provider `openapi` needs nothing more', connector('slug: c, provider: openapi, spec: api.yaml')),
  accept(
    'provider `collection` needs nothing more',
    connector('slug: c, provider: collection, spec: c.json'),
  ),
  accept(
    'provider `graphql` with its endpoint',
    connector('slug: c, provider: graphql, endpoint: https://c.test'),
  ),
  reject('provider `graphql` needs `endpoint`', connector('slug: c, provider: graphql'), at('endpoint')),
  accept('provider `http` with `base_url`', connector('slug: c, provider: http, base_url: https://c.test')),
  accept('provider `http` with `baseUrl`', connector('slug: c, provider: http, baseUrl: https://c.test')),
  accept(
    'provider `http` with both: the alias is ignored',
    connector('slug: c, provider: http, base_url: https://c.test, baseUrl: https://d.test'),
    `warning ${at('baseUrl')}`,
  ),
  reject(
    'provider `http` needs `base_url` or `baseUrl`',
    connector('slug: c, provider: http'),
    at('base_url'),
  ),
  ...['chat_a', 'chat_b', 'email'].map((platform) =>
    accept(
      `provider \`channel\` with platform \`${platform}\``,
      connector(`slug: c, provider: channel, platform: ${platform}`),
    ),
  ),
  reject('provider `channel` needs `platform`', connector('slug: c, provider: channel'), at('platform')),
  reject(
    'provider `channel` knows no other platform',
    connector('slug: c, provider: channel, platform: chat_c'),
    at('platform'),
  ),
  reject('no other provider is known', connector('slug: c, provider: soap'), at('provider')),
  reject('`provider` is required', connector('slug: c'), at('provider')),
  reject('`slug` is required', connector('provider: openapi'), at('slug')),
  reject('`slug` matches the slug pattern', connector('slug: My Docs, provider: openapi'), at('slug')),
  rejectBeyondSchema(
    'connectors have slugs of their own',
    top('connectors: [{ slug: c, provider: openapi }, { slug: c, provider: collection }]'),
    'connectors[1].slug',
  ),
  reject('a connector is an object', top('connectors: [docs]'), 'connectors[0]'),
  accept('extra keys are allowed in a connector', open('labels: [x]')),
  reject('`name` has length at least 1', open("name: ''"), at('name')),
  reject('`app` is a string', connector('slug: c, provider: aggregator_a, app: 5'), at('app')),
  reject('`url` is a string', connector('slug: c, provider: mcp, url: [x]'), at('url')),
  reject('`endpoint` is a string', connector('slug: c, provider: graphql, endpoint: 1'), at('endpoint')),
  reject('`base_url` is a string', connector('slug: c, provider: http, base_url: 1'), at('base_url')),
  reject('`spec` is a string', open('spec: {}'), at('spec')),
  accept('`transport` may be `http`', connector('slug: c, provider: mcp, url: x, transport: http')),
  accept('`transport` may be `sse`', connector('slug: c, provider: mcp, url: x, transport: sse')),
  reject(
    '`transport` may be nothing else',
    connector('slug: c, provider: mcp, url: x, transport: ws'),
    at('transport'),
  ),
  accept('`credential` may be `shared`', open('credential: shared')),
  reject('`credential` may only be `shared`', open('credential: personal'), at('credential')),
  accept('`authorization_strategy` may be `project`', open('authorization_strategy: project')),
  accept('`authorization_strategy` may be `user`', open('authorization_strategy: user')),
  reject(
    '`authorization_strategy` may be nothing else',
    open('authorization_strategy: team'),
    at('authorization_strategy'),
  ),
  reject('`agent_scope` is forbidden', open('agent_scope: all'), at('agent_scope')),
  ...authTypes.map((type) => accept(`\`auth.type\` may be \`${type}\``, open(`auth: { type: ${type} }`))),
  reject('`auth.type` is required', open('auth: { header: X }'), at('auth.type')),
  reject('`auth.type` may be nothing else', open('auth: { type: oauth2 }'), at('auth.type')),
  reject('`auth` is an object', open('auth: bearer'), at('auth')),
  reject('`auth.secret` is forbidden', open('auth: { type: bearer, secret: hunter2 }'), at('auth.secret')),
  accept('`auth` may hold keys of its type', open('auth: { type: api_key, in: header, name: X-Key }')),
  accept(
    'auth `none` on provider `channel`',
    connector('slug: c, provider: channel, platform: email, auth: { type: none }'),
  ),
  reject(
    'auth of provider `channel` has type `none`',
    connector('slug: c, provider: channel, platform: email, auth: { type: bearer }'),
    at('auth.type'),
  ),
  reject(
    'auth `oauth1` is not for provider `graphql`',
    connector('slug: c, provider: graphql, endpoint: x, auth: { type: oauth1 }'),
    at('auth.type'),
  ),
  accept('32 headers', open(`headers: { ${headers(32)} }`)),
  reject('at most 32 headers', open(`headers: { ${headers(33)} }`), at('headers')),
  reject('`headers` is a map', open('headers: [X]'), at('headers')),
  accept('a header name of 128 characters', open(`headers: { ${'n'.repeat(128)}: v }`)),
  reject(
    'a header name of 129 characters',
    open(`headers: { ${'n'.repeat(129)}: v }`),
    at(`headers.${'n'.repeat(129)}`),
  ),
  accept('a header name of every HTTP token character', open(`headers: { "!#$%&'*+.^_\`|~09AZaz-": v }`)),
  reject('a header name with a space', open('headers: { "X Y": v }'), at('headers.X Y')),
  reject('a header name with a colon', open('headers: { "X:Y": v }'), at('headers.X:Y')),
  reject('an empty header name', open('headers: { "": v }'), at('headers.')),
  accept('an empty header value', open("headers: { X: '' }")),
  accept('a header value of 2048 characters', open(`headers: { X: ${'v'.repeat(2048)} }`)),
  reject('a header value of 2049 characters', open(`headers: { X: ${'v'.repeat(2049)} }`), at('headers.X')),
  reject('a header value with LF', open('headers: { X: "a\\nb" }'), at('headers.X')),
  reject('a header value with CR', open('headers: { X: "a\\rb" }'), at('headers.X')),
  reject('a header value is a string', open('headers: { X: 5 }'), at('headers.X')),
  ...['always_run', 'require_approval', 'block'].map((action) =>
    accept(`a policy may be \`${action}\``, open(`policies: [{ match: 'x.*', action: ${action} }]`)),
  ),
  reject(
    'a policy may be nothing else',
    open('policies: [{ match: x, action: allow }]'),
    at('policies[0].action'),
  ),
  reject('a policy needs `match`', open('policies: [{ action: block }]'), at('policies[0].match')),
  reject('a policy needs `action`', open('policies: [{ match: x }]'), at('policies[0].action')),
  reject(
    'a policy’s `match` has length at least 1',
    open("policies: [{ match: '', action: block }]"),
    at('policies[0].match'),
  ),
  reject('`policies` is an array', open('policies: { x: block }'), at('policies')),
  ...['risk', 'always_run', 'require_approval', 'block'].map((action) =>
    accept(`\`default_action\` may be \`${action}\``, open(`default_action: ${action}`)),
  ),
  reject('`default_action` may be nothing else', open('default_action: ask'), at('default_action')),
  accept('`timeout_seconds` may be 1', open('timeout_seconds: 1')),
  accept('`timeout_seconds` may be 300', open('timeout_seconds: 300')),
  ...['0', '301', '1.5', '60s'].map((value) =>
    reject(
      `\`timeout_seconds\` may not be ${value}`,
      open(`timeout_seconds: ${value}`),
      at('timeout_seconds'),
    ),
  ),
  accept('`idempotency_header` is a header name', open('idempotency_header: Idempotency-Key')),
  reject(
    '`idempotency_header` has no space',
    open('idempotency_header: Idempotency Key'),
    at('idempotency_header'),
  ),
  accept('`inline` may be false', open('inline: false')),
  reject('`inline` is a boolean', open('inline: never'), at('inline')),
  accept('`oauth` with a client and scopes', open('oauth: { client_id: me, scopes: [read, write] }')),
  accept('extra keys are allowed in `oauth`', open('oauth: { audience: x }')),
  reject('`oauth.client_id` is text', open('oauth: { client_id: 5 }'), at('oauth.client_id')),
  reject('`oauth.scopes` is a list', open('oauth: { scopes: read }'), at('oauth.scopes')),
  reject(
    '`oauth.client_secret` is forbidden',
    open('oauth: { client_secret: x }'),
    at('oauth.client_secret'),
  ),
  accept(
    'a shared credential of people shares nothing',
    open('credential: shared, authorization_strategy: user'),
    `warning ${at('credential')}`,
  ),
  ...[
    'api_key, in: query, name: key',
    'custom, headers: { X-A: "Key {{ key }}" }, query: { k: "{{ key }}" }',
    'oauth1, signature_method: HMAC-SHA256',
    'aws_sigv4, region: eu-west-1, service: s3',
    "hmac, algorithm: sha512, payload: '{body}', header: X-Sign, format: 'v1={hex}', timestamp_header: X-T, key_id_header: X-K",
    "hmac, format: '{base64}'",
    'bearer, in: 5, headers: x, algorithm: none',
  ].map((keys) => accept(`auth ${keys}`, open(`auth: { type: ${keys} }`))),
  ...(
    [
      ['api_key, in: cookie', 'in'],
      ["api_key, name: ''", 'name'],
      ['custom, headers: { "X A": v }', 'headers.X A'],
      ['custom, headers: { X-A: 5 }', 'headers.X-A'],
      ['custom, query: [k]', 'query'],
      ['custom, query: { k: 5 }', 'query.k'],
      ['oauth1, signature_method: PLAINTEXT', 'signature_method'],
      ['aws_sigv4, region: 5', 'region'],
      ["aws_sigv4, service: ''", 'service'],
      ['hmac, algorithm: md5', 'algorithm'],
      ["hmac, payload: ''", 'payload'],
      ['hmac, header: "X A"', 'header'],
      ['hmac, format: hex', 'format'],
      ['hmac, timestamp_header: [X]', 'timestamp_header'],
      ['hmac, key_id_header: "a:b"', 'key_id_header'],
    ] as const
  ).map(([keys, path]) => reject(`auth ${keys}`, open(`auth: { type: ${keys} }`), at(`auth.${path}`))),
  accept(
    'a policy with all its keys',
    policies(
      "match: x, action: require_approval, second_person: true, expires: 7d, when: [{ path: 'to[].at', matches: '*@x.test' }]",
    ),
  ),
  accept('extra keys are allowed in a policy', policies('match: x, action: block, note: why')),
  ...[
    'equals: 5',
    'equals: null',
    'equals: text',
    'in: [1, x, true, null]',
    "matches: 'a*'",
    'exists: false',
  ].map((test) => accept(`a clause may have \`${test}\``, clauses(`path: a, ${test}`))),
  reject(
    '`when` has at least one clause',
    policies('match: x, action: block, when: []'),
    at('policies[0].when'),
  ),
  accept('16 clauses', clauses(...Array.from({ length: 16 }, () => 'path: a, exists: true'))),
  reject(
    '17 clauses',
    clauses(...Array.from({ length: 17 }, () => 'path: a, exists: true')),
    at('policies[0].when'),
  ),
  reject('a clause needs `path`', clauses('equals: 5'), at('policies[0].when[0].path')),
  reject('a clause asks something', clauses('path: a'), at('policies[0].when[0].equals')),
  reject(
    'a clause asks one thing',
    clauses('path: a, equals: 5, exists: true'),
    at('policies[0].when[0].exists'),
  ),
  reject(
    'a clause has no other keys',
    clauses('path: a, equals: 5, unless: x'),
    at('policies[0].when[0].unless'),
  ),
  reject('`equals` is a plain value', clauses('path: a, equals: [5]'), at('policies[0].when[0].equals')),
  reject('`in` is a list', clauses('path: a, in: 5'), at('policies[0].when[0].in')),
  reject('`in` has a value', clauses('path: a, in: []'), at('policies[0].when[0].in')),
  reject('`matches` is text', clauses('path: a, matches: 5'), at('policies[0].when[0].matches')),
  reject(
    '`matches` of 513 characters',
    clauses(`path: a, matches: ${'x'.repeat(513)}`),
    at('policies[0].when[0].matches'),
  ),
  reject('`exists` is a boolean', clauses('path: a, exists: maybe'), at('policies[0].when[0].exists')),
  reject(
    '`second_person` is a boolean',
    policies('match: x, action: block, second_person: ann'),
    at('policies[0].second_person'),
  ),
  ...['1h', '60m', '7d', '168h', '3600s'].map((expires) =>
    accept(`\`expires\` may be ${expires}`, policies(`match: x, action: block, expires: ${expires}`)),
  ),
  ...['59m', '8d', '169h'].map((expires) =>
    rejectBeyondSchema(
      `\`expires\` may not be ${expires}`,
      policies(`match: x, action: block, expires: ${expires}`),
      at('policies[0].expires'),
    ),
  ),
  ...['1w', '24', 'soon'].map((expires) =>
    reject(
      `\`expires\` may not be ${expires}`,
      policies(`match: x, action: block, expires: ${expires}`),
      at('policies[0].expires'),
    ),
  ),
  ...['svc_chat_a', 'svc_chat_b', 'svc_email'].flatMap((slug) => [
    accept(
      `the reserved slug \`${slug}\` on provider \`channel\``,
      connector(`slug: ${slug}, provider: channel, platform: email`),
    ),
    reject(
      `the reserved slug \`${slug}\` on another provider`,
      connector(`slug: ${slug}, provider: openapi`),
      at('provider'),
    ),
  ]),
  accept(
    'the reserved slug `computer` on provider `computer`',
    connector('slug: computer, provider: computer'),
  ),
  reject(
    'the reserved slug `computer` on another provider',
    connector('slug: computer, provider: openapi'),
    at('provider'),
  ),
  reject('provider `computer` under another slug', connector('slug: laptop, provider: computer'), at('slug')),
]
