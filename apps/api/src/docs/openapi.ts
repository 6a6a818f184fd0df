import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from '../parts.ts'

/** The document without its `servers`, made once: the routes do not change while the process runs. */
export function openApiDocument(app: OpenAPIHono<AppEnv>, version: string) {
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'A personal, project or session token, such as `svc_pat_…`',
  })
  app.openAPIRegistry.registerComponent('securitySchemes', 'sandboxKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'The service key of one sandbox, which only its own daemon holds',
  })
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Agent sessions platform',
      version,
      description:
        'Projects, sessions, change requests and what belongs to them. Every refusal has the shape of `Error`; branch on its `code`. Every answer carries `X-Request-Id`.',
    },
    security: [{ bearer: [] }],
    tags: [...tags],
  })
}

/** In the order in which somebody meets them. */
const tags = [
  { name: 'Service', description: 'Whether it runs, and which build' },
  { name: 'Sign-in', description: 'Signing up and in without a browser, second factors, and the end of it' },
  { name: 'Accounts and tokens', description: 'Who a token acts as; user tokens and project tokens' },
  {
    name: 'Members and service accounts',
    description: 'People, machines, and the roles that they have in an account and on its projects',
  },
  { name: 'Audit', description: 'Who did what, in a chain that shows when it was changed' },
  { name: 'Projects', description: 'A git repository, managed here or connected, and its settings' },
  { name: 'Secrets', description: 'Environment variables of every session of a project' },
  { name: 'Repository', description: 'Files, commits and branches, read from git at that moment' },
  { name: 'Sessions', description: 'One conversation with an agent, in a sandbox, on a branch of its own' },
  { name: 'Change requests', description: 'The way onto the default branch' },
  { name: 'Triggers', description: 'What starts sessions by itself, and the ledger of what it did' },
  { name: 'Webhooks', description: 'Where senders post to; each proves that it knows the secret' },
  { name: 'Sandbox identity', description: 'For the daemon of a sandbox alone, with its service key' },
] as const
