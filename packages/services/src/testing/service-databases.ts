import { createDatabase, type Db, makeRoles, roles } from '@svc/db'
import { afterAll } from 'vitest'
import type { World } from './world.ts'

type Service = 'api' | 'channel' | 'executor'

/** The same in every file of a run: roles are those of the server. */
const password = 'only-for-these-tests'
const databases = new WeakMap<World, Promise<Readonly<Record<Service, Db>>>>()

/** The database with the rights of each service, and no more. */
export function databasesOf(world: World): Promise<Readonly<Record<Service, Db>>> {
  const known = databases.get(world) ?? connectAsServices(world)
  databases.set(world, known)
  return known
}

async function connectAsServices({ connection_string }: World) {
  const passwords = Object.fromEntries(roles.map((role) => [role, password]))
  await makeRoles(connection_string, { passwords, jobs_schema: 'bullmq' })
  const connect = (service: Service): Db => {
    const url = new URL(connection_string)
    Object.assign(url, { username: `svc_${service}`, password })
    const db = createDatabase(url.href)
    afterAll(() => db.destroy())
    return db
  }
  return { api: connect('api'), channel: connect('channel'), executor: connect('executor') }
}
