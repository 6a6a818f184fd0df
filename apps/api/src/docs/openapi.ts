import type { OpenAPIHono } from '@hono/zod-openapi'
import { credentialKinds, eventWebhooks, oauthProtocol } from '@svc/contract'
import type { AppEnv } from '../parts.ts'
import { exampleOf, isSchema } from './examples.ts'

type App = Pick<OpenAPIHono<AppEnv>, 'openAPIRegistry' | 'getOpenAPI31Document'>

/** The document without its `servers`, made once: the routes do not change while the process runs. */
export function openApiDocument(app: App, version: string) {
  for (const route of oauthProtocol) app.openAPIRegistry.registerPath(route)
  for (const route of eventWebhooks) app.openAPIRegistry.registerWebhook(route)
  return documentOf(app, {
    version,
    title: 'Agent sessions platform',
    description: `Projects, sessions, change requests and what belongs to them. ${everywhere}`,
    tags,
  })
}

/** The same of the operator's surface. */
export function adminDocument(app: App, version: string) {
  return documentOf(app, {
    version,
    title: 'Agent sessions platform: the operator’s surface',
    description: `What runs, and what those who run it may do. For platform admins alone. ${everywhere}`,
    tags: adminTags,
  })
}

const everywhere =
  'Every refusal has the shape of `Error`; branch on its `code`. Every answer carries `X-Request-Id`. One slash at the end of a path says nothing.'

interface Heading {
  readonly version: string
  readonly title: string
  readonly description: string
  readonly tags: readonly { readonly name: string; readonly description: string }[]
}

function documentOf(app: App, { tags, ...info }: Heading) {
  for (const [kind, description] of Object.entries(credentialKinds)) {
    const scheme = { type: 'http', scheme: 'bearer', description } as const
    app.openAPIRegistry.registerComponent('securitySchemes', kind, scheme)
  }
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      ...info,
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    tags: [...tags],
  })
  fillExamples(document)
  return document
}

type Document = ReturnType<OpenAPIHono<AppEnv>['getOpenAPI31Document']>

/** Gives an example to every body that has none of its own, and to every parameter in a path. */
function fillExamples({ paths = {}, components = {} }: Document): void {
  const schemas = components.schemas ?? {}
  const resolve = (ref: string) => schemas[ref.split('/').at(-1) ?? '']
  const operations = Object.values(paths).flatMap((item) => methods.flatMap((method) => item[method] ?? []))
  for (const { parameters = [], requestBody, responses = {} } of operations) {
    const bodies: readonly object[] = [requestBody ?? {}, ...Object.values(responses)]
    for (const media of bodies.flatMap(mediaOf)) media.example ??= exampleOf(media.schema, resolve)
    for (const parameter of parameters) {
      if (!('in' in parameter) || parameter.in !== 'path') continue
      parameter.example ??= exampleOf(parameter.schema, resolve, { name: parameter.name, owner: '' })
    }
  }
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

interface Media {
  schema?: unknown
  example?: unknown
}

function mediaOf(body: object): Media[] {
  if (!('content' in body) || !isSchema(body.content)) return []
  return Object.values(body.content).filter(isSchema)
}

/** The tags in the order in which a reader meets them. */
const tags = [
  { name: 'Service', description: 'Whether it runs, and which build' },
  { name: 'Sign-in', description: 'Signing up and in without a browser, second factors, and the end of it' },
  { name: 'OAuth', description: 'How an app gets a token from a person, by the standards' },
  { name: 'Accounts and tokens', description: 'Who a token acts as; user tokens and project tokens' },
  {
    name: 'Members and service accounts',
    description: 'People, machines, and the roles that they have in an account and on its projects',
  },
  {
    name: 'Single sign-on',
    description: 'Mail domains of an account, and the OpenID provider that its people sign in with',
  },
  { name: 'Directory', description: 'Directory sync (SCIM 2.0): its tokens, and what its groups give' },
  { name: 'Audit', description: 'Who did what, in a chain that shows when it was changed' },
  { name: 'Projects', description: 'A git repository, managed here or connected, and its settings' },
  { name: 'Secrets', description: 'Environment variables of every session of a project' },
  { name: 'Models', description: 'What the model gateway offers: providers, their keys, prices and lists' },
  { name: 'Repository', description: 'Files, commits and branches, read from git at that moment' },
  { name: 'Sessions', description: 'One conversation with an agent, in a sandbox, on a branch of its own' },
  { name: 'Harnesses', description: 'Programs that may be a session’s agent, by the Agent Client Protocol' },
  { name: 'Apps', description: 'What the manifest declares as apps, at addresses of their own' },
  {
    name: 'Connectors',
    description: 'Other people’s services: what may be asked of them, as whom, and who approves',
  },
  {
    name: 'Channels',
    description: 'Where people write to agents from: chats and mail, their threads, and who is who there',
  },
  { name: 'Inbox', description: 'What waits for a person, over all projects' },
  { name: 'Notifications', description: 'What a person is told, and on which ways' },
  { name: 'Change requests', description: 'The way onto the default branch' },
  { name: 'Reviews', description: 'Work and decisions that people look at, and the verdicts on them' },
  { name: 'Triggers', description: 'What starts sessions by itself, and the ledger of what it did' },
  { name: 'Events', description: 'What happened, in order, and the addresses that are told of it' },
  { name: 'Webhooks', description: 'Where senders post to; each proves that it knows the secret' },
  { name: 'Spend', description: 'What model calls may cost, what they cost, and the credit that pays' },
  { name: 'Sandbox identity', description: 'For the daemon of a sandbox alone, with its service key' },
] as const

/** Those of the operator's surface. */
const adminTags = [
  { name: 'Operations', description: 'What runs, what is owed, and what may be done about it' },
  { name: 'Checks', description: 'Differences between rows and what is there, and putting them right' },
  { name: 'Maintenance', description: 'Whether the platform is closed, and to what' },
  { name: 'Operated accounts', description: 'Plans, limits, suspension and features of accounts' },
  { name: 'Models of the platform', description: 'The operator’s model providers, prices and lists' },
  { name: 'Plans and credit', description: 'What accounts may have, and what pays for it' },
  { name: 'Platform admins', description: 'The people who run the platform' },
  { name: 'Platform audit', description: 'What they changed' },
] as const
