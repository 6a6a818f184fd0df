import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gatewayKey, gatewayProvider } from '../gateway-names.ts'
import type { RuntimeParts } from '../runtime.ts'

/** A folder of settings whose file of models names the gateway, and the variable that holds its key. */
export async function piVariables(
  { gateway }: Pick<RuntimeParts, 'gateway'>,
  home: string,
): Promise<Record<string, string>> {
  const folder = join(home, '.svc', 'pi')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { base_url, models } = gateway
  const provider =
    base_url === null
      ? {}
      : {
          [gatewayProvider]: {
            baseUrl: base_url,
            api: 'openai-completions',
            apiKey: gatewayKey,
            compat: { supportsDeveloperRole: false, supportsReasoningEffort: false },
            models: models.map(({ id, context, output }) => ({
              id,
              contextWindow: context,
              maxTokens: output,
            })),
          },
        }
  await writeFile(join(folder, 'models.json'), JSON.stringify({ providers: provider }))
  const [first] = models
  const chosen = first === undefined ? {} : { defaultProvider: gatewayProvider, defaultModel: first.id }
  // Else its adapter begins the first answer with a list of what it has loaded.
  const settings = { quietStartup: true, ...chosen }
  await writeFile(join(folder, 'settings.json'), JSON.stringify(settings))
  return { PI_CODING_AGENT_DIR: folder }
}
