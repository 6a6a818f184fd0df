import { migrateQueue } from '@svc/queue'
import type { TestProject } from 'vitest/node'

/** The jobs' schema in the database that every test file clones. */
export async function setup(project: TestProject): Promise<void> {
  const { admin_url, template } = project.getProvidedContext().test_postgres
  const url = new URL(admin_url)
  url.pathname = `/${template}`
  await migrateQueue(url.href)
}
