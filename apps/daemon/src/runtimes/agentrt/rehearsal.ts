import { rehearsalClient } from '../opencode-wire/rehearsal-client.ts'
import { type Rehearsal, rehearsed, type Stage } from '../rehearsal.ts'
import type { WaitingParts } from '../runtime.ts'
import { preseedConfigDir } from './preseed.ts'
import { providerSettings } from './settings.ts'

const forgetMs = 10_000

/** The waiting server plays in another project than its session's, which it closes and forgets afterwards. */
export async function rehearsalOfAgentrt(
  { host, port, secret }: Pick<WaitingParts, 'host' | 'port' | 'secret'>,
  env: Readonly<Record<string, string>>,
  stage: Stage,
): Promise<Rehearsal> {
  const { workspace, config_dir, model_url } = stage
  const authorization = `Basic ${Buffer.from(`opencode:${secret}`).toString('base64')}`
  const { provider, model } = rehearsed
  const models = [{ id: model, context: 128_000, output: 16_384 }]
  await preseedConfigDir(config_dir)

  async function tell(method: string, path: string): Promise<void> {
    const headers = {
      authorization,
      connection: 'close',
      'x-opencode-directory': encodeURIComponent(workspace),
    }
    const answer = await fetch(`http://${host}:${port}${path}`, {
      ...{ method, headers },
      signal: AbortSignal.timeout(forgetMs),
    })
    if (!answer.ok)
      throw new Error(`The agent runtime does not forget its rehearsal: ${path} ${answer.status}`)
  }

  return {
    client: rehearsalClient({ host, port }, authorization, stage),
    env: {
      ...env,
      OPENCODE_CONFIG_DIR: config_dir,
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        provider: { [provider]: providerSettings('Rehearsal', model_url, 'none', models) },
      }),
    },
    forget: async (session_id) => {
      if (session_id !== null) {
        await tell('POST', `/session/${session_id}/abort`)
        await tell('DELETE', `/session/${session_id}`)
      }
      await tell('POST', '/instance/dispose')
    },
  }
}
