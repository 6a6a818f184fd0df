import { apps, type AppInstanceRow, type Db } from '@svc/db'

/** A Node program that says its release, its secrets' lengths and what it was asked for. */
const server = `
const http = require('node:http')
http.createServer((request, response) => {
  if (request.url === '/crash') { console.error('out of luck'); process.exit(7) }
  if (request.url === '/slow') return setTimeout(() => response.end('slow'), 1000)
  if (request.url === '/env') return response.end(JSON.stringify(process.env))
  response.end(TEXT + ' of release ' + process.env.SVC_RELEASE)
}).listen(Number(process.env.PORT), '127.0.0.1', () => console.log('listens with ' + (process.env.KEY ?? 'nothing')))
process.on('SIGTERM', () => process.exit(0))
`

export const bundleManifest = (more = '') =>
  `svc_version: 2\napps:\n  api: { type: bundle, path: api, command: [node, server.js]${more} }\n`

export const bundle = (text: string, more = '') => ({
  'svc.yaml': bundleManifest(more),
  'api/server.js': `const TEXT = ${JSON.stringify(text)}\n${server}`,
})

export async function instancesOf(db: Db, project_id: string): Promise<AppInstanceRow[]> {
  return db
    .selectFrom('app_instances')
    .selectAll()
    .where('project_id', '=', project_id)
    .orderBy('created_at')
    .execute()
}

/** The types of the events of an app, in their order. */
export async function eventsOf(db: Db, project_id: string, name = 'api'): Promise<string[]> {
  const app = await apps.find(db, { project_id, name })
  if (app === undefined) return []
  return (await apps.events(db, app.app_id, { after: 0, limit: 1000 })).map(({ type }) => type)
}

/** Asks an instance as the proxy would. */
export async function visitFront(instance: AppInstanceRow | undefined, path = '/'): Promise<string> {
  const answer = await fetch(`${instance?.endpoint?.url}${path}`)
  return answer.text()
}
