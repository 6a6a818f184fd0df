import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../embedded/index.ts'
import { migrate } from '../schema/migrate.ts'
import { runAsAdmin, withDatabase } from './admin.ts'
import './provided.ts'

interface TestServer {
  readonly admin_url: string
  close(): Promise<void>
}

/** One PostgreSQL for a whole test run, with a migrated template that every test file clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestServer()
  const template = `svc_template_${randomBytes(6).toString('hex')}`
  const teardown = async () => {
    await runAsAdmin(server.admin_url, `drop database if exists ${template} with (force)`)
    await server.close()
  }
  try {
    await runAsAdmin(server.admin_url, `create database ${template}`)
    await migrate(withDatabase(server.admin_url, template))
  } catch (error) {
    await teardown()
    throw error
  }
  project.provide('test_postgres', { admin_url: server.admin_url, template })
  return teardown
}

/** TEST_DATABASE_URL names a server and a user that may create databases on it. */
async function startTestServer(): Promise<TestServer> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { admin_url: given, close: async () => undefined }
  const data_dir = await mkdtemp(join(tmpdir(), 'svc-postgres-'))
  const server = await startEmbeddedPostgres({
    data_dir,
    log: { ...quiet, error: (details, message) => console.error(message, details) },
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '500' },
  })
  return {
    admin_url: server.connection_string,
    close: async () => {
      await server.close()
      await rm(data_dir, { recursive: true, force: true })
    },
  }
}

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined }
