import { output } from './run.ts'

const services = {
  api: 'API',
  gateway: 'GATEWAY',
  executor: 'EXECUTOR',
  scheduler: 'SCHEDULER',
  'merge-worker': 'MERGE',
  'sandbox-worker': 'SANDBOX',
  'app-worker': 'APP',
  'app-proxy': 'PROXY',
  'channel-worker': 'CHANNEL',
} as const

/** The same for every file of this run: roles are those of the server. */
const password = 'only-for-these-tests'

/**
 * Makes the roles by the build of the API at a path. Returns the address of the database for each service, with a role
 * that may do what its work needs and no more, and for `owner` that of the schema's owner.
 */
export async function makeRoleUrls(
  connection_string: string,
  api_entry: string,
): Promise<(app: string) => string> {
  const passwords = [...Object.values(services), 'OWNER', 'BACKUP'].map((name) => [
    `SVC_ROLE_PASSWORD_${name}`,
    password,
  ])
  await output(process.execPath, [api_entry, 'migrate', '--roles'], {
    env: { ...Object.fromEntries(passwords), DATABASE_URL: connection_string },
  })
  return (app) => {
    const name = Object.entries(services).find(([service]) => service === app)?.[1] ?? app
    const url = new URL(connection_string)
    Object.assign(url, { username: `svc_${name.toLowerCase()}`, password })
    return url.href
  }
}
