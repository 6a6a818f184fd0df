import { createMemoryProvider } from '@svc/sandbox/providers'
import { createClient } from '@svc/sdk'
import { createAdminClient } from '@svc/sdk/admin'
import { provisionSandbox } from '@svc/services'
import { serveApi } from '../serve-api.ts'

const [folder = '', database_url = '', daemon = '', count = '1'] = process.argv.slice(2)

/** The API with running sessions, whose sandboxes are all one daemon: each may be asked 600 times a minute. */
await serveApi({
  folder,
  database_url,
  async prepare({ ctx }, { origin, token }) {
    const api_url = `${origin}/v1`
    const client = createClient({ api_url, token })
    const { account_id } = await client.me()
    await createAdminClient({ api_url, token }).updateAccount(account_id, {
      limits: { live_sessions: 1_000 },
    })
    const { project_id } = await client.projects.provision({ name: 'Proxy' })
    const provider = createMemoryProvider({ endpoint: () => ({ url: daemon }) })
    const signal = new AbortController().signal
    for (let index = 0; index < Number(count); index += 1) {
      const { session_id } = await client.projects.sessions.create(project_id, {})
      await provisionSandbox({ ...ctx, locks: ctx.db, signal, provider }, { session_id })
    }
    return { external_ids: [...provider.sandboxes.keys()] }
  },
})
