import { prewarmClient } from '../opencode-wire/prewarm-client.ts'
import { type PrewarmTarget, prewarmNames, type PrewarmFixture } from '../standby/prewarm-target.ts'
import type { StandbyParts } from '../runtime.ts'
import { preseedConfigDir } from './preseed.ts'
import { providerSettings } from './settings.ts'

const forgetMs = 10_000

/** The waiting server plays in another project than its session's, which it closes and forgets afterwards. */
export async function prewarmAgentrt(
  { host, port, secret }: Pick<StandbyParts, 'host' | 'port' | 'secret'>,
  env: Readonly<Record<string, string>>,
  fixture: PrewarmFixture,
): Promise<PrewarmTarget> {
  const { workspace, config_dir, model_url } = fixture
  const authorization = `Basic ${Buffer.from(`opencode:${secret}`).toString('base64')}`
  const { provider, model } = prewarmNames
  const models = [{ id: model, context: 128_000, output: 16_384 }]
  await preseedConfigDir(config_dir)

  async function request(method: string, path: string): Promise<void> {
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
      throw new Error(`The agent runtime does not forget its prewarming: ${path} ${answer.status}`)
  }

  return {
    client: prewarmClient({ host, port }, authorization, fixture),
    env: {
      ...env,
      OPENCODE_CONFIG_DIR: config_dir,
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        provider: { [provider]: providerSettings('PrewarmTarget', model_url, 'none', models) },
      }),
    },
    forget: async (session_id) => {
      if (session_id !== null) {
        await request('POST', `/session/${session_id}/abort`)
        await request('DELETE', `/session/${session_id}`)
      }
      await request('POST', '/instance/dispose')
    },
  }
}
